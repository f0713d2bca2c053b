import { expect } from "vitest";
import type { Hub } from "../../../src/hub/index.ts";
import type { Answerer, Ask } from "../../../src/index.ts";
import type { Prompted, Read, RelayAgent } from "./relay-driver.ts";
import { ANA } from "./samples.ts";

/** Ana on another surface. */
const PHONE: Answerer = { kind: "person", id: "ana", surface: "phone" };

interface Watched extends Prompted {
  /** What the agent was sent so far. */
  sent(): Read;
}

export interface RelayScope {
  readonly agent: Omit<RelayAgent, "prompt"> & { prompt(target: string): Watched };
  readonly hub: Hub;
  readonly there: "decided" | "withdrawn";
  nextAsk(): Promise<Ask>;
  /** The server cannot be reached until the returned function is called. */
  breakServer(): Promise<() => Promise<void>>;
}

/** Ana allows or refuses it; an agent may ask that as a choice. */
function decide(hub: Hub, { id, approval, questions }: Ask, kind: "approve" | "reject", by = ANA) {
  if (approval !== undefined) return hub.decide(id, { decisions: [{ action: "a1", kind }] }, { by });
  const { id: question = "", options = [] } = questions[0] ?? {};
  const selected = [(kind === "approve" ? options[0] : options.at(-1))?.id ?? ""];
  return hub.answer(id, { answers: [{ question, selected }] }, { by });
}

async function counted(hub: Hub, count: number): Promise<void> {
  expect((await hub.list({})).asks).toHaveLength(count);
}

/** What every agent's relay promises. */
export const relayStories = {
  async "sends what was decided, once: the same prompt later is asked again"({ agent, hub, nextAsk }) {
    await agent.start();
    for (const [kind, read] of [
      ["approve", "yes"],
      ["reject", "no"],
    ] as const) {
      const prompted = agent.prompt("production");
      const ask = await nextAsk();
      expect(ask.outcome).toBeUndefined();
      await decide(hub, ask, kind);
      expect(await prompted.read).toBe(read);
    }
    await counted(hub, 2);
  },

  async "hands out nothing twice when the later of two equal prompts is answered first"({
    agent,
    hub,
    nextAsk,
  }) {
    await agent.start();
    const prompts = [agent.prompt("production"), agent.prompt("production")];
    const [first, second] = [await nextAsk(), await nextAsk()];
    await decide(hub, second, "approve");
    await Promise.race(prompts.map(({ read }) => read));
    await decide(hub, first, "reject");
    expect((await Promise.all(prompts.map(({ read }) => read))).sort()).toEqual(["no", "yes"]);
    agent.prompt("production");
    expect((await nextAsk()).outcome).toBeUndefined();
  },

  async "is found again after a restart, with what was decided meanwhile"({ agent, hub, nextAsk }) {
    const kill = await agent.start();
    const prompted = agent.prompt("production");
    const ask = await nextAsk();
    await kill();
    expect((await hub.get(ask.id)).status).toBe("pending");
    await decide(hub, ask, "approve");
    await agent.start();
    expect(await prompted.again()).toBe("yes");
    await counted(hub, 1);
  },

  async "takes the first of two answers here"({ agent, hub, nextAsk }) {
    await agent.start();
    const prompted = agent.prompt("production");
    const ask = await nextAsk();
    const attempts = await Promise.allSettled([
      decide(hub, ask, "approve"),
      decide(hub, ask, "reject", PHONE),
    ]);
    const won = attempts.findIndex(({ status }) => status === "fulfilled");
    expect(attempts[1 - won]).toMatchObject({ status: "rejected", reason: { code: "already_settled" } });
    expect(await prompted.read).toBe(won === 0 ? "yes" : "no");
  },

  async "takes the answer at the agent if that is first, and tells the loser"({
    agent,
    hub,
    nextAsk,
    there,
  }) {
    await agent.start();
    const prompted = agent.prompt("production");
    const ask = await nextAsk();
    await prompted.allowThere?.();
    expect(await hub.wait(ask.id)).toMatchObject(
      there === "decided" ? { kind: there, by: { id: "ana", via: expect.any(String) } } : { kind: there },
    );
    await expect(decide(hub, ask, "reject")).rejects.toMatchObject({ code: "already_settled" });
  },

  async "asks again, with the reason, when an answer does not fit"({ agent, hub, nextAsk }) {
    await agent.start();
    const prompted = agent.form?.();
    for (const [text, problem] of [
      ["many", undefined],
      ["12", "is not a whole number"],
      ["3", "must be at most 9"],
    ] as const) {
      const { id, context, questions } = await nextAsk();
      if (problem !== undefined) expect(context).toContain(problem);
      await hub.answer(id, { answers: [{ question: questions[0]?.id ?? "", text }] }, { by: ANA });
    }
    expect(await prompted?.read).toEqual({ rooms: 3 });
    await counted(hub, 3);
  },

  async "is withdrawn when the agent no longer waits"({ agent, hub, nextAsk }) {
    await agent.start();
    const prompted = agent.prompt("production");
    const ask = await nextAsk();
    await prompted.closeThere?.();
    expect(await hub.wait(ask.id)).toMatchObject({ kind: "withdrawn" });
    expect(prompted.sent()).not.toBe("yes");
  },

  async "withdraws what an earlier process left, if the agent went on meanwhile"({ agent, hub, nextAsk }) {
    const kill = await agent.start();
    const prompted = agent.prompt("production");
    const ask = await nextAsk();
    await kill();
    await prompted.goOn?.();
    await agent.start();
    await agent.afterRestart?.();
    expect(await hub.wait(ask.id)).toMatchObject({ kind: "withdrawn" });
  },

  async "goes on once when two processes resume it"({ agent, hub, nextAsk }) {
    await agent.start();
    const resume = await agent.park?.("production");
    await decide(hub, await nextAsk(), "approve");
    expect((await Promise.all([resume?.(), resume?.()])).sort()).toEqual([false, true]);
    expect(await resume?.()).toBe(false);
    await counted(hub, 1);
  },

  async "allows nothing in an outage of the server, and goes on with the same ask"({
    agent,
    hub,
    nextAsk,
    breakServer,
  }) {
    await agent.start();
    const prompted = agent.prompt("production");
    const ask = await nextAsk();
    const mend = await breakServer();
    expect(prompted.sent()).toBeUndefined();
    await mend();
    await decide(hub, ask, "approve");
    expect(await prompted.again()).toBe("yes");
    await counted(hub, 1);
  },
} satisfies Readonly<Record<string, (scope: RelayScope) => Promise<void>>>;
