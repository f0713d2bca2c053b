import { storeSuite } from "../../../../src/testing/index.ts";
import { testSuite } from "../../../support/run-suite.ts";
import { postgresHarness } from "./postgres-harness.ts";

testSuite("the store suite on PostgreSQL", storeSuite, postgresHarness());
