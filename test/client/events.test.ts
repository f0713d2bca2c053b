import { describe, expect, it } from "vitest";
import type { Ask, AskEvent } from "../../src/index.js";
import { errorOf, openClient } from "./open-client.js";
import {
  askOf,
  delivered,
  error,
  json,
  lost,
  outcome,
  type Respond,
  scriptedServer,
  silent,
  sse,
  stream,
  text,
} from "./scripted-server.js";
import { watchedClock } from "./watched-clock.js";

/** The first events, or asks, of a stream. */
async function take<T>(items: AsyncIterable<T>, count: number): Promise<readonly T[]> {
  const taken: T[] = [];
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}

const positions = (events: readonly AskEvent[]): readonly number[] => events.map(({ position }) => position);
const list = (position: number, asks: readonly Ask[] = [], next?: string): Respond =>
  json(200, { asks, ...(next !== undefined && { next }) }, { "askline-position": String(position) });

describe("events", () => {
  it("resume where a stream broke, without gaps or repeats", async () => {
    const server = await scriptedServer(
      stream([sse(5), sse(6)], "destroy"),
      stream([sse(6), sse(7)], "end"),
      lost,
      text(502, "<html>"),
      stream([sse(8)]),
    );
    const { client } = openClient({ url: server.url });
    expect(positions(await take(client.events({ after: 4 }), 4))).toEqual([5, 6, 7, 8]);
    expect(server.seen.map(({ headers }) => headers["last-event-id"])).toEqual(["4", "6", "7", "7", "7"]);
    expect(server.seen[0]).toMatchObject({ method: "GET", path: "/v1/events" });
  });

  it("from now on miss nothing, even if the first stream breaks before its first event", async () => {
    const server = await scriptedServer(list(41), stream([], "end"), stream([sse(42)]));
    const { client } = openClient({ url: server.url });
    expect(positions(await take(client.events(), 1))).toEqual([42]);
    expect(server.seen.map(({ path }) => path)).toEqual(["/v1/asks", "/v1/events", "/v1/events"]);
    expect(server.seen[2]?.headers["last-event-id"]).toBe("41");
  });

  it("are complete however the bytes are split, even if an id comes before its event", async () => {
    const whole = Buffer.from(sse(1, { ask: askOf({ context: "Größe: 🙂" }) }) + sse(2));
    const server = await scriptedServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const next = (index: number): void => {
        if (index < whole.length)
          response.write(whole.subarray(index, index + 1), () => setImmediate(next, index + 1));
      };
      next(0);
    });
    const { client } = openClient({ url: server.url });
    const [first, second] = await take(client.events({ after: 0 }), 2);
    expect(first?.ask?.context).toBe("Größe: 🙂");
    expect(second?.position).toBe(2);
  });

  it("are filtered by the server, and by the client where the server cannot", async () => {
    const mine = askOf({ asker: "me", recipients: ["ana"] });
    const server = await scriptedServer(
      stream([
        sse(1, { ask: askOf({ asker: "you" }) }),
        sse(2, { ask: askOf({ asker: "me", recipients: ["ben"] }) }),
        sse(3, { ask: mine }),
      ]),
    );
    const { client } = openClient({ url: server.url });
    const filter = { session: "s 1&", agentId: "a1", status: "pending", asker: "me", person: "ana" } as const;
    expect(positions(await take(client.events({ after: 0, filter }), 1))).toEqual([3]);
    expect(Object.fromEntries(server.seen[0]?.query ?? [])).toEqual({
      session: "s 1&",
      agent: "a1",
      status: "pending",
    });
  });

  it("take a position that comes without an event, so that a quiet stream does not fall behind", async () => {
    const server = await scriptedServer(stream(["id: 90\n\n"], "end"), stream([sse(91)]));
    const { client } = openClient({ url: server.url });
    expect(positions(await take(client.events({ after: 4 }), 1))).toEqual([91]);
    expect(server.seen[1]?.headers["last-event-id"]).toBe("90");
  });

  it("ignore comments, hints and blocks of other kinds", async () => {
    const noise = [": hello\n\n", "retry: 10\n\n", "event: draft.saved\ndata: not json\n\n", "data: 7\n\n"];
    const server = await scriptedServer(stream([...noise, sse(1)]));
    const { client } = openClient({ url: server.url });
    expect(positions(await take(client.events({ after: 0 }), 1))).toEqual([1]);
  });

  it("of a trimmed position are a typed error, also later on", async () => {
    const server = await scriptedServer(stream([sse(5)], "end"), error(410, "position_trimmed"));
    const { client } = openClient({ url: server.url });
    expect((await errorOf(take(client.events({ after: 4 }), 2))).code).toBe("position_trimmed");
  });

  it.each([
    ["garbage instead of an event", stream(["event: ask.created\ndata: {{{\n\n"])],
    ["an event without a position", stream(['event: ask.created\ndata: {"at":1}\n\n'])],
    ["an ask that is none", stream([sse(1, { ask: {} as Ask })])],
    ["a page", text(200, "<html>Welcome</html>")],
  ])("that are %s end after a few tries", async (_what, respond) => {
    const server = await scriptedServer(respond);
    const { client } = openClient({ url: server.url });
    const failed = await errorOf(take(client.events({ after: 0 }), 1));
    expect(failed).toMatchObject({ code: "unreachable", message: /sent an invalid response/ });
    expect(server.seen).toHaveLength(4);
  });

  it("that never end a line do not exhaust memory", async () => {
    const flood: Respond = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const megabyte = Buffer.alloc(1_048_576, 120);
      const write = (): void => void response.write(megabyte, (failed) => (failed ? undefined : write()));
      write();
    };
    const server = await scriptedServer(flood);
    const { client } = openClient({ url: server.url });
    expect((await errorOf(take(client.events({ after: 0 }), 1))).message).toMatch(/longer than 16777216/);
  });

  it("of a server that falls silent are read from a new connection", async () => {
    const clock = watchedClock();
    const server = await scriptedServer(silent, stream([sse(1)]), stream([sse(2)]));
    const { client } = openClient({ url: server.url, clock });
    const events = client.events({ after: 0 })[Symbol.asyncIterator]();
    const first = events.next();
    await server.request(1);
    await clock.advance(45_000);
    await clock.set(125);
    await clock.advance(125);
    expect((await first).value.position).toBe(1);
    const timers = clock.timers;
    const second = events.next();
    await clock.scheduled(timers + 1);
    await clock.advance(44_999);
    expect(server.seen).toHaveLength(2);
    await clock.advance(1);
    await clock.set(125, 2);
    await clock.advance(125);
    expect((await second).value.position).toBe(2);
  });

  it("do not back off further behind a proxy that cuts silent streams", async () => {
    const clock = watchedClock();
    let open: Parameters<Respond>[0] | undefined;
    const server = await scriptedServer((response, seen) => {
      open = response;
      stream([": alive\n\n"])(response, seen);
    });
    const { client } = openClient({ url: server.url, clock });
    const next = client.events({ after: 0 })[Symbol.asyncIterator]().next();
    for (const cuts of [1, 2, 3]) {
      // The response, its comment, and the wait for what comes after it.
      await clock.set(45_000, 3 * cuts);
      await clock.advance(5_000);
      open?.destroy();
      await clock.set(125, cuts);
      await clock.advance(125);
    }
    await server.request(4);
    await client.close();
    expect((await errorOf(next)).code).toBe("closed");
  });

  it("restart the backoff after a stream that was good for a while", async () => {
    const clock = watchedClock();
    let quiet: Parameters<Respond>[0] | undefined;
    const server = await scriptedServer(
      lost,
      lost,
      (response, seen) => {
        quiet = response;
        stream([": hello\n\n"])(response, seen);
      },
      stream([sse(1)]),
    );
    const { client } = openClient({ url: server.url, clock });
    const taken = take(client.events({ after: 0 }), 1);
    await clock.set(125);
    await clock.advance(125);
    await clock.set(250);
    await clock.advance(250);
    // Three connections, and a second read of the third: its first chunk is in.
    await clock.set(45_000, 5);
    await clock.advance(5_000);
    quiet?.end(": bye\n\n");
    await clock.set(125, 2);
    await clock.advance(125);
    expect(positions(await taken)).toEqual([1]);
  });

  it("end when the reader aborts, at whatever step", async () => {
    const server = await scriptedServer(stream([sse(1)]));
    const { client } = openClient({ url: server.url });
    const controller = new AbortController();
    const events = client.events({ after: 0, signal: controller.signal })[Symbol.asyncIterator]();
    expect((await events.next()).value.position).toBe(1);
    const next = events.next();
    controller.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    const late = client.events({ signal: AbortSignal.abort() })[Symbol.asyncIterator]();
    expect(await late.next()).toEqual({ done: true, value: undefined });
  });

  it("are rejected when the client closes", async () => {
    const server = await scriptedServer(stream([sse(1)]));
    const { client } = openClient({ url: server.url });
    const events = client.events({ after: 0 })[Symbol.asyncIterator]();
    await events.next();
    const next = events.next();
    await client.close();
    expect((await errorOf(next)).code).toBe("closed");
  });

  it("leave no connection behind when the reader stops", async () => {
    let hungUp: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      hungUp = resolve;
    });
    const server = await scriptedServer((response, seen) => {
      response.on("close", hungUp);
      stream([sse(1)])(response, seen);
    });
    const clock = watchedClock();
    const { client } = openClient({ url: server.url, clock });
    await take(client.events({ after: 0 }), 1);
    await closed;
    expect(clock.timers).toBe(0);
  });
});

describe("watching", () => {
  it("gives the pending asks of every page, then each change from the first page's position on", async () => {
    const [one, two] = [askOf({ id: "ask_1" }), askOf({ id: "ask_2" })];
    const ended = askOf({ id: "ask_1", outcome });
    const server = await scriptedServer(
      list(10, [one], "c1"),
      list(12, [two]),
      stream([sse(11, { type: "ask.answered", ask: ended })]),
    );
    const { client } = openClient({ url: server.url });
    expect(await take(client.watch({ session: "s1", status: "answered" }), 3)).toEqual([
      one,
      two,
      askOf({ id: "ask_1", outcome: delivered }),
    ]);
    const [first, second, events] = server.seen;
    expect(Object.fromEntries(first?.query ?? [])).toEqual({
      status: "pending",
      session: "s1",
      limit: "200",
    });
    expect(second?.query.get("after")).toBe("c1");
    expect(events?.headers["last-event-id"]).toBe("10");
    expect(Object.fromEntries(events?.query ?? [])).toEqual({ session: "s1" });
  });

  it("fails if the list has no position, rather than miss an event", async () => {
    const server = await scriptedServer(json(200, { asks: [] }));
    const { client } = openClient({ url: server.url });
    expect((await errorOf(take(client.watch(), 1))).message).toMatch(/has no position/);
  });

  it("ends when the watcher aborts", async () => {
    const server = await scriptedServer(silent);
    const { client } = openClient({ url: server.url });
    const controller = new AbortController();
    const watched = take(client.watch({}, { signal: controller.signal }), 1);
    await server.request(1);
    controller.abort();
    expect(await watched).toEqual([]);
  });
});
