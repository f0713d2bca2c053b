import { randomBytes } from "node:crypto";
import { askBroker } from "./ask-broker.ts";

/** The URL of the server that all tests of this run share. Keep to a schema of your own: {@link freshSchema}. */
export function sharedPostgres(): Promise<string> {
  return askBroker("postgres");
}

/** The name of a schema that nobody else uses. */
export function freshSchema(): string {
  return `test_${randomBytes(8).toString("hex")}`;
}
