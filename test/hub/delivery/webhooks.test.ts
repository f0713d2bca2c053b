import { Webhook as Verifier } from "standardwebhooks";
import { afterEach, describe, expect, it } from "vitest";
import { rotateSecret, signingSecret } from "../../../src/hub/delivery/http/signing.ts";
import { listDeliveries, retryDelivery } from "../../../src/hub/delivery/outbox/entry.ts";
import { ana, question, yes } from "../open-hub.ts";
import { closeDeliveries, type OpenDelivery, openDelivery } from "./open-delivery.ts";
import { closeReceivers, openReceiver, type Received, type Respond, withStatus } from "./receiver.ts";

afterEach(async () => {
  await closeDeliveries();
  await closeReceivers();
});

const DAY = 86_400_000;
const typeOf = ({ body }: Received): string => (JSON.parse(body) as { type: string }).type;
const headersOf = ({ headers }: Received): Record<string, string> => ({ ...headers });
const listed = ({ store }: OpenDelivery): ReturnType<typeof listDeliveries> =>
  listDeliveries(store.records, { limit: 100 });

describe("a webhook", () => {
  it("gets every event of an ask in order, signed so that the public library accepts it", async () => {
    const receiver = await openReceiver();
    const open = await openDelivery({ webhooks: [{ url: `${receiver.url}/hook` }] });
    const ask = await open.hub.post({ questions: [question] });
    await open.hub.opened(ask.id, ana);
    await open.hub.answer(ask.id, yes, ana);
    await open.passUntil(() => receiver.received.length === 3);

    expect(receiver.received.map(typeOf)).toEqual(["ask.created", "ask.opened", "ask.answered"]);
    const secret = await signingSecret(open.store.records, "webhooks");
    const last = receiver.received[2];
    if (last === undefined) throw new Error("unreachable");
    // The library compares with the wall clock of this machine, so only the signature is checked here.
    const signed = { ...headersOf(last) };
    const verifier = new Verifier(secret);
    const expected = verifier.sign(
      signed["webhook-id"] ?? "",
      new Date(Number(signed["webhook-timestamp"]) * 1_000),
      last.body,
    );
    expect(signed["webhook-signature"]).toBe(expected);
    expect(Number(signed["webhook-timestamp"]) * 1_000).toBeCloseTo(open.clock.now(), -5);
    expect(JSON.parse(last.body)).toMatchObject({
      type: "ask.answered",
      data: { askId: ask.id, ask: { status: "answered" }, details: { by: { id: "ana" } } },
    });
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
    await open.passUntil(async () => (await listed(open)).length === 0);
  });

  it("is verified by the public library with the real clock, and a changed body is refused", async () => {
    const receiver = await openReceiver();
    const open = await openDelivery({ webhooks: [{ url: receiver.url }] });
    open.clock.jumpWall(Date.now() - open.clock.now());
    await open.hub.post({ questions: [question] });
    const [request] = await open.passUntil(() => receiver.received.length > 0 && receiver.received);
    if (request === undefined) throw new Error("unreachable");
    const verifier = new Verifier(await signingSecret(open.store.records, "webhooks"));
    expect(verifier.verify(request.body, headersOf(request))).toMatchObject({ type: "ask.created" });
    expect(() => verifier.verify(request.body.replace("created", "changed"), headersOf(request))).toThrow();
  });

  it("gets only the events it wants, with its own secret", async () => {
    const receiver = await openReceiver();
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const open = await openDelivery({ webhooks: [{ url: receiver.url, events: ["ask.settled"], secret }] });
    open.clock.jumpWall(Date.now() - open.clock.now());
    const ask = await open.hub.post({ questions: [question] });
    await open.hub.decline(ask.id, "no", ana);
    const [request] = await open.passUntil(() => receiver.received.length > 0 && receiver.received);
    if (request === undefined) throw new Error("unreachable");
    expect(new Verifier(secret).verify(request.body, headersOf(request))).toMatchObject({
      type: "ask.declined",
    });
    expect(receiver.received).toHaveLength(1);
  });

  it("carries the old signature for a day after a rotation", async () => {
    const receiver = await openReceiver();
    const open = await openDelivery({ webhooks: [{ url: receiver.url }] });
    const old = await signingSecret(open.store.records, "webhooks");
    const fresh = await rotateSecret(open.store.records, "webhooks", open.hub.now());
    open.clock.jumpWall(Date.now() - open.clock.now());
    await open.hub.post({ questions: [question] });
    const [request] = await open.passUntil(() => receiver.received.length > 0 && receiver.received);
    if (request === undefined) throw new Error("unreachable");
    for (const secret of [old, fresh]) {
      expect(new Verifier(secret).verify(request.body, headersOf(request))).toMatchObject({
        type: "ask.created",
      });
    }
  });

  it.each<[string, Respond, RegExp]>([
    ["answers 500", withStatus(500), /HTTP 500/],
    [
      "redirects",
      withStatus(302, { location: "http://127.0.0.1:1/elsewhere" }),
      /redirects are not followed/,
    ],
    ["hangs", () => undefined, /no response in time/],
    ["closes at once", (_request, response) => void response.socket?.destroy(), /connection was closed/],
    [
      "closes in the middle",
      (_request, response) => {
        response.writeHead(200, { "content-length": "100" }).write("half", () => response.socket?.destroy());
      },
      /connection was closed/,
    ],
  ])("that %s is called again, with the same id and in order", async (what, fail, reason) => {
    const receiver = await openReceiver(fail);
    const open = await openDelivery({
      webhooks: [{ url: receiver.url }],
      ...(what === "hangs" && { timeoutMs: 500 }),
    });
    const ask = await open.hub.post({ questions: [question] });
    await open.hub.answer(ask.id, yes, ana);
    const failing = await open.passUntil(async () => {
      const found = await listed(open);
      return found.some(({ attempts }) => attempts > 0) && found;
    });
    expect(failing.find(({ attempts }) => attempts > 0)).toMatchObject({
      state: "failing",
      type: "ask.created",
    });
    expect(failing.find(({ attempts }) => attempts > 0)?.lastError).toMatch(reason);
    expect(open.logged.join("\n")).toMatch(reason);
    receiver.respond = withStatus(204);
    await open.passUntil(async () => (await listed(open)).length === 0);
    const types = receiver.received.map(typeOf);
    expect(types.at(-1)).toBe("ask.answered");
    expect(types.slice(0, -1)).toEqual(types.slice(0, -1).map(() => "ask.created"));
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  });

  it("that answers 410 is given up at once, listed, and can be retried", async () => {
    const receiver = await openReceiver(withStatus(410));
    const results: string[] = [];
    const open = await openDelivery({
      webhooks: [{ url: receiver.url, events: ["ask.created"] }],
      onResult: (kind, result) => results.push(`${kind} ${result}`),
    });
    const ask = await open.hub.post({ questions: [question] });
    const [dead] = await open.passUntil(async () => {
      const found = await listed(open);
      return found[0]?.state === "dead" && found;
    });
    expect(dead).toMatchObject({ attempts: 1, lastError: "HTTP 410: the receiver is gone" });
    expect(receiver.received).toHaveLength(1);
    expect(results).toEqual(["webhook dead"]);
    expect(await open.deliveries.ofAsk(ask.id)).toHaveLength(1);

    receiver.respond = withStatus(200);
    if (dead === undefined) throw new Error("unreachable");
    expect(await retryDelivery(open.store.records, dead)).toBe(true);
    await open.passUntil(() => receiver.received.length === 2, 1_000);
    await open.passUntil(async () => (await listed(open)).length === 0);
    expect(await retryDelivery(open.store.records, dead)).toBe(false);
  });

  it("keeps its pauses and signs the true time when the wall clock jumps", async () => {
    const receiver = await openReceiver(withStatus(500));
    const open = await openDelivery({ webhooks: [{ url: receiver.url, events: ["ask.created"] }] });
    await open.hub.post({ questions: [question] });
    await open.passUntil(() => receiver.received.length === 1);
    open.clock.jumpWall(-10 * DAY);
    await open.passUntil(() => receiver.received.length === 3, 100);
    const stamp = Number(receiver.received[2]?.headers["webhook-timestamp"]) * 1_000;
    expect(Math.abs(stamp - open.clock.now())).toBeLessThan(60_000);
    open.clock.jumpWall(30 * DAY);
    receiver.respond = withStatus(200);
    await open.passUntil(async () => (await listed(open)).length === 0, 100);
    expect(receiver.received.length).toBeLessThan(6);
  });

  it("does not hold up another receiver, or asking", async () => {
    const slow = await openReceiver(() => undefined);
    const fast = await openReceiver();
    const open = await openDelivery({ webhooks: [{ url: slow.url }, { url: fast.url }] });
    await Promise.all(Array.from({ length: 50 }, () => open.hub.post({ questions: [question] })));
    await open.passUntil(() => fast.received.length === 50);
    expect(slow.received.length).toBeLessThan(50);
  });
});
