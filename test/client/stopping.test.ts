import { expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/client/index.js";
import { createHub, memoryStore } from "../../src/hub/index.js";
import { until } from "../server/open-server.ts";
import { openServer } from "./real-server.ts";

const quiet = { warn: () => undefined, error: () => undefined };

it("moves waits and event streams to the next server when one stops", async () => {
  const store = memoryStore();
  const hub = await createHub({ store, logger: quiet });
  onTestFinished(() => hub.close());
  const first = await openServer({ store, hub });
  const second = await openServer({ store, hub, agentToken: first.agentToken });
  onTestFinished(() => second.close());
  const client = connect({ urls: [first.url, second.url], token: first.agentToken, logger: quiet });
  onTestFinished(() => client.close());
  const types: string[] = [];
  const reading = (async () => {
    for await (const { type } of client.events({ after: 0 })) {
      types.push(type);
      if (type === "ask.answered") return;
    }
  })();
  const outcome = client.ask({ questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });
  const ask = await until(async () => (await hub.list()).asks.find(({ id }) => hub.isAwaited(id)));
  await until(() => types.includes("ask.created"));
  await first.close();
  // At the second one.
  await until(() => hub.isAwaited(ask.id));
  const by = { kind: "person", id: "ana", surface: "test" } as const;
  await hub.answer(ask.id, { answers: [{ question: "q1", selected: ["o1"] }] }, { by });
  expect((await outcome).kind).toBe("answered");
  await reading;
  expect(types).toEqual([...new Set(types)]);
});
