export { createMcpHttp, type McpHttpOptions } from "./http.js";
export { createMcp, type McpOptions } from "./mcp-server.js";
