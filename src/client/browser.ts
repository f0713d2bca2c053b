// `askline/client` in bundles for web pages: without the search for a server on this machine.

export { connect } from "./connect.js";
export { gatewayResolver, timeoutTextOf } from "./gateway/gateway-resolver.js";
