import { describe, expect, it } from "vitest";
import { endOf } from "../../src/cli/serving/server-end.js";
import { openHub, question } from "../hub/open-hub.ts";

describe("a server in the background", () => {
  const watched = async () => {
    const { hub, clock, store } = await openHub();
    const server = { handled: 0, open: () => ({ requests: 0, streams: 0, sockets: 0 }) };
    const ending = endOf(store, new AbortController().signal);
    ending.stopWhenIdle(server as never, hub, 60_000, clock);
    return { hub, clock, server, ending };
  };

  it("ends after an idle while, counted from its last request", async () => {
    const { clock, server, ending } = await watched();
    await clock.advance(50_000);
    server.handled += 1;
    await clock.advance(60_000);
    expect(ending.signal.aborted).toBe(false);
    await clock.advance(60_000);
    expect([ending.signal.aborted, ending.fault]).toEqual([true, undefined]);
  });

  it("left the port of an open tab to anybody: it stays while a browser was seen in the last 24 hours", async () => {
    const { clock, server, ending } = await watched();
    Object.assign(server, { browserSeenAt: clock.monotonic() - 24 * 3_600_000 + 240_000 });
    await clock.advance(210_000);
    expect(ending.signal.aborted).toBe(false);
    await clock.advance(60_000);
    expect(ending.signal.aborted).toBe(true);
  });

  it("stays for a pending ask, a held request and an open stream", async () => {
    const { hub, clock, server, ending } = await watched();
    const { id } = await hub.post({ questions: [question] });
    await clock.advance(600_000);
    expect(ending.signal.aborted).toBe(false);
    server.open = () => ({ requests: 0, streams: 1, sockets: 0 });
    await hub.withdraw(id);
    await clock.advance(600_000);
    expect(ending.signal.aborted).toBe(false);
    server.open = () => ({ requests: 0, streams: 0, sockets: 0 });
    await clock.advance(120_000);
    expect(ending.signal.aborted).toBe(true);
  });
});
