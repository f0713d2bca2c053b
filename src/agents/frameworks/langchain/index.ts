// LangChain and LangGraph: a tool that waits in place, a tool that interrupts the graph, and bridges for the interrupts
// of humanInTheLoopMiddleware and of the Agent Inbox.
export {
  answerInterrupts,
  type InterruptOptions,
  postInterrupts,
  type ResumeOnSettleOptions,
  resumeOnSettle,
} from "./resume.js";
export { type AskToolOptions, askTool, interruptTool } from "./tools.js";
