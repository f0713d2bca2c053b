export { type AsklineOptions, askline } from "./handlers.js";
export { type AskToolOptions, askTool, withApproval } from "./tools.js";
