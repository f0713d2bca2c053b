export { type Client, type ConnectOptions, connect } from "./connect.js";
export type { EventQuery } from "./event-stream.js";
export type { ByOptions, EndOptions, Link, LinkOptions } from "./inbox.js";
