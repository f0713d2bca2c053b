export type { AuditEntry, AuditType } from "../core/model/audit.js";
export type { Device } from "../core/model/device.js";
export type { NotificationPreferences, PreferenceChanges } from "../core/model/notifications.js";
export type { RememberedRule } from "../core/model/rule.js";
export type { ClientReportOptions } from "./asking.js";
export type { Client, ConnectOptions, Ticket } from "./connect.js";
export type { EventQuery } from "./event-stream.js";
export {
  type GatewayResolver,
  type GatewayResolverOptions,
  gatewayResolver,
  timeoutTextOf,
} from "./gateway/gateway-resolver.js";
export type { GatewaySocket, GatewaySocketConstructor } from "./gateway/link.js";
export type {
  ByOptions,
  EndOptions,
  Link,
  LinkOptions,
} from "./inbox.js";
export { connect } from "./local-server.js";
export type {
  FollowSessionOptions,
  RemoteHistory,
  RemoteSessionEvent,
  RemoteSessionOptions,
} from "./remote-session.js";
