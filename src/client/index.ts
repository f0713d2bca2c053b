export type { ClientReportOptions } from "./asking.js";
export type { Client, ConnectOptions } from "./connect.js";
export type { EventQuery } from "./event-stream.js";
export {
  type GatewayResolver,
  type GatewayResolverOptions,
  gatewayResolver,
  timeoutTextOf,
} from "./gateway/gateway-resolver.js";
export type { EndOptions, Link, LinkOptions } from "./inbox.js";
export { connect } from "./local-server.js";
export type { RemoteSessionEvent } from "./remote-session.js";
