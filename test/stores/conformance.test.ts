import { storeSuite } from "../../src/testing/index.ts";
import { testSuite } from "../support/run-suite.ts";
import { memoryHarness } from "../support/store-harness.ts";

testSuite("the store suite on memory", storeSuite, memoryHarness());
