export { gateway, timeoutText } from "../shapes/gateway.js";
