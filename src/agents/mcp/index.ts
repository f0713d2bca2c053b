export { createMcpHttp, type McpHttp, type McpHttpOptions } from "./http.js";
export { createMcp, type Mcp, type McpOptions, type RememberedClient } from "./mcp-server.js";
export type { AgentPort } from "./port.js";
