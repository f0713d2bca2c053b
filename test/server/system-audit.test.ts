import { afterEach, describe, expect, it } from "vitest";
import { call, closeServers, type OpenServer, openServer, refusal } from "./open-server.ts";

afterEach(closeServers);

interface SystemEvent {
  readonly position: number;
  readonly at: number;
  readonly type: string;
  readonly subject?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

async function audit(open: OpenServer, admin: string, query = ""): Promise<readonly SystemEvent[]> {
  const { body } = await call(open, admin, `GET /v1/audit${query}`);
  return (body as unknown as { readonly audit: readonly SystemEvent[] }).audit;
}

describe("the audit of the system", () => {
  it("has tokens that were made and revoked, with who did it and without their secrets", async () => {
    const open = await openServer();
    const admin = await open.token({ role: "admin", name: "ops" });
    const { body } = await call(open, admin, "POST /v1/tokens", { role: "agent", name: "ci", owner: "ana" });
    const { token, info } = body as unknown as {
      readonly token: string;
      readonly info: { readonly id: string };
    };
    await call(open, admin, `DELETE /v1/tokens/${info.id}`);
    const events = (await audit(open, admin)).filter(({ subject }) => subject === info.id);
    expect(events).toEqual([
      {
        ...{ position: expect.any(Number), at: expect.any(Number), type: "token.created", subject: info.id },
        data: { role: "agent", name: "ci", owner: "ana", expiresAt: expect.any(Number), by: "ops" },
      },
      expect.objectContaining({
        type: "token.revoked",
        data: expect.objectContaining({ name: "ci", by: "ops" }),
      }),
    ]);
    expect(JSON.stringify(await audit(open, admin))).not.toContain(token.slice(20));
    expect(refusal(await call(open, token, "GET /v1/asks"))).toContain("401");
    expect(refusal(await call(open, admin, `DELETE /v1/tokens/${info.id}`))).toContain("404");
  });

  it("has sign-ins, sign-outs and people who were revoked", async () => {
    const open = await openServer();
    const admin = await open.token({ role: "admin", name: "ops" });
    const { code } = await open.auth.createInboxCode("ana");
    const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    const session = await open.auth.redeemInboxCode(code, agent);
    await open.auth.endCookie(session?.secret ?? "");
    await open.auth.revokePerson("ana", "ops");
    const events = await audit(open, admin);
    expect(events.map(({ type, subject, data }) => ({ type, subject, data })).slice(-3)).toEqual([
      {
        type: "person.signed_in",
        subject: "ana",
        data: { device: expect.any(String), browser: "Firefox on Linux" },
      },
      { type: "person.signed_out", subject: "ana", data: { device: expect.any(String) } },
      { type: "person.revoked", subject: "ana", data: { by: "ops" } },
    ]);
    expect(JSON.stringify(events)).not.toContain(session?.secret ?? "-");
    expect(JSON.stringify(events)).not.toContain(code);
  });

  it("has rules that were made and revoked, without the arguments", async () => {
    const open = await openServer();
    const [admin, builder, ana] = [
      await open.token({ role: "admin", name: "ops" }),
      await open.token({ name: "builder" }),
      await open.token({ role: "person" }),
    ];
    const { body } = await call(open, builder, "POST /v1/asks", {
      ...{ session: "s1", metadata: { project: "/shop" } },
      approval: { actions: [{ name: "Bash", args: { command: "deploy --key hunter2" } }] },
    });
    await call(open, ana, `POST /v1/asks/${body.ask?.id}/decide`, {
      decisions: [{ action: "a1", kind: "approve", remember: "always" }],
    });
    const [made] = (await audit(open, admin)).slice(-1);
    const data = { person: "ana", effect: "allow", agent: "builder", tool: "Bash", ask: body.ask?.id };
    expect(made).toMatchObject({ type: "rule.made", data });
    await call(open, admin, `DELETE /v1/rules/${made?.subject}`);
    expect((await audit(open, admin)).at(-1)).toMatchObject({
      ...{ type: "rule.revoked", subject: made?.subject, data: { ...data, by: "ops" } },
    });
    expect(JSON.stringify(await audit(open, admin))).not.toContain("hunter2");
  });

  it("is read page by page, by admins only", async () => {
    const open = await openServer();
    const admin = await open.token({ role: "admin", name: "ops" });
    for (const name of ["one", "two"]) await open.token({ name });
    const whole = await audit(open, admin);
    expect(whole.length).toBeGreaterThanOrEqual(3);
    const { body } = await call(open, admin, "GET /v1/audit?limit=2");
    expect(body).toEqual({ audit: whole.slice(0, 2), next: String(whole[1]?.position) });
    expect(await audit(open, admin, `?after=${whole[1]?.position}`)).toEqual(whole.slice(2));
    for (const role of ["agent", "person"] as const) {
      expect(refusal(await call(open, await open.token({ role }), "GET /v1/audit"))).toContain("403");
    }
  });
});
