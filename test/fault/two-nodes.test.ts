import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, expect, it } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { connect } from "../../src/client/index.ts";
import type { Ask } from "../../src/index.ts";
import { endProcesses } from "../cli/processes.ts";
import { newFolder, removeFolders, serve } from "../cli/servers.ts";
import { sharedPostgres } from "../support/shared-postgres.ts";

const ASKS = 200;

afterEach(endProcesses);
afterAll(removeFolders);

/** A database of its own on the shared server, and how to drop it. */
async function newDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const shared = await sharedPostgres();
  const name = `nodes_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: shared });
  await client.connect();
  await client.query(`create database ${name}`);
  const url = new URL(shared);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      await client.query(`drop database ${name} with (force)`);
      await client.end();
    },
  };
}

it(`${ASKS} asks in flight over two servers on one PostgreSQL, one of them killed: none lost, none double`, async () => {
  const database = await newDatabase();
  const data = newFolder();
  const args = ["--db", database.url, "--person", "ana"];
  const first = await serve(data, { args });
  const second = await serve(data, { args });
  const tokens = readCredentials(data, first.url);
  // The agent asks through the node that will die; the person is connected to the other.
  const agent = connect({ urls: [first.url, second.url], token: tokens?.agent ?? "" });
  const person = connect({ url: second.url, token: tokens?.person ?? "" });
  try {
    const outcomes = Promise.all(
      Array.from({ length: ASKS }, (_, index) =>
        agent.ask({
          questions: [{ question: `Which number is it, ${index}?` }],
          session: "nodes",
          key: `k${index}`,
        }),
      ),
    );
    const answered = new Set<string>();
    const answering: Promise<Ask>[] = [];
    for await (const ask of person.watch({ session: "nodes" })) {
      if (ask.status !== "pending" || answered.has(ask.id)) continue;
      answered.add(ask.id);
      answering.push(person.answer(ask.id, { answers: [{ question: "q1", text: `${ask.key}` }] }));
      if (answered.size === ASKS / 2) first.running.child.kill("SIGKILL");
      if (answered.size === ASKS) break;
    }
    await Promise.all(answering);
    expect(
      (await outcomes).map((outcome) => outcome.kind === "answered" && outcome.answers[0]?.text),
    ).toEqual(Array.from({ length: ASKS }, (_, index) => `k${index}`));
    // Both nodes' work is in one log: each ask there once, and settled once.
    const types = new Map<string, string[]>();
    let position = 0;
    for await (const event of person.events({ after: 0 })) {
      expect(event.position).toBe(position + 1);
      position = event.position;
      types.set(event.askId, [...(types.get(event.askId) ?? []), event.type]);
      if (position === 2 * ASKS) break;
    }
    expect([...types.values()]).toEqual(Array(ASKS).fill(["ask.created", "ask.answered"]));
  } finally {
    await agent.close();
    await person.close();
    endProcesses();
    await database.drop();
  }
});
