import { expect, it, onTestFinished } from "vitest";
import { createHub, type Hub } from "../../../../src/hub/index.ts";
import { postgresStore } from "../../../../src/hub/stores/postgres/index.ts";
import { ANA } from "../../../../src/testing/samples.ts";
import { until } from "../../../server/open-server.ts";
import { freshSchema, sharedPostgres } from "../../../support/shared-postgres.ts";

const NEVER = 3_600_000;

async function openHub(schema: string): Promise<Hub> {
  const hub = await createHub({
    store: postgresStore({ url: await sharedPostgres(), schema, pollMs: NEVER }),
  });
  onTestFinished(() => hub.close());
  return hub;
}

it("wakes who asked on one node when somebody answers on another", async () => {
  const schema = freshSchema();
  const [one, other] = await Promise.all([openHub(schema), openHub(schema)]);
  const outcome = one.ask({ questions: [{ question: "Go on?", options: ["Yes", "No"] }] });
  const id = await new Promise<string>((resolve) => {
    void (async () => {
      for await (const ask of other.watch()) return resolve(ask.id);
    })();
  });
  await other.answer(id, { answers: [{ question: "q1", selected: ["o1"] }] }, { by: ANA });
  expect(await outcome).toMatchObject({ kind: "answered", by: ANA });
});

it("expires an ask once, on whichever node comes first", async () => {
  const schema = freshSchema();
  const hubs = await Promise.all([openHub(schema), openHub(schema), openHub(schema)]);
  const outcomes = hubs.map((hub) =>
    hub.ask({ questions: [{ question: "Anybody?", options: ["Yes", "No"] }], timeoutMs: 50 }),
  );
  expect(await Promise.all(outcomes)).toEqual(hubs.map(() => ({ kind: "expired" })));
});

it("shows at one node that an agent waits at another", async () => {
  const schema = freshSchema();
  const [one, other] = await Promise.all([openHub(schema), openHub(schema)]);
  const { id } = await one.post({ questions: [{ question: "Go on?", options: ["Yes", "No"] }] });
  await one.attend(id);
  await until(async () => (await other.awaited([id])).has(id));
});
