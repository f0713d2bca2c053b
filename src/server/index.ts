export { type Auth, type AuthOptions, createAuth } from "./auth/auth.js";
export type { LinkTarget, OpenedLink } from "./auth/links.js";
export { type Credential, type Principal, ROLES, type Role } from "./auth/principal.js";
export type { NewToken, TokenInfo } from "./auth/tokens.js";
export type { ServerLimits } from "./call.js";
export type { HostOptions } from "./hosts.js";
export { isLoopback, type Listening, type ListenOptions, listen } from "./node.js";
export { type AsklineServer, createServer, type ServerOptions } from "./server.js";
export { STATUS } from "./status.js";
