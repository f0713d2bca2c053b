import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { jsonReporter } from "../../src/cli/demo/reporter.ts";
import type { Ask, AskPage } from "../../src/index.ts";
import { runHere } from "./in-process.ts";
import { AUTH, DEPLOY, SDKS, shareServer } from "./shared-server.ts";

const { here, post, server } = shareServer();

// A port where nobody listens.
const AWAY = "http://127.0.0.1:9";

describe("looking at asks", () => {
  it("finds an ask by the beginning or the end of its id", async () => {
    const { id } = await post({ questions: [AUTH] });
    for (const part of [id, id.slice(0, -2), id.slice(-8), id.slice(-6).toUpperCase()]) {
      expect(JSON.parse((await here(["show", part, "--json"])).stdout)).toMatchObject({ id });
    }
    expect(await here(["show", id.slice(-3)])).toMatchObject({
      code: 2,
      stderr: /is not an id; give at least 4/,
    });
  });

  it("approved another ask when the same short id was used a second time", async () => {
    const first = await post(DEPLOY);
    const short = first.id.slice(-8);
    expect(await here(["approve", short])).toMatchObject({ code: 0 });
    const again = await here(["approve", short]);
    expect(again.stderr).toMatch(
      new RegExp(`^askline: ${first.id} has already ended \\(decided by .*; nothing was sent`),
    );
    expect(again.code).not.toBe(0);
    // The beginning of an id is a time: a second ask of the same moment shares it.
    const second = await post(DEPLOY);
    let shared = 4;
    while (first.id.slice(4, 4 + shared + 1) === second.id.slice(4, 4 + shared + 1)) shared += 1;
    const ambiguous = await here(["approve", second.id.slice(4, 4 + shared)]);
    expect(ambiguous.stderr).toContain("matches several asks");
    expect(JSON.parse((await here(["show", second.id, "--json"])).stdout)).toMatchObject({
      status: "pending",
    });
  });

  it("does not choose between two asks, and reports that none matches", async () => {
    const { id } = await post({ questions: [AUTH] });
    await post({ questions: [AUTH] });
    const several = await here(["show", id.slice(0, 10)]);
    expect(several.stderr).toMatch(/matches several asks \(ask_.*\); give more of the id\n$/);
    expect(several.code).toBe(2);
    const none = await here(["show", "ffffffff"]);
    expect(none.stderr).toMatch(/^askline: no ask that you may see matches "ffffffff"; run "askline list/);
    expect(none.code).toBe(2);
  });

  it.each([
    [{}, "pick one or more"],
    [{ minPicks: 2, maxPicks: 3 }, "pick 2 to 3"],
    [{ maxPicks: 2 }, "pick at most 2"],
  ])("says with %j how many may be picked", async (bounds, picks) => {
    const { id } = await post({ questions: [{ ...SDKS, ...bounds }, AUTH] });
    const { stdout } = await here(["show", id]);
    expect(stdout).toContain(`  3) Zig\n  o) Other (type free text)\n  (${picks})\n\n[2/2] Auth\n`);
    expect(stdout.split("(pick ")).toHaveLength(2);
  });

  it("prints no character that could control a terminal", async () => {
    const evil = "Red \u001b[31m and \u202e turned?";
    const { id } = await post({ questions: [{ question: evil, options: [evil] }], context: evil });
    for (const args of [["show", id], ["list"], ["list", "--status", "all"]]) {
      expect((await here(args, { columns: 80 })).stdout).not.toMatch(/[\u001b\u202e]/);
    }
    expect((await here(["answer", id, "--pick", "1"])).stdout).not.toMatch(/[\u001b\u202e]/);
  });

  it("printed raw bidi and C1 characters as JSON on a terminal", async () => {
    const evil = "Red \u009b31m and \u202e turned\u200b?";
    const { id } = await post({ questions: [{ question: evil, options: ["Yes"] }] });
    for (const args of [
      ["show", id, "--json"],
      ["list", "--json"],
    ]) {
      const { stdout } = await here(args, { columns: 80 });
      expect(stdout).not.toMatch(/[\u009b\u202e\u200b]/);
      expect(JSON.stringify(JSON.parse(stdout))).toContain(evil);
    }
    expect((await here(["show", id, "--json"])).stdout).toContain(evil);
  });

  it("printed raw bidi and C1 characters as JSON on a terminal, from watch, ask and demo", async () => {
    const evil = "Red \u009b31m and \u202e turned\u200b?";
    const ask = await post({ questions: [{ question: evil, options: ["Yes"] }] });
    const over = new AbortController();
    const watched = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    const watching = here(["watch", "--json"], { signal: over.signal, world: { stdout: watched } });
    let seen = "";
    for await (const chunk of watched) {
      seen += String(chunk);
      if (seen.includes(ask.id) && seen.endsWith("\n")) break;
    }
    over.abort();
    await watching;
    const asked = await runHere(["ask", "-q", "Why?", "--format", "json"], {
      input: `${evil}\n`,
      columns: 80,
    });
    const demo = Object.assign(new PassThrough(), { isTTY: true });
    jsonReporter(demo).asked(ask, 1, 1);
    for (const text of [seen, asked.stdout, String(demo.read())]) {
      expect(text).not.toMatch(/[\u009b\u202e\u200b]/);
      expect(text).toContain("\\u202e");
    }
  });

  it("showed a person the words that are written for a model", async () => {
    const declined = await post({ questions: [AUTH] });
    await here(["decline", declined.id, "not mine"]);
    const shown = (await here(["show", declined.id])).stdout;
    expect(shown).toMatch(/--- declined by \w+ ---\nnot mine\n$/);
    expect(shown).not.toContain("assume");
    const approval = await post(DEPLOY);
    await here(["reject", approval.id, "--reason", "too early"]);
    expect((await here(["show", approval.id])).stdout).toMatch(
      /--- decided by \w+ ---\nbuild: rejected: too early\ndeploy: rejected: too early\n$/,
    );
  });

  it("keeps every line of the list within the terminal", async () => {
    await post({ questions: [{ question: "長い質問".repeat(40) }], agentId: "a".repeat(60) });
    for (const columns of [44, 80, 120]) {
      const { stdout } = await here(["list"], { columns });
      const [table = ""] = stdout.split("\n\n");
      const longest = Math.max(
        ...table.split("\n").map((line) => line.replace(/[^\x00-\x7f…›]/g, "xx").length),
      );
      expect(longest).toBeLessThanOrEqual(columns);
    }
  });

  it("mutes an agent, lists that beside quiet hours, and ends it", async () => {
    expect((await here(["notifications"])).stdout).toBe(
      "quiet hours   none\nntfy shows    everything\nmuted agents  none\n",
    );
    const muted = await here(["notifications", "mute", "builder", "--owner", "ben"]);
    expect(muted.stdout).toContain("muted agents  builder (ben)\n");
    const both = await here(["notifications", "mute", "planner", "--json"]);
    expect(JSON.parse(both.stdout)).toMatchObject({
      muted: [{ asker: "builder", owner: "ben" }, { asker: "planner" }],
    });
    await here(["notifications", "unmute", "planner"]);
    const none = await here(["notifications", "unmute", "builder", "--owner", "ben"]);
    expect(none.stdout).toContain("muted agents  none\n");
  });

  it("declines all asks of one agent, after a confirmation, and says how many", async () => {
    const { asker = "" } = await post({ questions: [AUTH] });
    const { asks } = JSON.parse((await here(["list", "--json", "--limit", "500"])).stdout) as AskPage;
    expect(await here(["decline", "--agent", asker])).toMatchObject({
      code: 2,
      stderr: `askline: Decline ${asks.length} questions of ${asker}? stdin is not a terminal; add --yes to confirm\n`,
    });
    expect(await here(["decline", "--agent", "nobody", "--yes"])).toMatchObject({
      code: 2,
      stderr: "askline: no question of nobody waits for you\n",
    });
    expect((await here(["decline"])).stderr).toContain("give either the id of an ask or --agent NAME");
    expect(await here(["decline", "--agent", asker, "--yes"])).toMatchObject({
      code: 0,
      stdout: `Declined ${asks.length} questions of ${asker}.\n`,
    });
    expect((await here(["list"])).stdout).toContain("Nothing is waiting");
  });

  it("listed nothing but one agent that asked much", async () => {
    for (let count = 0; count < 61; count += 1) await post({ questions: [AUTH], session: "crowd" });
    const list = (await here(["list", "--session", "crowd"])).stdout;
    expect(list.match(/Which auth\?/g)).toHaveLength(20);
    expect(list).toMatch(/^41 more of \S+$/m);
    expect(list).toMatch(/^Every ask: askline list .*--session crowd --all$/m);
    const all = (await here(["list", "--session", "crowd", "--all", "--limit", "100"])).stdout;
    expect(all.match(/Which auth\?/g)).toHaveLength(61);
    const page = JSON.parse((await here(["list", "--session", "crowd", "--json"])).stdout);
    expect(page.asks).toHaveLength(50);
  });

  it("lists by status, newest first, a page at a time", async () => {
    const { id } = await post({ questions: [AUTH], session: "pages" });
    const second = await post({ questions: [AUTH], session: "pages" });
    const args = ["list", "--session", "pages", "--json", "--limit", "1", "--newest"];
    const page = JSON.parse((await here(args)).stdout);
    expect(page.asks.map((ask: Ask) => ask.id)).toEqual([second.id]);
    const next = JSON.parse((await here([...args, "--after", page.next])).stdout);
    expect(next.asks.map((ask: Ask) => ask.id)).toEqual([id]);
  });

  it.each([
    ["an unknown status", ["list", "--status", "open"], /unknown --status "open"; use pending/],
    ["a limit beyond all", ["list", "--limit", "900"], /--limit "900" must be a number from 1 to 500/],
    ["an invalid cursor", ["list", "--after", "x"], /after must be the `next` of the previous page/],
    ["an invalid URL", ["list", "--url", "here"], /--url "here" is not a URL; write it like/],
    ["a URL with a password", ["list", "--url", "http://a:b@localhost"], /--url contains a password/],
    ["no id", ["show"], /missing required argument 'id'; run "askline show --help"/],
    [
      "flags of a server without one",
      ["ask", "-q", "Q?", "--key", "k", "--here"],
      /--key is for asking through a server/,
    ],
  ])("refuses %s", async (_name, args, message) => {
    const env = args[0] === "ask" ? { ASKLINE_URL: "" } : {};
    const { code, stderr } = await here(args, { env });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^askline: [^\n]*\n$/);
    expect(code).toBe(2);
  });

  it("says what to do without a server, without a token, or with a wrong one", async () => {
    const away = await here(["list", "--url", AWAY, "--token", "t"]);
    expect(away.stderr).toMatch(
      /^askline: cannot reach .*; check that it runs; "askline serve" starts a server.*\n$/,
    );
    expect(away.code).toBe(1);
    const unknown = await here(["list", "--url", AWAY]);
    expect(unknown.stderr).toMatch(
      /^askline: no person token for http:\/\/127\.0\.0\.1:9 in .*; use --token/,
    );
    expect(unknown.code).toBe(2);
    for (const { stderr } of [away, unknown]) {
      expect(stderr).toMatch(/; nothing answers there, and your server runs at http:\/\/127\.0\.0\.1:\d+;/);
    }
    const wrong = await here(["list", "--token", "askline_wrong"]);
    expect(wrong.stderr).toMatch(
      /^askline: unknown, expired or revoked token.*"askline token create" creates a token\n$/,
    );
    expect(wrong.code).toBe(1);
  });

  it("reports an outage at a terminal while it retries", async () => {
    const stderr = new PassThrough();
    let shown = "";
    stderr.on("data", (chunk) => {
      shown += String(chunk);
    });
    const world = { stderr: Object.assign(stderr, { columns: 80 }) };
    const { code } = await here(["list", "--url", AWAY, "--token", "x"], { world });
    expect(code).toBe(1);
    expect(shown).toMatch(
      /^askline: cannot reach .*; retrying\naskline: cannot reach .*; check that it runs;/,
    );
  });

  it("lets no agent answer its own ask", async () => {
    const { id } = await post({ questions: [AUTH] });
    const agent = ["--as", "agent"];
    expect(JSON.parse((await here(["show", id, ...agent, "--json"])).stdout)).toMatchObject({ id });
    const { readCredentials } = await import("../../src/cli/connect/credentials.js");
    const token = readCredentials(server().data, server().url)?.agent ?? "";
    const refused = await here(["answer", id, "--pick", "1", "--token", token]);
    expect(refused.stderr).toMatch(/^askline: the role agent may not do this; it needs the role person\n$/);
    expect(refused.code).toBe(1);
  });
});
