export {
  type ApprovedOptions,
  approved,
  runToolCall,
  toAnthropicTool,
  toGeminiTool,
  toOpenAITool,
} from "./calls.js";
export { type DanglingOptions, settleDangling } from "./dangling.js";
