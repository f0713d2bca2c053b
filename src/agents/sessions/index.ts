export type { OpenEvent, RequestEvent, SessionEvent, WrittenEvent } from "../../core/model/session-event.js";
export {
  type FollowedEvent,
  type FollowOptions,
  followSession,
  type StreamStart,
  startOf,
} from "./follow.js";
export { type History, type HistoryPage, readHistory } from "./history.js";
export {
  type OpenSessionOptions,
  openSession,
  type PostedRequest,
  type Session,
  sessionWriter,
} from "./open-session.js";
export { followOpened, type OpenedSession, openedStart } from "./opened-sessions.js";
export type { SessionTimeouts, ToolRules } from "./options.js";
export { findHead, requireHead, sessionNotFound } from "./read-transcript.js";
export { requireSessionEvent } from "./session-event.js";
export { requireSessionId } from "./session-head.js";
export { openWithMessage, type TakenMessage, takeMessage } from "./take-message.js";
export type { SessionHead } from "./transcript.js";
