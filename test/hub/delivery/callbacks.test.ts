import { createSocket } from "node:dgram";
import { Webhook as Verifier } from "standardwebhooks";
import { afterEach, describe, expect, it } from "vitest";
import { callbackChannel } from "../../../src/hub/delivery/callbacks.ts";
import { isPrivate, resolveUntrusted, untrustedResolver } from "../../../src/hub/delivery/http/addresses.ts";
import { signingSecret } from "../../../src/hub/delivery/http/signing.ts";
import { entryKey, listDeliveries } from "../../../src/hub/delivery/outbox/entry.ts";
import { EVENT_LOG } from "../../../src/hub/index.ts";
import { AsklineError } from "../../../src/index.ts";
import { ana, codeOf, openHub, question, yes } from "../open-hub.ts";
import { closeDeliveries, type OpenDelivery, openDelivery } from "./open-delivery.ts";
import { closeReceivers, openReceiver, withStatus } from "./receiver.ts";

afterEach(async () => {
  await closeDeliveries();
  await closeReceivers();
});

const ENTRY = { type: "ask.answered", position: 1, at: 0, attempts: 0 };
const SECRET = "s3cret-7f3a";
const listed = ({ store }: OpenDelivery): ReturnType<typeof listDeliveries> =>
  listDeliveries(store.records, { limit: 100 });

describe("a callback", () => {
  it("gets the outcome, with its headers, signed with the secret of its asker", async () => {
    const receiver = await openReceiver();
    const open = await openDelivery();
    open.clock.jumpWall(Date.now() - open.clock.now());
    const callback = {
      url: `${receiver.url}/wait/${SECRET}`,
      headers: { authorization: `Bearer ${SECRET}` },
    };
    const ask = await open.hub.post(
      { questions: [question], session: "s1", key: "k1", callback },
      { asker: "builder" },
    );
    await open.hub.answer(ask.id, yes, ana);
    const [request] = await open.passUntil(() => receiver.received.length > 0 && receiver.received);
    if (request === undefined) throw new Error("unreachable");
    expect(request).toMatchObject({ method: "POST", path: `/wait/${SECRET}` });
    expect(request.headers.authorization).toBe(`Bearer ${SECRET}`);
    const verifier = new Verifier(await signingSecret(open.store.records, { asker: "builder" }));
    expect(verifier.verify(request.body, { ...request.headers })).toMatchObject({
      type: "ask.answered",
      data: { askId: ask.id, session: "s1", key: "k1", status: "answered", outcome: { kind: "answered" } },
    });
    const other = new Verifier(await signingSecret(open.store.records, { asker: "other" }));
    expect(() => other.verify(request.body, { ...request.headers })).toThrow();
    await open.passUntil(async () => (await listed(open)).length === 0);
    expect(receiver.received).toHaveLength(1);
  });

  it("is in no list, event, audit, log or error, also when it fails", async () => {
    const receiver = await openReceiver(withStatus(500));
    const open = await openDelivery();
    const callback = { url: `${receiver.url}/${SECRET}`, headers: { "x-key": SECRET } };
    const ask = await open.hub.post({ questions: [question], callback });
    await open.hub.answer(ask.id, yes, ana);
    const failing = await open.passUntil(async () => {
      const found = await listed(open);
      return found.some(({ attempts }) => attempts > 0) && found;
    });
    const seen = JSON.stringify([
      ask,
      await open.hub.list(),
      await open.hub.audit(ask.id),
      await open.store.logs.read(EVENT_LOG, { after: 0, limit: 100 }),
      failing,
      open.logged,
    ]);
    expect(open.logged.length).toBeGreaterThan(0);
    expect(seen).not.toContain(SECRET);
    expect(seen).not.toContain(String(receiver.port));
  });

  it("is not part of a key's content: the last one given is called", async () => {
    const receiver = await openReceiver();
    const open = await openDelivery();
    const request = { questions: [question], session: "s1", key: "k1" };
    const first = await open.hub.post({ ...request, callback: { url: `${receiver.url}/first` } });
    const second = await open.hub.post({ ...request, callback: { url: `${receiver.url}/second` } });
    expect(second.id).toBe(first.id);
    expect((await open.hub.post(request)).id).toBe(first.id);
    await open.hub.answer(first.id, yes, ana);
    await open.passUntil(() => receiver.received.length > 0);
    await open.passUntil(async () => (await listed(open)).length === 0);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/second"]);
  });

  it("delivers an outcome of a megabyte", async () => {
    const receiver = await openReceiver();
    const open = await openDelivery();
    const questions = Array.from({ length: 20 }, (_, index) => ({ question: `Question ${index}?` }));
    const ask = await open.hub.post({ questions, callback: { url: receiver.url } });
    const text = "ờ".repeat(32_768);
    const note = "n".repeat(8_000);
    const answers = questions.map((_, index) => ({ question: `q${index + 1}`, text, note }));
    await open.hub.answer(ask.id, { answers, note }, ana);
    const [request] = await open.passUntil(() => receiver.received.length > 0 && receiver.received);
    expect(Buffer.byteLength(request?.body ?? "")).toBeGreaterThan(1_048_576);
    const { data } = JSON.parse(request?.body ?? "") as {
      data: { outcome: { answers: { text: string }[] } };
    };
    expect(data.outcome.answers.every((answer) => answer.text === text)).toBe(true);
    expect(data.outcome.answers).toHaveLength(20);
  });

  it.each([
    "http://127.0.0.1:9999/x",
    "https://127.1/x",
    "https://localhost/x",
    "https://[::1]/x",
    "https://[::ffff:10.0.0.1]/x",
    "https://10.1.2.3/x",
    "https://169.254.169.254/latest",
    "https://0x7f000001/x",
    "https://printer.local/x",
    "http://example.com/x",
  ])("to %s is refused at once, without repeating it", async (url) => {
    const open = await openDelivery({ callbacks: {} });
    const error = await open.hub
      .post({ questions: [question], callback: { url } })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AsklineError);
    expect(error).toMatchObject({ code: "invalid_ask", issues: [{ path: ["callback", "url"] }] });
    expect(String(error)).not.toContain(url);
    expect((await open.hub.list()).asks).toEqual([]);
  });

  it("of one agent does not wait for the failing callbacks of another at the same host", async () => {
    const { hub, store, clock } = await openDelivery();
    const { receiver } = callbackChannel({ hub, store, clock, timeoutMs: 500 }, { allowPrivate: true });
    const receiverOf = async (asker: string, path: string) => {
      const callback = { url: `http://127.0.0.1:1/${path}` };
      const ask = await hub.post({ questions: [question], callback }, { asker });
      return receiver?.({ ...{ lane: "callbacks", key: entryKey(ask, 1), askId: ask.id }, ...ENTRY });
    };
    const builder = await receiverOf("builder", "a");
    expect(await receiverOf("builder", "b")).toBe(builder);
    expect(await receiverOf("another", "a")).not.toBe(builder);
  });

  it("to a name that resolves to a private address is given up without a call", async () => {
    const receiver = await openReceiver();
    const open = await openDelivery({
      callbacks: { resolve: async () => [{ address: "127.0.0.1", family: 4 }] },
    });
    const url = `https://hooks.example.com:${receiver.port}/x`;
    const ask = await open.hub.post({ questions: [question], callback: { url } });
    await open.hub.answer(ask.id, yes, ana);
    const [dead] = await open.passUntil(async () => {
      const found = await listed(open);
      return found[0]?.state === "dead" && found;
    });
    expect(dead?.lastError).toMatch(/private address/);
    expect(receiver.received).toEqual([]);
  });

  it("calls the address that was checked, although the name changes it afterwards", async () => {
    const receiver = await openReceiver();
    const asked: string[] = [];
    const open = await openDelivery({
      callbacks: {
        allowPrivate: true,
        // The first answer is ours; any later one leads elsewhere.
        resolve: async (host) => {
          asked.push(host);
          return [{ address: asked.length === 1 ? "127.0.0.1" : "192.0.2.1", family: 4 }];
        },
      },
    });
    const url = `http://hooks.example.com:${receiver.port}/x`;
    const ask = await open.hub.post({ questions: [question], callback: { url } });
    await open.hub.answer(ask.id, yes, ana);
    const [request] = await open.passUntil(() => receiver.received.length > 0 && receiver.received);
    expect(request?.headers.host).toBe(`hooks.example.com:${receiver.port}`);
    expect(asked).toEqual(["hooks.example.com"]);
  });

  it("to a name whose servers are silent fails within the time of a request", async () => {
    const open = await openDelivery({
      timeoutMs: 50,
      callbacks: { allowPrivate: true, resolve: () => new Promise(() => undefined) },
    });
    const ask = await open.hub.post({ questions: [question], callback: { url: "http://silent.example/" } });
    await open.hub.answer(ask.id, yes, ana);
    const [failing] = await open.passUntil(async () => {
      const found = await listed(open);
      return found[0]?.state === "failing" && found;
    }, 1);
    expect(failing?.lastError).toBe("its name was not resolved in time");
  });

  it("to local names whose servers are silent took every thread of the system's resolver", async () => {
    const silent = createSocket("udp4");
    await new Promise<void>((resolve) => silent.bind(0, "127.0.0.1", resolve));
    let bySystem = 0;
    const resolve = untrustedResolver({
      system: () => {
        bySystem += 1;
        return new Promise(() => undefined);
      },
      servers: [`127.0.0.1:${silent.address().port}`],
      timeoutMs: 50,
    });
    const names = Array.from({ length: 8 }, (_, index) => [`a${index}.internal`, `b${index}`]).flat();
    const found = await Promise.allSettled(names.map(resolve));
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    expect(bySystem).toBe(0);
    await new Promise<void>((resolve) => silent.close(resolve));

    // These are not in DNS: only the system can find them.
    for (let index = 0; index < 8; index += 1) resolve(`a${index % 2}.local`).catch(() => undefined);
    await expect(resolve("other.local")).rejects.toMatchObject({ code: "EAI_AGAIN" });
    expect(bySystem).toBe(2);
  });

  it("to a name in the hosts file of the machine is resolved by the system", async () => {
    expect(await resolveUntrusted("localhost")).toContainEqual({ address: "127.0.0.1", family: 4 });
  });

  it("with headers of the server, or of several lines, is refused", async () => {
    const open = await openDelivery();
    for (const headers of [
      { host: "x" },
      { "webhook-id": "1" },
      { a: "b\r\nc: d" },
      { a: 1 },
      { "a b": "c" },
    ]) {
      const asked = open.hub.post({
        questions: [question],
        callback: { url: "https://example.com", headers },
      });
      expect(await codeOf(asked)).toBe("invalid_ask");
    }
    for (const url of ["ftp://example.com", "nothing", "https://user:pass@example.com"]) {
      expect(await codeOf(open.hub.post({ questions: [question], callback: { url } }))).toBe("invalid_ask");
    }
  });

  it("is refused by a hub that delivers nothing", async () => {
    const { hub } = await openHub();
    const asked = hub.post({ questions: [question], callback: { url: "https://example.com" } });
    expect(await codeOf(asked)).toBe("unsupported");
    await hub.close();
  });
});

describe("private addresses", () => {
  it.each([
    "127.0.0.1",
    "10.0.0.1",
    "172.31.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "::1",
    "fe80::1",
    "fd00::1",
    "::ffff:192.168.0.1",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
  ])("%s is one", (address) => expect(isPrivate(address)).toBe(true));
  it.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700::1111"])("%s is not", (address) =>
    expect(isPrivate(address)).toBe(false),
  );
});
