// A client that sends the frames of the public plugin, which knows nothing of Askline.

import { afterEach, describe, expect, it } from "vitest";
import type { LogFields } from "../../../src/core/index.js";
import { createMetrics } from "../../../src/metrics/index.js";
import { closeServers, openServer } from "../open-server.js";
import { DATABASE, type Envelope, openRaw, questionEvent } from "./raw-socket.js";

afterEach(closeServers);

function event(name: string, payload?: unknown): Envelope {
  return { type: "event", payload: { event: name, payload } };
}

/** What the plugin sends on the same socket before and between its questions. */
const CHAT: readonly Envelope[] = [
  { type: "health" },
  event("chat.presence", { status: "online" }),
  event("models.sync", { models: [] }),
  event("tool.start"),
  ...Array.from({ length: 30 }, (_, index) => event("chat.chunk", { text: `part ${index}` })),
  { type: "hook.nothing", payload: null },
];

describe("the chat of the plugin", () => {
  it("closed the connection before it could ask", async () => {
    const metrics = await createMetrics({ process: false });
    const events: (readonly [string, LogFields])[] = [];
    const logged: string[] = [];
    const server = await openServer({
      metrics,
      logger: {
        warn: (message) => void logged.push(message),
        error: (message) => void logged.push(message),
        event: (level, name, fields) => void events.push([`${level} ${name}`, fields]),
      },
    });
    const plugin = await openRaw(server, { token: await server.token() });
    for (const frame of CHAT) plugin.send(frame);
    plugin.send(questionEvent("q-1", [DATABASE]));
    expect(await plugin.untilPong()).toEqual([]);
    expect((await server.hub.list()).asks).toMatchObject([{ key: "q-1", status: "pending" }]);
    expect(events.filter(([name]) => name === "debug gateway message ignored")).toEqual([
      ["debug gateway message ignored", { role: "host", name: "agent", message: "health" }],
    ]);
    expect(logged).toEqual([]);
    const levels = { connections: server.server.open() as never };
    const { text } = await metrics.render(levels);
    expect(text).toContain(`askline_gateway_ignored_messages_total ${CHAT.length}`);
  });

  it("is limited as other messages are, without an error that the plugin did not ask for", async () => {
    const server = await openServer({ limits: { tokenRate: 1, tokenBurst: 5 } });
    const plugin = await openRaw(server, { token: await server.token() });
    for (const frame of CHAT) plugin.send(frame);
    plugin.send(questionEvent("q-1", [DATABASE]));
    expect(await plugin.next()).toMatchObject({ payload: { code: "rate_limited", questionId: "q-1" } });
  });
});
