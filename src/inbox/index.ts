export { agentName, countOf, declineAll, type Folded, fold, isMutedIn, ofSameAgent } from "./crowd.js";
export {
  codeOf,
  type EndedEntry,
  type Entry,
  followAsks,
  isPassing,
  type LiveAsks,
  type WatchedInbox,
} from "./live-asks.js";
export { projectLabel, searchFor } from "./search.js";
