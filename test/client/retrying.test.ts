import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/client/index.js";
import type { AskInput } from "../../src/index.js";
import { eagerClock } from "./eager-clock.js";
import { errorOf, openClient, question, reason } from "./open-client.js";
import {
  answered,
  askOf,
  cutOff,
  deadUrl,
  delivered,
  error,
  json,
  listen,
  lost,
  outcome,
  pending,
  type Respond,
  scriptedServer,
  silent,
  text,
} from "./scripted-server.js";
import { watchedClock } from "./watched-clock.js";

describe("a request that fails", () => {
  it.each([
    ["because its response is lost", lost],
    ["because its response is cut off", cutOff],
    ["because a proxy answers for the server", text(502, "<html>Bad Gateway</html>")],
    ["because the store is busy", error(503, "store_busy")],
    ["because what comes is no JSON", text(200, "<html>Welcome</html>")],
    ["because what comes is half of it, and called whole", text(200, '{"ask":{"id":"as')],
    ["because what comes is another thing", json(200, { ok: true })],
    ["because the outcome is missing", json(200, { ask: { ...askOf(), status: "answered" } })],
    ["because it came too early", error(425, "too_early")],
  ])("is tried again %s, as the same ask", async (_why, failure) => {
    const server = await scriptedServer(failure, failure, answered);
    const { client, clock } = openClient({ url: server.url, token: "t" });
    expect(await client.ask(question)).toEqual(delivered);
    const keys = server.seen.map(({ method, path, body }) => `${method} ${path} ${(body as AskInput).key}`);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(clock.waited).toEqual([125, 250]);
  });

  it("is retried with the caller's key and the same body", async () => {
    const server = await scriptedServer(lost, answered);
    const { client } = openClient({ url: `${server.url}/base/`, token: "secret", surface: "bot" });
    await client.ask({ ...question, key: "call_1", session: "s1" });
    const [first, second] = server.seen;
    expect(second?.body).toEqual({ ...question, key: "call_1", session: "s1" });
    expect(first?.body).toEqual(second?.body);
    expect(first).toMatchObject({ method: "POST", path: "/base/v1/asks" });
    expect(first?.query.get("wait")).toBe("25");
    expect(first?.headers).toMatchObject({ authorization: "Bearer secret", "askline-surface": "bot" });
  });

  it("waits a little longer each time, up to a bound, and different clients differently", async () => {
    const url = await deadUrl();
    const { client, clock } = openClient({ url, retryForMs: 60_000, random: () => 0.5 });
    expect((await errorOf(client.get("ask_1"))).code).toBe("unreachable");
    expect(clock.waited.slice(0, 8)).toEqual([187.5, 375, 750, 1_500, 3_000, 6_000, 11_250, 11_250]);
  });

  it("is given up after a while with the reason, unless it waits for a person", async () => {
    const url = await deadUrl();
    const { client, clock, warnings } = openClient({ url });
    const failed = await errorOf(client.list());
    expect(failed).toMatchObject({ code: "unreachable" });
    expect(failed.message).toMatch(/^cannot reach http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/);
    expect(clock.waited.reduce((sum, delay) => sum + delay)).toBeLessThanOrEqual(30_000);
    expect(warnings).toHaveLength(1);
  });

  it("is given up at once if the caller wants no retry", async () => {
    const { client, clock } = openClient({ url: await deadUrl(), retryForMs: 0 });
    expect((await errorOf(client.post(question))).code).toBe("unreachable");
    expect(clock.waited).toEqual([]);
  });

  it("ends with the server's own error if the server keeps failing", async () => {
    const server = await scriptedServer(error(507, "store_full"));
    const { client } = openClient({ url: server.url });
    expect(await errorOf(client.post(question))).toMatchObject({
      code: "store_full",
      message: "it is store_full",
    });
    expect(server.seen.length).toBeGreaterThan(3);
  });

  it("is not retried for ever at an address that is not an Askline server", async () => {
    const server = await scriptedServer(text(200, "<html>Welcome</html>"));
    const { client } = openClient({ url: server.url });
    const failed = await errorOf(client.ask(question));
    expect(failed).toMatchObject({ code: "unreachable" });
    expect(failed.message).toMatch(/check that the url is an Askline server/);
    expect(server.seen).toHaveLength(4);
  });

  it("is retried when the server accepts it but stays silent", async () => {
    const server = await scriptedServer(silent, answered);
    const clock = watchedClock();
    const client = connect({ url: server.url, clock, random: () => 0, logger: console });
    const asked = client.ask(question);
    await server.request(1);
    await clock.advance(39_999);
    expect(server.seen).toHaveLength(1);
    await clock.advance(1);
    await clock.set(125);
    await clock.advance(125);
    expect(await asked).toEqual(delivered);
    await client.close();
  });
});

describe("a proxy that cuts silent connections", () => {
  let passed = 0;
  const cut: Respond = (response) => {
    passed += 5_000;
    response.destroy();
  };
  const holds = async (...script: readonly Respond[]): Promise<readonly (string | null)[]> => {
    const server = await scriptedServer(...script, answered);
    const clock = { ...eagerClock(), monotonic: () => passed };
    const { client } = openClient({ url: server.url, clock });
    expect(await client.ask(question)).toEqual(delivered);
    expect(await client.ask(question)).toEqual(delivered);
    return server.seen.map(({ query }) => query.get("wait"));
  };

  it("makes the client ask for shorter holds from then on", async () => {
    expect(await holds(cut, cut)).toEqual(["25", "25", "4", "4"]);
  });

  it("is forgotten after a while, and recognised again after one cut", async () => {
    const later: Respond = (...exchange) => {
      passed += 600_000;
      answered(...exchange);
    };
    expect(await holds(cut, cut, later, cut)).toEqual(["25", "25", "4", "25", "4"]);
  });

  it("is not confused with servers that stop one after another", async () => {
    const stopped: Respond = (...exchange) => {
      passed += 5_000;
      error(503, "closed")(...exchange);
    };
    expect(await holds(stopped, stopped)).toEqual(["25", "25", "25", "25"]);
  });

  it("is not confused with a server that was stopped during a hold", async () => {
    expect(await holds(cut, lost, cut, lost)).toEqual(["25", "25", "25", "25", "25", "25"]);
  });
});

describe("a server that sends Retry-After", () => {
  it.each([
    ["in seconds", 429, "20", 20_000],
    ["as a date", 503, "Tue, 01 Jan 2030 00:00:30 GMT", 30_000],
    ["of a day, and gets five minutes", 429, "86400", 300_000],
  ])("gets it %s", async (_what, status, retryAfter, delay) => {
    const limited = json(
      status,
      { error: { code: "busy", message: "slow down" } },
      { "retry-after": retryAfter },
    );
    const server = await scriptedServer(limited, answered);
    const clock = watchedClock();
    const client = connect({ url: server.url, clock });
    const asked = client.ask(question);
    await clock.set(delay);
    await clock.advance(delay - 1);
    expect(server.seen).toHaveLength(1);
    await clock.advance(1);
    expect(await asked).toEqual(delivered);
    await client.close();
  });

  it("is not waited for by a caller with a shorter limit", async () => {
    const server = await scriptedServer(
      json(429, { error: { code: "rate_limited", message: "slow down" } }, { "retry-after": "60" }),
    );
    const { client } = openClient({ url: server.url });
    expect((await errorOf(client.list())).message).toBe("slow down");
    expect(server.seen).toHaveLength(1);
  });
});

describe("a refusal", () => {
  it.each([
    [400, "invalid_request"],
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "not_found"],
    [409, "key_conflict"],
    [410, "position_trimmed"],
    [413, "too_large"],
    [422, "invalid_ask"],
    [501, "unsupported"],
  ])("with %i %s is final", async (status, code) => {
    const server = await scriptedServer(error(status, code));
    const { client } = openClient({ url: server.url });
    expect(await errorOf(client.ask(question))).toMatchObject({ code, message: `it is ${code}` });
    expect(server.seen).toHaveLength(1);
  });

  it("carries the issues and the winning outcome, as far as they are valid", async () => {
    const issue = { code: "missing_answer", path: ["answers", 0], message: "answer it" };
    const server = await scriptedServer(
      error(422, "invalid_answer", { issues: [issue, 7, { ...issue, code: "new_code" }, { code: "x" }] }),
      error(409, "already_settled", { outcome }),
      error(409, "already_settled", { outcome: { kind: "eaten" } }),
    );
    const { client } = openClient({ url: server.url });
    expect(await errorOf(client.answer("ask_1", reason))).toMatchObject({
      code: "invalid_answer",
      issues: [issue, { ...issue, code: "invalid_value" }],
    });
    expect(await errorOf(client.answer("ask_1", reason))).toMatchObject({ code: "already_settled", outcome });
    expect((await errorOf(client.answer("ask_1", reason))).outcome).toBeUndefined();
  });

  it.each([
    [401, "unauthorized"],
    [404, "not_found"],
    [413, "too_large"],
    [418, "invalid_request"],
  ])("with %i and a code from the future is %s", async (status, code) => {
    const server = await scriptedServer(error(status, "quite_new"));
    const { client } = openClient({ url: server.url });
    expect(await errorOf(client.get("ask_1"))).toMatchObject({
      code,
      message: "it is quite_new (quite_new)",
    });
  });

  it.each([
    [
      "a page",
      text(404, "<html>\n  <h1>No such   page</h1></html>"),
      /returned 404.*text\/html.*<h1>No such page/,
    ],
    ["nothing", text(404, ""), /returned 404.*empty body/],
    ["other JSON", json(404, { error: "nope" }), /returned 404.*application\/json.*nope/],
    ["a very long page", text(404, "x".repeat(100_000)), /^.{0,400}$/],
  ])(
    "from another program, with %s, is not taken for an error about the ask",
    async (_what, respond, message) => {
      const server = await scriptedServer(respond);
      const { client } = openClient({ url: server.url });
      const failed = await errorOf(client.get("ask_1"));
      expect(failed.code).toBe("unreachable");
      expect(failed.message).toMatch(message);
    },
  );

  it("with a redirect says which url to use", async () => {
    const server = await scriptedServer(text(302, "", { location: "https://example.com/v1/asks" }));
    const { client } = openClient({ url: server.url });
    expect((await errorOf(client.ask(question))).message).toMatch(/redirects.*use that one as the url/);
    expect(server.seen).toHaveLength(1);
  });
});

describe("several servers", () => {
  it("take over from each other at once, and keep the client while they work", async () => {
    const bad = await scriptedServer(text(502, "Bad Gateway"));
    const good = await scriptedServer(answered);
    const { client, clock } = openClient({ urls: [bad.url, await deadUrl(), good.url] });
    for (const _ of [1, 2, 3]) expect(await client.ask(question)).toEqual(delivered);
    expect([bad.seen.length, good.seen.length]).toEqual([1, 3]);
    expect(clock.waited).toEqual([]);
  });

  it("are waited for when all have failed", async () => {
    const one = await scriptedServer(text(502, ""), answered);
    const other = await scriptedServer(lost);
    const { client, clock } = openClient({ urls: [one.url, other.url] });
    expect(await client.ask(question)).toEqual(delivered);
    expect([one.seen.length, other.seen.length]).toEqual([2, 1]);
    expect(clock.waited).toEqual([125]);
  });

  it("are not switched because one refuses or sends Retry-After", async () => {
    const one = await scriptedServer(error(429, "busy"), error(404, "not_found"), answered);
    const other = await scriptedServer(answered);
    const { client } = openClient({ urls: [one.url, other.url] });
    expect((await errorOf(client.get("ask_1"))).code).toBe("not_found");
    await client.get("ask_1");
    expect([one.seen.length, other.seen.length]).toEqual([3, 0]);
  });

  it("are switched once, however many requests fail together", async () => {
    const one = await scriptedServer(text(502, ""));
    const other = await scriptedServer(answered);
    const { client } = openClient({ urls: [one.url, other.url] });
    await Promise.all(Array.from({ length: 9 }, () => client.get("ask_1")));
    expect([one.seen.length, other.seen.length]).toEqual([9, 9]);
  });
});

describe("an outage", () => {
  it("of any length does not end an ask", async () => {
    const first = await scriptedServer(pending, silent);
    const { client, clock, warnings } = openClient({ url: first.url });
    const asked = client.ask(question);
    await first.request(2);
    await first.stop();
    while (clock.waited.reduce((sum, delay) => sum + delay, 0) < 3_600_000) await turn();
    const again = createServer((_request, response) => {
      response.setHeader("connection", "close").end(JSON.stringify({ ask: askOf({ outcome }) }));
    });
    await listen(again, first.port);
    onTestFinished(() => void again.close());
    expect(await asked).toEqual(delivered);
    expect(warnings).toHaveLength(1);
  });
});

describe("a response that does not end", () => {
  it("is not read to its end", async () => {
    const megabyte = Buffer.alloc(1_048_576, 32);
    let sent = 0;
    const { client } = openClient({
      url: "http://endless.test",
      retryForMs: 0,
      fetch: async () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              sent += 1;
              controller.enqueue(megabyte);
            },
          }),
        ),
    });
    expect((await errorOf(client.get("ask_1"))).message).toMatch(/longer than 67108864 bytes/);
    expect(sent).toBeLessThan(70);
  });
});

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
