export { type Auth, type AuthOptions, createAuth } from "./access/auth.js";
export type { Authenticate, AuthenticatedCaller } from "./access/authenticate.js";
export type { OpenSessions, Principal } from "./access/principal.js";
export type { ServerLimits } from "./http/limits.js";
export type { ServerMetrics } from "./instruments/server-metrics.js";
export { type Listening, type ListenOptions, listen } from "./listen.js";
export { type AsklineServer, createServer, type ServerOptions } from "./server.js";
