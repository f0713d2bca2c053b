import { describe, expect, it, onTestFinished } from "vitest";
import { openSession, takeMessage } from "../../../src/agents/sessions/index.js";
import { createHub, type Hub, memoryStore } from "../../../src/hub/index.js";
import { fakeClock } from "../../../src/testing/index.js";
import { ana, codeOf } from "../../hub/open-hub.js";

const LIMIT = 50_000;
const TEXT = "x".repeat(1_000);

async function opened() {
  const [store, clock] = [memoryStore(), fakeClock()];
  const refused: string[] = [];
  const hub = await createHub({
    ...{ store, clock, limits: { storedBytes: LIMIT }, onQuotaRefused: (name) => void refused.push(name) },
  });
  onTestFinished(() => hub.close());
  return { hub, store, clock, refused };
}

/** Writes until it is refused, and returns how often it was not. */
async function fill(hub: Hub, asker: string, sessionId = `${asker}-1`): Promise<number> {
  const session = await openSession({ hub, sessionId, asker });
  for (let count = 0; count < 1_000; count += 1) {
    const code = await codeOf(session.text(TEXT));
    if (code === "quota_exceeded") return count;
    expect(code).toBe("no error");
  }
  return expect.unreachable();
}

describe("an agent that wrote 34 GB of transcripts in an hour", () => {
  it("reaches its storedBytes, in all of its sessions together, and for asks too", async () => {
    const { hub, refused } = await opened();
    const count = await fill(hub, "builder");
    expect(count).toBeGreaterThan(30);
    expect(count).toBeLessThan(50);
    expect(await fill(hub, "builder", "another")).toBe(0);
    expect(refused).toEqual(["storedBytes", "storedBytes"]);
    const ask = { questions: [{ question: TEXT, options: ["Yes", "No"] }] };
    expect(await codeOf(hub.post(ask, { asker: "builder" }))).toBe("quota_exceeded");
    expect(await codeOf(hub.post(ask, { asker: "other" }))).toBe("no error");
  });

  it("does not silence another agent, or the people in its own session", async () => {
    const { hub } = await opened();
    await fill(hub, "builder");
    expect(await codeOf(takeMessage(hub, "builder-1", { type: "message", text: TEXT }, ana))).toBe(
      "no error",
    );
    expect(await fill(hub, "other")).toBeGreaterThan(30);
  });

  it("has its room again once the transcripts are pruned, also in another process", async () => {
    const { hub, store, clock } = await opened();
    const count = await fill(hub, "builder");
    const second = await createHub({
      store: { ...store, open: async () => undefined },
      clock,
      limits: { storedBytes: LIMIT },
    });
    expect(await fill(second, "builder", "third")).toBeLessThan(5);
    await clock.advance(2_000);
    expect(await hub.prune({ settledBefore: clock.now() })).toMatchObject({ transcripts: 2 });
    await clock.advance(2_000);
    expect(await fill(hub, "builder")).toBeGreaterThan(count - 5);
  });
});
