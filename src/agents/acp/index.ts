export { type AcpHandlers, type AcpOptions, type AcpPort, acpHandlers } from "./handlers.js";
