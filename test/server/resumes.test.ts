import { afterEach, describe, expect, it } from "vitest";
import { connect } from "../../src/client/index.js";
import { ana, openHub, question, yes } from "../hub/open-hub.ts";
import { call, closeServers, openServer, posted, refusal } from "./open-server.ts";

afterEach(closeServers);

async function ended() {
  const { hub, clock } = await openHub();
  const { id } = await hub.post({ questions: [question] });
  await hub.answer(id, yes, ana);
  return { hub, clock, id };
}

describe("the lease to resume a run", () => {
  it("is not given while the ask is pending", async () => {
    const { hub } = await openHub();
    const { id } = await hub.post({ questions: [question] });
    expect(await hub.claimResume(id)).toBeUndefined();
  });

  it("is not used up by a done while the ask is pending", async () => {
    const open = await openServer();
    const token = await open.token();
    const { id } = await posted(open, token);
    const done = () => call(open, token, `POST /v1/asks/${id}/resume`, { holder: "x", end: "done" });
    expect(refusal(await done())).toBe("400 invalid_request");
    await open.hub.answer(id, yes, ana);
    const lease = await open.hub.claimResume(id, { holder: "y" });
    expect(lease).toBeDefined();
    expect((await done()).body).toEqual({ claimed: false });
    expect(await open.hub.finishResume(id)).toBe(true);
    expect(await lease?.renew()).toBeUndefined();
  });

  it("goes to one of many that claim it at once", async () => {
    const { hub, id } = await ended();
    const claims = await Promise.all(Array.from({ length: 20 }, () => hub.claimResume(id)));
    expect(claims.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it("goes to the next process when its holder dies, unless it was renewed", async () => {
    const { hub, clock, id } = await ended();
    const first = await hub.claimResume(id, { leaseMs: 10_000 });
    await clock.advance(9_000);
    expect((await first?.renew())?.expiresAt).toBe(clock.now() + 10_000);
    await clock.advance(9_000);
    expect(await hub.claimResume(id)).toBeUndefined();
    await clock.advance(1_000);
    const second = await hub.claimResume(id);
    expect(second).toBeDefined();
    expect([await first?.renew(), await first?.done()]).toEqual([undefined, false]);
    expect(await second?.done()).toBe(true);
  });

  it("is never given again once the run was resumed", async () => {
    const { hub, clock, id } = await ended();
    const lease = await hub.claimResume(id, { holder: "one" });
    expect([await lease?.done(), await lease?.done()]).toEqual([true, true]);
    await lease?.release();
    await clock.advance(120_000);
    expect(await hub.claimResume(id)).toBeUndefined();
    expect(await hub.claimResume(id, { holder: "one" })).toBeUndefined();
  });

  it("can be given back", async () => {
    const { hub, id } = await ended();
    await (await hub.claimResume(id))?.release();
    expect(await hub.claimResume(id)).toBeDefined();
  });

  it("works for two agent processes on one server", async () => {
    const open = await openServer();
    const token = await open.token();
    const [one, two] = [connect({ url: open.url, token }), connect({ url: open.url, token })];
    const { id } = await one.post({ questions: [question] });
    await open.hub.answer(id, yes, ana);
    const claims = await Promise.all([one.claimResume(id), two.claimResume(id)]);
    const [lease] = claims.filter((claim) => claim !== undefined);
    expect(claims.filter((claim) => claim === undefined)).toHaveLength(1);
    expect((await lease?.renew(120_000))?.expiresAt).toBe(open.clock.now() + 120_000);
    await lease?.release();
    const again = await two.claimResume(id);
    expect([await again?.done(), await one.claimResume(id)]).toEqual([true, undefined]);
    await Promise.all([one.close(), two.close()]);
  });

  it("is for the agent that asked, and refuses what it does not know", async () => {
    const open = await openServer();
    const agent = await open.token();
    const { id } = await posted(open, agent);
    const resume = (body: unknown, token = agent) => call(open, token, `POST /v1/asks/${id}/resume`, body);
    const other = await open.token({ name: "other" });
    expect(refusal(await resume({ holder: "x" }, other))).toBe("404 not_found");
    expect(refusal(await resume({ holder: "x" }, await open.token({ role: "person" })))).toBe(
      "403 forbidden",
    );
    for (const body of [
      {},
      { holder: "" },
      { holder: "x", leaseMs: 1 },
      { holder: "x", end: "no" },
      { own: 1 },
    ]) {
      expect(refusal(await resume(body))).toBe("400 invalid_request");
    }
  });
});
