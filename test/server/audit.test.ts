import { afterEach, describe, expect, it } from "vitest";
import { readEvents } from "./event-reader.ts";
import { openRaw } from "./gateway/raw-socket.ts";
import {
  call,
  closeServers,
  type OpenServer,
  openServer,
  posted,
  refusal,
  until,
  yes,
} from "./open-server.ts";

afterEach(closeServers);

interface Entry {
  readonly at: number;
  readonly type: string;
  readonly by?: { readonly id: string; readonly surface: string };
}

async function auditOf(open: OpenServer, token: string, id: string): Promise<readonly Entry[]> {
  const { body } = await call(open, token, `GET /v1/asks/${id}/audit`);
  return (body as { readonly audit: readonly Entry[] }).audit;
}

/** `shown ana page`, a line for each. */
function lines(audit: readonly Entry[]): readonly string[] {
  return audit.map(({ type, by }) => [type, by?.id, by?.surface].filter(Boolean).join(" "));
}

/** Lets what was shown be written down. */
async function aMoment({ clock }: OpenServer): Promise<void> {
  await clock.advance(2_000);
}

describe("the audit of an ask", () => {
  it("tells who was shown it, who opened it and who ended it, when and where", async () => {
    const open = await openServer();
    const agent = await open.token();
    const person = await open.token({ role: "person" });
    const ask = await posted(open, agent);
    await open.clock.advance(1_000);
    await call(open, person, "GET /v1/asks", undefined, { "askline-surface": "phone" });
    await open.clock.advance(3_000);
    await call(open, person, `POST /v1/asks/${ask.id}/opened`, undefined, { "askline-surface": "phone" });
    await open.clock.advance(1_000);
    await call(open, person, `POST /v1/asks/${ask.id}/answer`, yes, { "askline-surface": "tablet" });
    const audit = await auditOf(open, agent, ask.id);
    expect(lines(audit)).toEqual([
      "ask.created",
      "ask.shown ana phone",
      "ask.opened ana phone",
      "ask.answered ana tablet",
    ]);
    expect(audit.map(({ at }) => at - ask.createdAt)).toEqual([0, 1_000, 4_000, 5_000]);
  });

  it("is for those who may see the ask", async () => {
    const open = await openServer();
    const ask = await posted(open, await open.token(), { recipients: ["ana"] });
    const of = async (token: string): Promise<string> =>
      refusal(await call(open, token, `GET /v1/asks/${ask.id}/audit`));
    expect(await of(await open.token({ role: "person" }))).toBe("200 no error");
    expect(await of(await open.token({ role: "admin" }))).toBe("200 no error");
    expect(await of(await open.token({ role: "person", name: "bo" }))).toBe("404 not_found");
    expect(await of(await open.token({ name: "another" }))).toBe("404 not_found");
    expect(await of("nobody")).toBe("401 unauthorized");
    const { link } = await open.auth.createLink({ askId: ask.id, person: "ana", expiresIn: 60_000 });
    expect(await of(link)).toBe("403 forbidden");
  });

  it.each<readonly [string, string, (open: OpenServer, person: string, id: string) => Promise<unknown>]>([
    ["a list", "api", (open, person) => call(open, person, "GET /v1/asks")],
    ["the ask itself", "api", (open, person, id) => call(open, person, `GET /v1/asks/${id}`)],
    [
      "a stream of events",
      "api",
      async (open, person) => (await readEvents(open, person, "?after=0")).count(1),
    ],
    ["a device", "gateway", async (open, person) => (await openRaw(open, { token: person })).next()],
  ])("holds that %s showed it, once", async (_name, surface, show) => {
    const open = await openServer();
    const person = await open.token({ role: "person" });
    const ask = await posted(open, await open.token());
    await show(open, person, ask.id);
    await show(open, person, ask.id);
    await aMoment(open);
    const shown = await until(async () => {
      const found = lines(await auditOf(open, person, ask.id)).filter((line) => line.startsWith("ask.shown"));
      return found.length === 0 ? undefined : found;
    });
    expect(shown).toEqual([`ask.shown ana ${surface}`]);
  });

  it("says nothing of links, of agents and of what ended at once, and writes no event", async () => {
    const open = await openServer();
    const agent = await open.token();
    const person = await open.token({ role: "person" });
    const [linked, quick] = [await posted(open, agent), await posted(open, agent)];
    const { link } = await open.auth.createLink({ askId: linked.id, person: "ana", expiresIn: 60_000 });
    await call(open, link, `GET /v1/asks/${linked.id}`);
    await call(open, agent, "GET /v1/asks");
    await call(open, person, `GET /v1/asks/${quick.id}`);
    await open.hub.withdraw(quick.id);
    const before = await open.hub.position();
    await aMoment(open);
    await open.server.close();
    expect(await open.hub.showings(linked.id)).toEqual([]);
    expect(await open.hub.showings(quick.id)).toEqual([]);
    expect(await open.hub.position()).toBe(before);
  });

  it("keeps what was shown just before the server closed, and goes with its ask", async () => {
    const open = await openServer();
    const ask = await posted(open, await open.token());
    await call(open, await open.token({ role: "person" }), `GET /v1/asks/${ask.id}`);
    await open.server.close();
    expect(await open.hub.showings(ask.id)).toHaveLength(1);
    await open.hub.withdraw(ask.id);
    await open.clock.advance(1);
    await open.hub.prune({ settledBefore: open.clock.now() });
    expect(await open.hub.showings(ask.id)).toEqual([]);
  });
});

describe("what a server is", () => {
  it("is told to those with a token, with what the server takes them for", async () => {
    const open = await openServer({ version: "9.8.7" });
    expect((await call(open, await open.token(), "GET /v1/server")).body).toEqual({
      version: "9.8.7",
      caller: { role: "agent", name: "agent" },
    });
    expect(refusal(await call(open, undefined, "GET /v1/server"))).toBe("401 unauthorized");
  });
});
