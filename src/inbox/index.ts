export {
  codeOf,
  type EndedEntry,
  type Entry,
  followAsks,
  isPassing,
  type LiveAsks,
  type WatchedInbox,
} from "./live-asks.js";
export { projectOf, searchFor } from "./search.js";
