export { endingText } from "../shapes/stream/answer.js";
export { blockEvents } from "../shapes/stream/events.js";
export { stream } from "../shapes/stream.js";
