// LangChain and LangGraph: a tool that waits in place, a tool that interrupts the graph, and bridges for the interrupts
// of humanInTheLoopMiddleware and of the Agent Inbox.
export type { InterruptLike } from "./interrupts.js";
export {
  answerInterrupts,
  type GraphLike,
  type InterruptOptions,
  postInterrupts,
  type ResumeOnSettleOptions,
  type Resuming,
  resumeOnSettle,
  type SettleSource,
} from "./resume.js";
export { type AskPoster, type AskToolOptions, askTool, interruptTool, type LangChainTool } from "./tools.js";
