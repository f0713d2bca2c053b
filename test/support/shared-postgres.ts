import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { inject } from "vitest";

/** The URL of the server that all tests of this run share. Keep to a schema of your own: {@link freshSchema}. */
export async function sharedPostgres(): Promise<string> {
  const reply = await text(connect(inject("postgresBroker"), "127.0.0.1"));
  const { url, error } = JSON.parse(reply) as { readonly url?: string; readonly error?: string };
  if (url === undefined) throw new Error(`the shared PostgreSQL did not start: ${error}`);
  return url;
}

/** The name of a schema that nobody else uses. */
export function freshSchema(): string {
  return `test_${randomBytes(8).toString("hex")}`;
}
