export { SuiteFailure } from "./check.js";
export { type FakeClock, fakeClock } from "./fake-clock.js";
export type { OpenResolver, ResolverCase, ResolverHarness, ResolverNeed } from "./resolver-suite/harness.js";
export { resolverSuite } from "./resolver-suite.js";
export {
  type AnswererOptions,
  type Script,
  type ScriptedAnswerer,
  type ScriptedAsk,
  type ScriptedEnding,
  scriptedAnswerer,
  type Turn,
} from "./scripted-answerer.js";
export type { StoreCase, StoreHarness, StoreNeed } from "./store-suite/harness.js";
export { storeSuite } from "./store-suite.js";
export {
  type CaseResult,
  type Runnable,
  type RunOptions,
  runnable,
  runSuite,
  type SuiteCase,
  type SuiteHarness,
} from "./suite.js";
