export type { TokenInfo } from "../core/model/token.js";
export { ROLES, type Role } from "../core/model/visibility.js";
export { type Auth, type AuthOptions, createAuth } from "./access/auth.js";
export type { Authenticate, AuthenticatedCaller } from "./access/authenticate.js";
export { type HostOptions, isLoopback } from "./access/hosts.js";
export type { LinkTarget, OpenedLink } from "./access/links.js";
export type { Credential, OpenSessions, Principal } from "./access/principal.js";
export type { OpenConnections } from "./access/rate-limits.js";
export type { NewToken } from "./access/tokens.js";
export { SERVER_LIMITS, type ServerLimits } from "./http/limits.js";
export type {
  ConnectionKind,
  EndedRequest,
  ServerLevels,
  ServerMetrics,
} from "./instruments/server-metrics.js";
export { type Listening, type ListenOptions, listen } from "./listen.js";
export { type AsklineServer, createServer, type ServerOptions } from "./server.js";
