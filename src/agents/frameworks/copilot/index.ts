export {
  type AsklineOptions,
  askline,
  type CopilotHandlers,
  type ElicitationRequest,
  type ElicitationResponse,
  type PermissionResponse,
  type PreToolUseOutput,
} from "./handlers.js";
export type { PermissionRequest } from "./permission.js";
export {
  type ApprovableTool,
  type AskToolOptions,
  askTool,
  type CopilotAskTool,
  type ToolInvocation,
  type ToolResult,
  withApproval,
} from "./tools.js";
export type { UserInputRequest, UserInputResponse } from "./user-input.js";
