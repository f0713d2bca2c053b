export { type Parked, type ParkOptions, type ParkPort, park, type RunInput } from "./park.js";
export { type AgentLike, AgentRunError, type RunAgentOptions, type RunPort, runAgent } from "./run-agent.js";
export type { Interrupt, ResumeEntry, ToolMessage } from "./shapes.js";
