export { type AcpOptions, acpHandlers } from "./handlers.js";
