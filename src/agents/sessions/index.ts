export type { SessionEvent } from "../../core/model/session-event.js";
export { type FollowedEvent, type FollowOptions, followSession } from "./follow.js";
export { type History, readHistory } from "./history.js";
export { type OpenSessionOptions, openSession, type Session } from "./open-session.js";
export { takeMessage } from "./take-message.js";
