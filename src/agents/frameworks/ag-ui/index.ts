export { type ParkOptions, park } from "./park.js";
export { AgentRunError, type RunAgentOptions, runAgent } from "./run-agent.js";
