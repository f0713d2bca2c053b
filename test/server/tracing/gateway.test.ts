import { afterEach, expect, it, onTestFinished } from "vitest";
import { createHub, memoryStore } from "../../../src/hub/index.ts";
import { loadTracing } from "../../../src/server/tracing/index.ts";
import { answerHook, openRaw, questionEvent, type RawSocket } from "../gateway/raw-socket.ts";
import { closeServers, openServer } from "../open-server.ts";
import { idOf, linksOf, registeredSdk, traceOf } from "./sdk.ts";

const sdk = registeredSdk();
afterEach(closeServers);

const MARK = "zq7private";
const DATABASE = {
  question: `Which ${MARK}?`,
  header: "DB",
  options: [
    { label: `Redis ${MARK}`, description: "fast" },
    { label: "SQLite", description: "small" },
  ],
  multiSelect: false,
};

async function opened(): Promise<{ readonly host: RawSocket; readonly device: RawSocket }> {
  const tracing = await loadTracing();
  const store = memoryStore();
  const hub = await createHub({ store, tracing });
  onTestFinished(() => hub.close());
  const open = await openServer({ hub, tracing, store });
  const host = await openRaw(open, { token: await open.token() });
  const device = await openRaw(open, { token: await open.token({ role: "person" }) });
  return { host, device };
}

const nothingPrivate = (): void => {
  const told = sdk
    .all()
    .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
  expect(JSON.stringify(told)).not.toContain(MARK);
};

it("gives a host's question a trace of its own, linked to the device's answer", async () => {
  const { host, device } = await opened();
  host.send(questionEvent(`q-${MARK}`, [DATABASE]));
  await device.next();
  device.send(answerHook(`q-${MARK}`, { [DATABASE.question]: "SQLite" }));
  expect((await device.next()).type).toBe("ack");
  expect((await host.next()).type).toBe("hook.ask_user_answer");
  // A span ends in the turn in which its message is done with; another message takes longer than that.
  await Promise.all([host.untilPong(), device.untilPong()]);
  const ask = sdk.only("askline.gateway.ask");
  const answer = sdk.only("askline.gateway.answer");
  const resume = sdk.only("askline.resume");
  expect(ask.parentSpanContext).toBeUndefined();
  expect(answer.parentSpanContext).toBeUndefined();
  expect([ask.kind, answer.kind]).toEqual([1, 1]);
  expect([ask.attributes, answer.attributes]).toEqual([
    { "askline.gateway.role": "host" },
    { "askline.gateway.role": "device" },
  ]);
  expect(sdk.only("askline.store.insert").parentSpanContext?.spanId).toBe(idOf(ask));
  expect(sdk.only("askline.store.settle").parentSpanContext?.spanId).toBe(idOf(answer));
  expect(traceOf(answer)).not.toBe(traceOf(ask));
  expect(linksOf(answer)).toEqual([traceOf(ask)]);
  expect(traceOf(resume)).toBe(traceOf(ask));
  expect(linksOf(resume)).toEqual([traceOf(answer)]);
  expect([ask.status.code, answer.status.code]).toEqual([0, 0]);
  nothingPrivate();
});

it("records the code of a refusal, never its message", async () => {
  const { host, device } = await opened();
  host.send(answerHook(MARK, {}));
  expect((await host.next()).type).toBe("error");
  device.send(answerHook(MARK, {}));
  expect((await device.next()).type).toBe("rejection");
  await Promise.all([host.untilPong(), device.untilPong()]);
  expect(sdk.named("askline.gateway.answer").map(({ status }) => status)).toEqual([
    { code: 2, message: "forbidden" },
    { code: 2, message: "not_found" },
  ]);
  nothingPrivate();
});

it("creates no span for pings, notices and malformed frames", async () => {
  const { host } = await opened();
  host.send({ type: "ack", payload: { questionId: "q-1" } });
  host.send("rubbish");
  await host.untilPong();
  expect(sdk.all().filter(({ name }) => name.startsWith("askline.gateway"))).toEqual([]);
});
