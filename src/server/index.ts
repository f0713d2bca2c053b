export { ROLES, type Role } from "../core/visibility.js";
export { type Auth, type AuthOptions, createAuth } from "./auth/auth.js";
export type { LinkTarget, OpenedLink } from "./auth/links.js";
export type { Credential, Principal } from "./auth/principal.js";
export type { NewToken, TokenInfo } from "./auth/tokens.js";
export type { OpenPlaces } from "./doors/doors.js";
export type { HostOptions } from "./hosts.js";
export type {
  ConnectionKind,
  EndedRequest,
  ServerLevels,
  ServerMetrics,
} from "./instruments/server-metrics.js";
export { SERVER_LIMITS, type ServerLimits } from "./limits.js";
export { isLoopback, type Listening, type ListenOptions, listen } from "./node.js";
export { type AsklineServer, createServer, type ServerOptions } from "./server.js";
