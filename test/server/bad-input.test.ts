import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openSession } from "../../src/agents/sessions/index.js";
import {
  call,
  closeServers,
  type OpenServer,
  openServer,
  posted,
  question,
  refusal,
  yes,
} from "./open-server.ts";

afterEach(closeServers);

const ROUTES = [
  "POST /v1/asks",
  "GET /v1/asks",
  "GET /v1/asks/ask_1",
  "POST /v1/asks/ask_1/answer",
  "POST /v1/asks/ask_1/decide",
  "POST /v1/asks/ask_1/decline",
  "POST /v1/asks/ask_1/reply",
  "PUT /v1/asks/ask_1/draft",
  "GET /v1/asks/ask_1/draft",
  "POST /v1/asks/ask_1/opened",
  "POST /v1/asks/ask_1/withdraw",
  "POST /v1/asks/ask_1/links",
  "GET /v1/events",
  "GET /v1/tokens",
  "POST /v1/tokens",
  "DELETE /v1/tokens/0123456789ab",
];

/** What comes back over a socket for bytes that no proper client sends. */
function raw({ port }: OpenServer, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      received += chunk;
    });
    socket.on("close", () => resolve(received)).on("error", reject);
    socket.write(text);
  });
}

describe("without a credential that counts", () => {
  it.each(ROUTES)("%s is 401", async (line) => {
    const open = await openServer();
    const reply = await call(open, undefined, line);
    expect(refusal(reply)).toBe("401 unauthorized");
    expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer/);
  });

  it("says so for unknown, foreign, expired and revoked tokens, and for what is none", async () => {
    const open = await openServer();
    const other = await openServer();
    const { token, info } = await open.auth.createToken({ role: "agent", name: "builder" });
    expect((await call(open, token, "GET /v1/asks")).status).toBe(200);
    await open.auth.revokeToken(info.id);
    const expired = await open.token({ expiresIn: 1_000 });
    await open.clock.advance(1_000);
    const tokens = [
      token,
      expired,
      await other.token(),
      "askline_",
      `askline_${"0".repeat(12)}${"a".repeat(43)}`,
      `${expired}x`,
      "link_e30.abc",
    ];
    const refusals = await Promise.all(
      tokens.map(async (it) => refusal(await call(open, it, "GET /v1/asks"))),
    );
    expect(refusals).toEqual([...Array(6).fill("401 unauthorized"), "401 invalid_link"]);
    const basic = await call(open, undefined, "GET /v1/asks", undefined, { authorization: "Basic YTpi" });
    expect(refusal(basic)).toBe("401 unauthorized");
  });

  it("is healthy all the same", async () => {
    const open = await openServer();
    expect((await call(open, undefined, "GET /healthz")).status).toBe(200);
    expect((await call(open, undefined, "GET /readyz")).status).toBe(200);
    await open.hub.close();
    expect(refusal(await call(open, undefined, "GET /readyz"))).toBe("503 store_unavailable");
    expect((await call(open, undefined, "GET /healthz")).status).toBe(200);
  });
});

describe("with a credential of another role", () => {
  it.each(ROUTES.filter((line) => /answer|decide|decline|reply|draft|opened/.test(line)))(
    "an agent's %s is 403",
    async (line) => {
      const open = await openServer();
      const agent = await open.token();
      const { id } = await posted(open, agent);
      expect(refusal(await call(open, agent, line.replace("ask_1", id)))).toBe("403 forbidden");
    },
  );

  it("a person neither asks, nor takes back, nor makes links", async () => {
    const open = await openServer();
    const person = await open.token({ role: "person" });
    const { id } = await posted(open, await open.token());
    for (const line of ["POST /v1/asks", `POST /v1/asks/${id}/withdraw`, `POST /v1/asks/${id}/links`]) {
      expect(refusal(await call(open, person, line))).toBe("403 forbidden");
    }
  });

  it("an admin does all of it, under its own name", async () => {
    const open = await openServer();
    const admin = await open.token({ role: "admin", name: "root" });
    const { id } = await posted(open, await open.token(), { session: "s1" });
    expect((await call(open, admin, `GET /v1/asks/${id}`)).status).toBe(200);
    const answered = await call(open, admin, `POST /v1/asks/${id}/answer`, yes);
    expect(answered.body.ask?.outcome).toMatchObject({ by: { id: "root" } });
    const forAna = await posted(open, admin, { recipients: ["ana"] });
    expect(refusal(await call(open, admin, `POST /v1/asks/${forAna.id}/answer`, yes))).toBe("403 forbidden");
  });
});

describe("a request that cannot be taken", () => {
  const cases: readonly (readonly [string, string, unknown, Record<string, string>, string])[] = [
    ["malformed JSON", "POST /v1/asks", `{"questions":`, {}, "400 invalid_json"],
    ["bytes that are no UTF-8", "POST /v1/asks", Uint8Array.of(0x22, 0xff, 0x22), {}, "400 invalid_json"],
    [
      "a form",
      "POST /v1/asks",
      "a=b",
      { "content-type": "application/x-www-form-urlencoded" },
      "415 unsupported_media_type",
    ],
    ["text", "POST /v1/asks", "{}", { "content-type": "text/plain" }, "415 unsupported_media_type"],
    [
      "another charset",
      "POST /v1/asks",
      "{}",
      { "content-type": "application/json; charset=latin1" },
      "415 unsupported_media_type",
    ],
    ["no body", "POST /v1/asks", undefined, {}, "422 invalid_ask"],
    ["a list", "POST /v1/asks", [], {}, "422 invalid_ask"],
    ["10,000 questions", "POST /v1/asks", { questions: Array(10_000).fill(question) }, {}, "422 invalid_ask"],
    ["a broken wait", "POST /v1/asks?wait=soon", { questions: [question] }, {}, "400 invalid_request"],
    ["a long wait", "GET /v1/asks/ask_1?wait=61", undefined, {}, "400 invalid_request"],
    ["a negative wait", "GET /v1/asks/ask_1?wait=-1", undefined, {}, "400 invalid_request"],
    ["a broken cursor", "GET /v1/asks?after=x", undefined, {}, "400 invalid_request"],
    ["no limit", "GET /v1/asks?limit=0", undefined, {}, "400 invalid_request"],
    ["a large limit", "GET /v1/asks?limit=501", undefined, {}, "400 invalid_request"],
    ["an unknown status", "GET /v1/asks?status=done", undefined, {}, "400 invalid_request"],
    ["an unknown order", "GET /v1/asks?order=best", undefined, {}, "400 invalid_request"],
    ["a session with a NUL", "GET /v1/asks?session=%00", undefined, {}, "400 invalid_request"],
    ["a broken position", "GET /v1/events?after=-1", undefined, {}, "400 invalid_request"],
    ["an unknown route", "GET /v1/ask", undefined, {}, "404 not_found"],
    ["a route with a slash too many", "GET /v1/asks/", undefined, {}, "404 not_found"],
    ["an unknown ask", "GET /v1/asks/ask_1", undefined, {}, "404 not_found"],
    ["an id with a NUL", "GET /v1/asks/%00", undefined, {}, "404 not_found"],
    ["an id with a line break", "GET /v1/asks/a%0d%0aSet-Cookie:%20x=y", undefined, {}, "404 not_found"],
    ["a broken escape", "GET /v1/asks/%zz", undefined, {}, "404 not_found"],
  ];
  it.each(cases)("%s", async (_name, line, body, headers, expected) => {
    const open = await openServer();
    const reply = await call(open, await open.token(), line, body, headers);
    expect(refusal(reply)).toBe(expected);
    expect(reply.body.error?.message).toEqual(expect.any(String));
    expect(reply.headers.get("askline-request-id")).toMatch(/^[\w-]+$/);
    expect(reply.headers.get("set-cookie")).toBeNull();
    expect(open.logged).toEqual([]);
  });

  it("says which methods a route takes", async () => {
    const open = await openServer();
    for (const [line, allow] of [
      ["DELETE /v1/asks", "POST, GET, HEAD"],
      ["PATCH /v1/asks/ask_1/draft", "PUT, GET, HEAD"],
      ["GET /v1/asks/ask_1/answer", "POST"],
      ["POST /healthz", "GET, HEAD"],
    ] as const) {
      const reply = await call(open, undefined, line);
      expect([refusal(reply), reply.headers.get("allow")]).toEqual(["405 method_not_allowed", allow]);
    }
  });

  it("is refused when its body is too large, whether it says so or not", async () => {
    const open = await openServer();
    const agent = await open.token();
    const large = "x".repeat(2 * 1024 * 1024 + 1);
    expect(refusal(await call(open, agent, "POST /v1/asks", large))).toBe("413 too_large");
    const chunk = `${(65_536).toString(16)}\r\n${"x".repeat(65_536)}\r\n`;
    const received = await raw(
      open,
      `POST /v1/asks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${agent}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(33)}0\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1.1 413 .*"code":"too_large"/s);
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("x".repeat(65_536))),
    });
    const mounted = await open.server.fetch(
      new Request("http://localhost/v1/asks", {
        method: "POST",
        headers: { authorization: `Bearer ${agent}`, "content-type": "application/json" },
        body,
        duplex: "half",
      } as RequestInit),
    );
    expect(mounted.status).toBe(413);
  });

  it("gets an error of the same shape where it is hardly HTTP", async () => {
    const open = await openServer();
    const requests = [
      "GET /v1/asks HTTP/1.1\r\nHost: localhost\r\nX-Evil: a\rSet-Cookie: b\r\n\r\n",
      "GET /v1/asks HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
      "NONSENSE\r\n\r\n",
    ];
    for (const text of requests) {
      expect(await raw(open, text)).toMatch(/^HTTP\/1.1 400 .*\r\n\r\n\{"error":\{"code":"invalid_request"/s);
    }
    const large = `GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`;
    expect(await raw(open, large)).toMatch(/^HTTP\/1.1 413 .*"code":"too_large"/s);
  });

  it("is no upgrade to a path that takes none", async () => {
    const open = await openServer();
    const received = await raw(
      open,
      "GET /v1/nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );
    expect(received).toMatch(/^HTTP\/1.1 404 Not Found\r\n.*"code":"not_found"/s);
  });

  it("is no upgrade where it is no greeting of a WebSocket, and is told so in the one shape", async () => {
    const open = await openServer();
    const token = await open.token({ role: "admin", name: "root" });
    const session = await openSession({ hub: open.hub, sessionId: "s1", asker: "builder" });
    await session.text("so");
    const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket`;
    for (const path of ["/v1/gateway", "/v1/sessions/s1/stream"]) {
      for (const headers of ["", "\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13"]) {
        const received = await raw(open, `GET ${path} HTTP/1.1\r\n${head}${headers}\r\n\r\n`);
        expect(received).toMatch(
          /^HTTP\/1.1 400 .*\r\n\r\n\{"error":\{"code":"invalid_request".*Sec-WebSocket-Key/s,
        );
      }
    }
  });

  it("is served although it expects what nobody knows", async () => {
    const open = await openServer();
    const expecting =
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\nConnection: close\r\n\r\n";
    expect(await raw(open, expecting)).toMatch(/^HTTP\/1.1 200 /);
  });

  it("is no upgrade to a host with a password, which once ended the whole server", async () => {
    const open = await openServer();
    for (const path of ["/v1/nowhere", "/v1/gateway", "/v1/sessions/s1/stream"]) {
      const received = await raw(
        open,
        `GET ${path} HTTP/1.1\r\nHost: a:b@localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      );
      expect(received).toMatch(/^HTTP\/1.1 421 .*"code":"host_not_allowed"/s);
    }
    expect((await call(open, undefined, "GET /healthz")).status).toBe(200);
    expect(open.logged).toEqual([]);
  });

  it("learns nothing of a fault but where the log tells more", async () => {
    const open = await openServer();
    const agent = await open.token();
    open.hub.list = () => Promise.reject(new Error(`disk /secret/path is gone, ${agent}`));
    const reply = await call(open, agent, "GET /v1/asks");
    expect(refusal(reply)).toBe("500 internal");
    const id = reply.headers.get("askline-request-id") ?? "none";
    expect(reply.body.error?.message).toContain(id);
    expect(JSON.stringify(reply.body)).not.toContain("secret");
    expect(open.logged.join()).toContain(`request ${id} failed`);
    expect(open.logged.join()).toContain("/secret/path");
    expect(open.logged.join()).not.toContain(agent);
  });
});

describe("where a request comes from", () => {
  it("is asked of its Host: other names are not ours", async () => {
    const open = await openServer({ publicUrl: "https://ask.example.com", allowedHosts: ["askbox:4780"] });
    const headers = `Authorization: Bearer ${await open.token()}\r\nConnection: close`;
    const status = async (host: string): Promise<string> =>
      (await raw(open, `GET /v1/asks HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n\r\n`)).slice(9, 12);
    for (const host of [
      "localhost:1",
      "127.0.0.1",
      "[::1]:4780",
      "10.0.0.7",
      "ask.example.com",
      "askbox:4780",
    ]) {
      expect(`${host} ${await status(host)}`).toBe(`${host} 200`);
    }
    for (const host of [
      "evil.example",
      "ask.example.com.evil.example",
      "localhost.evil.example",
      "askbox:1",
    ]) {
      expect(`${host} ${await status(host)}`).toBe(`${host} 421`);
    }
    const absolute = await raw(
      open,
      `GET http://evil.example/v1/asks HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`,
    );
    expect(absolute).toMatch(/^HTTP\/1.1 421 .*"code":"host_not_allowed"/s);
  });

  it("is asked of its Origin, for everything that changes something", async () => {
    const open = await openServer();
    const agent = await open.token();
    const from = async (headers: Record<string, string>): Promise<number> =>
      (await call(open, agent, "POST /v1/asks", { questions: [question] }, headers)).status;
    expect(await from({})).toBe(201);
    expect(await from({ origin: open.url })).toBe(201);
    expect(await from({ origin: "null", "sec-fetch-site": "same-origin" })).toBe(201);
    expect(await from({ origin: "https://evil.example" })).toBe(403);
    expect(await from({ origin: "null" })).toBe(403);
    expect(await from({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await from({ origin: open.url, "sec-fetch-site": "same-site" })).toBe(403);
  });
});
