import { afterEach, describe, expect, it } from "vitest";
import { memoryStore } from "../../src/hub/index.ts";
import { listSubscriptions } from "../../src/hub/records/push-subscriptions.ts";
import { notificationSettings } from "../../src/people/channels/settings.ts";
import { question } from "../hub/open-hub.ts";
import { closeServers, type OpenServer, openServer } from "./open-server.ts";

afterEach(closeServers);

const SUBSCRIPTION = {
  endpoint: "https://fcm.googleapis.com/fcm/send/abc",
  keys: {
    p256dh: Buffer.alloc(65, 4).toString("base64url"),
    auth: Buffer.alloc(16, 1).toString("base64url"),
  },
};

async function openWithPush(contact: string | undefined = "mailto:ops@example.com"): Promise<OpenServer> {
  const store = memoryStore();
  const push = contact === undefined ? undefined : { contact };
  return openServer({ store, notifications: notificationSettings(store, push) });
}

async function send(
  open: OpenServer,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const response = await fetch(`${open.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

describe("the push subscription of a device", () => {
  it("is stored with the choice of privacy, listed, and ended", async () => {
    const open = await openWithPush();
    const token = await open.token({ role: "person" });
    const put = await send(open, token, "PUT", "/v1/push", { subscription: SUBSCRIPTION, privacy: "title" });
    expect(put).toMatchObject({ status: 200, body: { privacy: "title", language: "en" } });
    const { body } = await send(open, token, "GET", "/v1/push");
    expect(body.publicKey).toMatch(/^[\w-]{87}$/);
    expect(body.devices).toEqual([put.body]);
    expect(JSON.stringify(body)).not.toContain("googleapis");
    expect(await send(open, token, "DELETE", `/v1/push?device=${String(put.body.device)}`)).toMatchObject({
      status: 204,
    });
    expect((await send(open, token, "GET", "/v1/push")).body.devices).toEqual([]);
  });

  it.each(["revoking the token", "revoking the person", "deleting without a device"])(
    "ends by %s",
    async (how) => {
      const open = await openWithPush();
      const { token, info } = await open.auth.createToken({ role: "person", name: "ana" });
      await send(open, token, "PUT", "/v1/push", { subscription: SUBSCRIPTION });
      expect(await listSubscriptions(open.store.records)).toHaveLength(1);
      if (how === "revoking the token") await open.auth.revokeToken(info.id);
      else if (how === "revoking the person") await open.auth.revokePerson("ana");
      else await send(open, token, "DELETE", "/v1/push");
      expect(await listSubscriptions(open.store.records)).toEqual([]);
    },
  );

  it("ends when its browser signs out, and belongs to who signed in last", async () => {
    const open = await openWithPush();
    const settings = notificationSettings(open.store, { contact: "mailto:ops@example.com" });
    const { code } = await open.auth.createInboxCode("ana");
    const session = await open.auth.redeemInboxCode(code);
    const principal = await open.auth.verifyCookie(session?.secret ?? "", session?.key ?? "");
    if (principal?.credential.kind !== "cookie") throw new Error("unreachable");
    const credential = { kind: "cookie", hash: principal.credential.hash } as const;
    const input = { subscription: SUBSCRIPTION };
    await settings.subscribe({ person: "ben", credential: { kind: "host" }, base: "" }, input);
    await settings.subscribe({ person: "ana", credential, base: "/i/key" }, input);
    expect((await listSubscriptions(open.store.records)).map(({ person }) => person)).toEqual(["ana"]);
    await open.auth.endCookie(session?.secret ?? "");
    expect(await listSubscriptions(open.store.records)).toEqual([]);
  });

  it("is refused for strangers' hosts, unknown fields, agents, and without a contact", async () => {
    const open = await openWithPush();
    const token = await open.token({ role: "person" });
    const strange = { ...SUBSCRIPTION, endpoint: "https://evil.example/x" };
    expect(await send(open, token, "PUT", "/v1/push", { subscription: strange })).toMatchObject({
      status: 400,
    });
    const more = { subscription: SUBSCRIPTION, sound: true };
    expect(await send(open, token, "PUT", "/v1/push", more)).toMatchObject({ status: 400 });
    expect(await send(open, await open.token(), "GET", "/v1/push")).toMatchObject({ status: 403 });
    const store = memoryStore();
    const without = await openServer({ store, notifications: notificationSettings(store, undefined) });
    const other = await without.token({ role: "person" });
    const refused = await send(without, other, "PUT", "/v1/push", { subscription: SUBSCRIPTION });
    expect(refused.status).toBe(501);
    expect(JSON.stringify(refused.body)).toContain("--push-contact");
  });
});

describe("a person's preferences", () => {
  it("keep quiet hours and privacy, and refuse what is neither", async () => {
    const open = await openWithPush();
    const token = await open.token({ role: "person" });
    const quietHours = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
    const put = await send(open, token, "PUT", "/v1/notifications", { quietHours, privacy: "minimal" });
    expect(put).toMatchObject({ status: 200, body: { quietHours, privacy: "minimal", language: "en" } });
    expect((await send(open, token, "PUT", "/v1/notifications", { quietHours: null })).body).toEqual({
      privacy: "minimal",
      language: "en",
    });
    for (const wrong of [
      { quietHours: { from: "25:00", to: "07:00" } },
      { quietHours: { from: "22:00", to: "07:00", timeZone: "Mars/Base" } },
      { privacy: "some" },
      { language: "!" },
    ]) {
      expect(await send(open, token, "PUT", "/v1/notifications", wrong)).toMatchObject({ status: 400 });
    }
    expect(await send(open, token, "PUT", "/v1/focus", { focused: true })).toMatchObject({ status: 204 });
    expect(await send(open, token, "PUT", "/v1/focus", { focused: "yes" })).toMatchObject({ status: 400 });
  });

  it("keep muted agents beside the other settings, each added and removed alone", async () => {
    const open = await openWithPush();
    const token = await open.token({ role: "person" });
    const put = (changes: object) => send(open, token, "PUT", "/v1/notifications", changes);
    const read = async () => (await send(open, token, "GET", "/v1/notifications")).body.muted;
    expect(await read()).toBeUndefined();
    const [builder, ofBen] = [{ asker: "builder" }, { asker: "builder", owner: "ben" }];
    await Promise.all([put({ mute: ofBen }), put({ mute: { asker: "planner" } }), put({ privacy: "title" })]);
    expect(await read()).toHaveLength(2);
    // The name alone stands for all of its owners.
    expect((await put({ mute: builder })).body).toMatchObject({
      privacy: "title",
      muted: [{ asker: "planner" }, builder],
    });
    await put({ unmute: ofBen });
    expect(await read()).toEqual([{ asker: "planner" }]);
    expect((await put({ unmute: { asker: "planner" } })).body).not.toHaveProperty("muted");
    for (const mute of ["builder", { asker: "" }, { asker: "x".repeat(300) }, { owner: "ben" }]) {
      expect(await put({ mute })).toMatchObject({ status: 400 });
    }
    const other = await open.token({ role: "person", name: "ben" });
    await put({ mute: builder });
    expect((await send(open, other, "GET", "/v1/notifications")).body).not.toHaveProperty("muted");
  });
});

describe("the button of a notification", () => {
  it("answers once, in the person's name, and a GET does nothing", async () => {
    const open = await openWithPush();
    const ask = await open.hub.post({ questions: [question] });
    const token = await open.auth.createAction({
      ...{ askId: ask.id, person: "ana", surface: "ntfy" },
      ending: { type: "answer", answers: [{ question: "q1", selected: ["o2"] }] },
    });
    const use = (method: string): Promise<Response> => fetch(`${open.url}/actions/${token}`, { method });
    expect((await use("GET")).status).toBe(405);
    expect((await open.hub.get(ask.id)).status).toBe("pending");
    expect((await use("POST")).status).toBe(200);
    expect((await open.hub.get(ask.id)).outcome).toMatchObject({
      ...{ kind: "answered", answers: [{ selected: ["o2"] }] },
      by: { kind: "person", id: "ana", surface: "ntfy" },
    });
    expect((await use("POST")).status).toBe(401);
  });

  it("says who was faster, and ends with its person", async () => {
    const open = await openWithPush();
    const [first, second] = [
      await open.hub.post({ questions: [question] }),
      await open.hub.post({ questions: [question] }),
    ];
    const create = (askId: string): Promise<string> =>
      open.auth.createAction({
        ...{ askId, person: "ana", surface: "push" },
        ending: { type: "answer", answers: [{ question: "q1", selected: ["o1"] }] },
      });
    const [late, revoked] = [await create(first.id), await create(second.id)];
    await open.hub.decline(first.id, "no", { by: { kind: "person", id: "ben", surface: "test" } });
    const lost = await fetch(`${open.url}/actions/${late}`, { method: "POST" });
    expect(lost.status).toBe(409);
    expect(await lost.json()).toMatchObject({ error: { outcome: { kind: "declined", by: { id: "ben" } } } });
    await open.auth.revokePerson("ana");
    expect((await fetch(`${open.url}/actions/${revoked}`, { method: "POST" })).status).toBe(401);
    expect((await open.hub.get(second.id)).status).toBe("pending");
  });
});
