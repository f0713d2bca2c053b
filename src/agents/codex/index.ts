export { bridgeCodex, type CodexOptions } from "./bridge.js";
export type { CodexConnection } from "./connection.js";
