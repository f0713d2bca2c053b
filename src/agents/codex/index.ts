export { bridgeCodex, type CodexOptions, type CodexPort } from "./bridge.js";
export type { CodexConnection } from "./connection.js";
