export { type FakeClock, fakeClock } from "./fake-clock.js";
export type { ResolverHarness } from "./resolver-suite/harness.js";
export { resolverSuite } from "./resolver-suite.js";
export { type Script, type ScriptedEnding, scriptedAnswerer } from "./scripted-answerer.js";
export type { StoreHarness } from "./store-suite/harness.js";
export { storeSuite } from "./store-suite.js";
export { runnable, runSuite } from "./suite.js";
