import { afterEach, expect, it } from "vitest";
import { openSession } from "../../../src/agents/sessions/index.js";
import {
  awaitedAsk,
  call,
  closeServers,
  openServer,
  posted,
  question,
  refusal,
  until,
} from "../open-server.js";
import { readSession } from "../session-reader.js";

afterEach(closeServers);

it("whoever waits for an ask is told to come again, here or elsewhere", async () => {
  const open = await openServer();
  const token = await open.token();
  const waiting = call(open, token, "POST /v1/asks?wait=60", { questions: [question], key: "k" });
  const { id } = await awaitedAsk(open);
  const looking = call(open, token, `GET /v1/asks/${id}?wait=60`);
  await until(() => open.server.open().waits === 2);
  expect(open.server.draining).toBe(false);
  await open.server.close();
  for (const told of [await waiting, await looking]) {
    expect(refusal(told)).toBe("503 closed");
    expect([told.headers.get("retry-after"), told.headers.get("connection")]).toEqual(["1", "close"]);
  }
  expect((await open.hub.get(id)).status).toBe("pending");
});

it("an ask without a key is given back as it stands, for asking again would ask twice", async () => {
  const open = await openServer();
  const waiting = call(open, await open.token(), "POST /v1/asks?wait=60", { questions: [question] });
  const { id } = await awaitedAsk(open);
  await open.server.close();
  const { status, headers, body } = await waiting;
  expect([status, headers.get("connection")]).toEqual([201, "close"]);
  expect(body.ask).toMatchObject({ id, status: "pending" });
});

it("a server that stops is not ready, and says so", async () => {
  const open = await openServer();
  await open.server.close();
  expect(open.server.draining).toBe(true);
  expect(refusal(await call(open, undefined, "GET /readyz"))).toBe("503 closed");
});

it("the stream of a session ends with where to go on", async () => {
  const open = await openServer();
  const session = await openSession({ hub: open.hub, sessionId: "s", asker: "agent" });
  const token = await open.token();
  const reader = await readSession(open, token, "s", "0");
  await session.write({ type: "text", text: "one" });
  await reader.find((event) => JSON.stringify(event).includes("one"));
  await open.server.close();
  await reader.ended;
  const id = reader.events().at(-1)?.id;
  expect(reader.text().endsWith(`: resume after ${id}\nid: ${id}\n\n`)).toBe(true);
});

it("what is under way when it stops is not held, and begins no stream", async () => {
  const open = await openServer();
  const token = await open.token();
  const { id } = await posted(open, token);
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Both have come in and wait for the store when the server stops.
  const { get, position } = open.hub;
  let arrived = 0;
  const held = async <T>(go: () => Promise<T>): Promise<T> => {
    arrived += 1;
    await gate;
    return go();
  };
  Object.assign(open.hub, { get: (one: string) => held(() => get(one)), position: () => held(position) });
  const waiting = call(open, token, `GET /v1/asks/${id}?wait=60`);
  const reading = call(open, token, "GET /v1/events");
  await until(() => arrived === 2);
  await open.server.close();
  release();
  expect(refusal(await waiting)).toBe("503 closed");
  expect(refusal(await reading)).toBe("503 closed");
});
