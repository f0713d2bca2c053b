import { describe, expect, it, onTestFinished } from "vitest";
import { checkPostgres } from "../../../../src/cli/doctor/check-postgres.ts";
import { processWorld } from "../../../../src/cli/world/process-world.ts";
import { createHub } from "../../../../src/hub/index.ts";
import { postgresStore } from "../../../../src/hub/stores/postgres/index.ts";
import { freshSchema, sharedPostgres } from "../../../support/shared-postgres.ts";
import type { Pooler } from "../../../support/transaction-pooler.ts";
import { connectTo, quiet } from "./open-store.ts";

const question = { question: "Ship it?", options: ["Yes", "No"] };
const by = { kind: "person", id: "ana", surface: "test" } as const;

export async function opened(pooler: Pooler): Promise<string> {
  onTestFinished(() => pooler.close());
  return pooler.url;
}

/** Two hubs through a pooler: what one asks is answered over the other. */
export async function askOverTwoHubs(url: string): Promise<readonly string[]> {
  const schema = freshSchema();
  const warnings: string[] = [];
  const logger = { ...quiet, warn: (message: string) => void warnings.push(message) };
  const [asking, answering] = [postgresStore({ url, schema }), postgresStore({ url, schema })];
  const hubs = [
    await createHub({ store: asking, logger }),
    await createHub({ store: answering, logger }),
  ] as const;
  onTestFinished(async () => void (await Promise.all(hubs.map((hub) => hub.close()))));
  const outcomes = Array.from({ length: 20 }, () => hubs[0].ask({ questions: [question] }));
  const pending = async (): Promise<readonly { readonly id: string }[]> =>
    (await hubs[1].list({ status: "pending" })).asks;
  while ((await pending()).length < 20);
  const answer = { answers: [{ question: "q1", selected: ["o1"] }] };
  await Promise.all((await pending()).map(({ id }) => hubs[1].answer(id, answer, { by })));
  for (const outcome of await Promise.all(outcomes)) expect(outcome.kind).toBe("answered");
  return warnings;
}

/** What holds through every pooler in transaction mode. */
export function describePooler(name: string, start: (url: string) => Promise<Pooler>): void {
  describe(`a pooler in transaction mode: ${name}`, () => {
    it("refused named statements, and no server started", async () => {
      const url = await opened(await start(await sharedPostgres()));
      expect(await askOverTwoHubs(url)).toEqual(
        expect.arrayContaining([expect.stringContaining("through a pooler in transaction mode")]),
      );
      // Other programs get the same connections: none has our settings, or listens for us.
      const client = await connectTo(url);
      for (let turn = 0; turn < 5; turn += 1) {
        const { rows } = await client.query(
          "select current_setting('enable_seqscan') as scan, array(select pg_listening_channels()) as listens",
        );
        expect(rows).toEqual([{ scan: "on", listens: [] }]);
      }
    });

    it("was all right for doctor", async () => {
      const url = await opened(await start(await sharedPostgres()));
      const { findings, contents } = await checkPostgres(url, processWorld());
      onTestFinished(() => contents?.close());
      expect(findings[0]).toMatchObject({
        check: "store",
        level: "warning",
        fix: expect.stringContaining("session mode"),
      });
    });
  });
}
