import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonReporter } from "../../src/cli/demo/reporter.ts";
import { readSubmission } from "../../src/cli/input/submission.ts";
import { contentText } from "../../src/cli/output/ask-text.ts";
import type { Ask, AskInput } from "../../src/core/index.ts";
import { runHere, type WorldOptions } from "./in-process.ts";
import { type Ended, endProcesses } from "./processes.ts";
import { newFolder, post, removeFolders, type ServeProcess, serve } from "./servers.ts";

let server: ServeProcess;
beforeAll(async () => {
  server = await serve(newFolder(), { args: ["--db", "memory:", "--person", "ana"] });
});
afterAll(() => {
  endProcesses();
  removeFolders();
});

const here = (args: readonly string[], options: WorldOptions = {}): Promise<Ended> =>
  runHere(args, { ...options, env: { ...server.env, ...options.env } });

// A port where nobody listens.
const AWAY = "http://127.0.0.1:9";
const AUTH = { question: "Which auth?", header: "Auth", options: ["OAuth", "API key"] };
const SDKS = {
  question: "Which SDKs?",
  header: "SDKs",
  multiSelect: true,
  options: ["Go", "Rust, unsafe", "Zig"],
};
const NAME = { question: "What name?" };

async function answered(input: AskInput, args: readonly string[], options?: WorldOptions): Promise<unknown> {
  const { id } = await post(server, input);
  const { code, stdout, stderr } = await here(["answer", id, ...args, "--json"], options);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  const { outcome } = JSON.parse(stdout) as Ask;
  return outcome?.kind === "answered" ? outcome.answers : outcome;
}

const DEPLOY = {
  approval: { actions: [{ name: "build" }, { name: "deploy", args: { to: "production" } }] },
};

describe("askline answer", () => {
  it.each([
    ["a number", ["--pick", "2"], { selected: ["o2"] }],
    ["an id", ["--pick", "o2"], { selected: ["o2"] }],
    ["a label", ["--pick", "API key"], { selected: ["o2"] }],
    ["a label in another case", ["--pick", "api KEY"], { selected: ["o2"] }],
    ["a bare value", ["2"], { selected: ["o2"] }],
    ["text", ["--text", "mTLS"], { selected: [], text: "mTLS" }],
    ["a note", ["--pick", "1", "--note", "for now"], { selected: ["o1"], note: "for now" }],
    ["other and words", ["other mTLS, of course"], { selected: [], text: "mTLS, of course" }],
  ])("takes %s", async (_name, args, answer) => {
    expect(await answered({ questions: [AUTH] }, args)).toEqual([{ question: "q1", ...answer }]);
  });

  it.each([
    ["values", ["q1=1", "q2=1,3", "q3=a=b, c"]],
    [
      "flags behind their question",
      ["-q", "1", "-p", "1", "-q", "SDKs", "-p", "3", "-p", "Go", "-q", "q3", "-t", "a=b, c"],
    ],
    ["both", ["q2=zig,o1", "Auth=OAuth", "--question", "q3", "--text", "a=b, c"]],
  ])("takes several questions by %s", async (_name, args) => {
    expect(await answered({ questions: [AUTH, SDKS, NAME] }, args)).toEqual([
      { question: "q1", selected: ["o1"] },
      { question: "q2", selected: ["o1", "o3"] },
      { question: "q3", selected: [], text: "a=b, c" },
    ]);
  });

  it("accepts a label that contains a comma, alone and at the end", async () => {
    const one = await answered({ questions: [SDKS] }, ["q1=Rust, unsafe"]);
    expect(one).toEqual([{ question: "q1", selected: ["o2"] }]);
    const two = await answered({ questions: [SDKS] }, ["3,Rust, unsafe"]);
    expect(two).toEqual([{ question: "q1", selected: ["o2", "o3"] }]);
  });

  it("skips a question if the ask allows it", async () => {
    const ask = { questions: [AUTH, NAME], allowPartial: true };
    const skipped = { question: "q2", selected: [], skipped: true };
    expect(await answered(ask, ["q1=1", "q2="])).toMatchObject([{}, skipped]);
    expect(await answered(ask, ["q1=1", "--question", "2", "--skip"])).toMatchObject([{}, skipped]);
  });

  it("takes the whole answer from stdin", async () => {
    const body = { answers: [{ question: "q1", selected: ["OAuth"] }], note: "all of it" };
    expect(await answered({ questions: [AUTH] }, ["--file", "-"], { input: JSON.stringify(body) })).toEqual([
      { question: "q1", selected: ["o1"] },
    ]);
  });

  it("does not guess what a number means among labels that are numbers", async () => {
    const { id } = await post(server, { questions: [{ question: "Cores?", options: ["2", "4", "8"] }] });
    const { code, stderr } = await here(["answer", id, "--pick", "2"]);
    expect(stderr).toBe(
      'askline: "2" is the number of "4" and the name of another option; give the id o2 or o1\n',
    );
    expect(code).toBe(2);
    expect((await here(["answer", id, "--pick", "o1"])).code).toBe(0);
  });

  it.each([
    ["no answer at all", [], /no answer given; use --pick or --text/],
    [
      "an option that does not exist",
      ["q1=9"],
      /question q1 has no option "9"; pick from: 1 OAuth, 2 API key/,
    ],
    [
      "a pick for nobody",
      ["--pick", "1"],
      /2 questions \(q1, q2\); name the one that --pick answers: q2=1,3/,
    ],
    ["a question that does not exist", ["q7=1"], /unknown question "q7"; this ask has q1 Auth, q2/],
    ["two answers to one", ["q1=1", "q1=2"], /question q1 is answered twice/],
    [
      "a pick where there are none",
      ["--question", "q2", "--pick", "1"],
      /has no options; answer it with --text/,
    ],
    ["too few answers", ["q1=1"], /q2.*still pending/],
    ["a file and a flag", ["--file", "-", "q1=1"], /--file contains the whole answer/],
    ["no JSON", ["--file", "-"], /the answer from stdin is not JSON/],
    ["a file that does not exist", ["--file", "/nowhere/a.json"], /cannot read \/nowhere\/a\.json/],
  ])("refuses %s, in one line, and leaves the ask open", async (_name, args, message) => {
    const { id } = await post(server, { questions: [AUTH, NAME] });
    const { code, stdout, stderr } = await here(["answer", id, ...args], { input: "{" });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^askline: [^\n]*\n$/);
    expect(stdout).toBe("");
    expect(code).toBe(2);
    expect(JSON.parse((await here(["show", id, "--json"])).stdout)).toMatchObject({ status: "pending" });
  });

  it("reports the winner of a race to the loser", async () => {
    const { id } = await post(server, { questions: [AUTH] });
    await here(["answer", id, "--pick", "1"]);
    const { code, stderr } = await here(["answer", id, "--pick", "2", "--json"]);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "already_settled", outcome: { kind: "answered", answers: [{ selected: ["o1"] }] } },
    });
    expect(code).toBe(1);
  });
});

describe("askline approve and reject", () => {
  async function decided(input: AskInput, args: readonly string[]): Promise<unknown> {
    const { id } = await post(server, input);
    const [verdict = "", ...rest] = args;
    const { stdout, stderr } = await here([verdict, id, ...rest, "--json"]);
    expect(stderr).toBe("");
    const { outcome } = JSON.parse(stdout) as Ask;
    return outcome?.kind === "decided" ? outcome.decisions : outcome;
  }

  it("decides about all actions", async () => {
    expect(await decided(DEPLOY, ["approve"])).toMatchObject([{ kind: "approve" }, { kind: "approve" }]);
    expect(await decided(DEPLOY, ["reject", "--reason", "too early"])).toMatchObject([
      { kind: "reject", message: "too early" },
      { kind: "reject", message: "too early" },
    ]);
  });

  it("decides some actions only with a verdict for the others", async () => {
    const { id } = await post(server, DEPLOY);
    const { code, stderr } = await here(["reject", id, "--action", "deploy"]);
    expect(stderr).toMatch(
      /^askline: all actions are decided together; add --approve-rest or --reject-rest for a1 build/,
    );
    expect(code).toBe(2);
    expect(await decided(DEPLOY, ["reject", "--action", "a2", "--approve-rest"])).toMatchObject([
      { action: "a1", kind: "approve" },
      { action: "a2", kind: "reject" },
    ]);
  });

  it("approves with other arguments", async () => {
    const args = ["approve", "--action", "2", "--args", '{"to":"staging"}', "--reject-rest"];
    expect(await decided(DEPLOY, args)).toMatchObject([
      { kind: "reject" },
      { kind: "edit", args: { to: "staging" } },
    ]);
  });

  it("dropped the reason of an approval silently", async () => {
    const { id } = await post(server, DEPLOY);
    const { code, stderr } = await here(["approve", id, "--reason", "looks fine"]);
    expect(stderr).toMatch(/--reason belongs to a rejection, and nothing is rejected; use --note/);
    expect(code).toBe(2);
    expect(
      await decided(DEPLOY, ["approve", "--action", "a2", "--reject-rest", "--reason", "no"]),
    ).toMatchObject([{ kind: "reject", message: "no" }, { kind: "approve" }]);
  });

  it("took the id of one action for the name, or the number, of another", async () => {
    const shadowing = {
      approval: {
        actions: [
          { id: "2", name: "wipe", args: {} },
          { id: "wipe", name: "build", args: {} },
        ],
      },
    };
    const { id } = await post(server, shadowing);
    for (const text of ["wipe", "2"]) {
      const { code, stderr } = await here(["approve", id, "--action", text, "--reject-rest"]);
      expect(stderr).toContain(`"${text}" could be action 1 (2 wipe) or action 2 (wipe build)`);
      expect(code).toBe(2);
    }
    expect(await decided(shadowing, ["approve", "--action", "build", "--reject-rest"])).toMatchObject([
      { action: "2", kind: "reject" },
      { action: "wipe", kind: "approve" },
    ]);
  });

  it("names the command for the kind of ask", async () => {
    const question = await post(server, { questions: [AUTH] });
    expect((await here(["approve", question.id])).stderr).toMatch(/asks questions; use "askline answer"/);
    const approval = await post(server, DEPLOY);
    expect((await here(["answer", approval.id, "1"])).stderr).toMatch(
      /is an approval; use "askline approve"/,
    );
    expect((await here(["approve", approval.id, "--action", "x"])).stderr).toMatch(
      /unknown action "x"; .* a1 build/,
    );
  });
});

describe("looking at asks", () => {
  it("finds an ask by the beginning or the end of its id", async () => {
    const { id } = await post(server, { questions: [AUTH] });
    for (const part of [id, id.slice(0, -2), id.slice(-8), id.slice(-6).toUpperCase()]) {
      expect(JSON.parse((await here(["show", part, "--json"])).stdout)).toMatchObject({ id });
    }
    expect(await here(["show", id.slice(-3)])).toMatchObject({
      code: 2,
      stderr: /is not an id; give at least 4/,
    });
  });

  it("approved another ask when the same short id was used a second time", async () => {
    const first = await post(server, DEPLOY);
    const short = first.id.slice(-8);
    expect(await here(["approve", short])).toMatchObject({ code: 0 });
    const again = await here(["approve", short]);
    expect(again.stderr).toMatch(
      new RegExp(`^askline: ${first.id} has already ended \\(decided by .*; nothing was sent`),
    );
    expect(again.code).not.toBe(0);
    // The beginning of an id is a time: a second ask of the same moment shares it.
    const second = await post(server, DEPLOY);
    let shared = 4;
    while (first.id.slice(4, 4 + shared + 1) === second.id.slice(4, 4 + shared + 1)) shared += 1;
    const ambiguous = await here(["approve", second.id.slice(4, 4 + shared)]);
    expect(ambiguous.stderr).toContain("matches several asks");
    expect(JSON.parse((await here(["show", second.id, "--json"])).stdout)).toMatchObject({
      status: "pending",
    });
  });

  it("does not choose between two asks, and reports that none matches", async () => {
    const { id } = await post(server, { questions: [AUTH] });
    await post(server, { questions: [AUTH] });
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
    const { id } = await post(server, { questions: [{ ...SDKS, ...bounds }, AUTH] });
    const { stdout } = await here(["show", id]);
    expect(stdout).toContain(`  3) Zig\n  o) Other (type free text)\n  (${picks})\n\n[2/2] Auth\n`);
    expect(stdout.split("(pick ")).toHaveLength(2);
  });

  it("prints no character that could control a terminal", async () => {
    const evil = "Red \u001b[31m and \u202e turned?";
    const { id } = await post(server, { questions: [{ question: evil, options: [evil] }], context: evil });
    for (const args of [["show", id], ["list"], ["list", "--status", "all"]]) {
      expect((await here(args, { columns: 80 })).stdout).not.toMatch(/[\u001b\u202e]/);
    }
    expect((await here(["answer", id, "--pick", "1"])).stdout).not.toMatch(/[\u001b\u202e]/);
  });

  it("printed raw bidi and C1 characters as JSON on a terminal", async () => {
    const evil = "Red \u009b31m and \u202e turned\u200b?";
    const { id } = await post(server, { questions: [{ question: evil, options: ["Yes"] }] });
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
    const ask = await post(server, { questions: [{ question: evil, options: ["Yes"] }] });
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
    const declined = await post(server, { questions: [AUTH] });
    await here(["decline", declined.id, "not mine"]);
    const shown = (await here(["show", declined.id])).stdout;
    expect(shown).toMatch(/--- declined by \w+ ---\nnot mine\n$/);
    expect(shown).not.toContain("assume");
    const approval = await post(server, DEPLOY);
    await here(["reject", approval.id, "--reason", "too early"]);
    expect((await here(["show", approval.id])).stdout).toMatch(
      /--- decided by \w+ ---\nbuild: rejected: too early\ndeploy: rejected: too early\n$/,
    );
  });

  it("keeps every line of the list within the terminal", async () => {
    await post(server, { questions: [{ question: "長い質問".repeat(40) }], agentId: "a".repeat(60) });
    for (const columns of [44, 80, 120]) {
      const { stdout } = await here(["list"], { columns });
      const [table = ""] = stdout.split("\n\n");
      const longest = Math.max(
        ...table.split("\n").map((line) => line.replace(/[^\x00-\x7f…›]/g, "xx").length),
      );
      expect(longest).toBeLessThanOrEqual(columns);
    }
  });

  it("lists by status, newest first, a page at a time", async () => {
    const { id } = await post(server, { questions: [AUTH], session: "pages" });
    const second = await post(server, { questions: [AUTH], session: "pages" });
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
    const { id } = await post(server, { questions: [AUTH] });
    const agent = ["--as", "agent"];
    expect(JSON.parse((await here(["show", id, ...agent, "--json"])).stdout)).toMatchObject({ id });
    const { readCredentials } = await import("../../src/cli/connect/credentials.js");
    const token = readCredentials(server.data, server.url)?.agent ?? "";
    const refused = await here(["answer", id, "--pick", "1", "--token", token]);
    expect(refused.stderr).toMatch(/^askline: the role agent may not do this; it needs the role person\n$/);
    expect(refused.code).toBe(1);
  });
});

describe("an answer that cannot be taken", () => {
  it("repeats no issue in the message", async () => {
    const { id } = await post(server, { questions: [AUTH] });
    const { code, stderr } = await here(["answer", id, "--pick", "1", "--pick", "2"]);
    expect(stderr.match(/at most 1 may be chosen/g)).toHaveLength(1);
    expect(stderr).toMatch(/^askline: [^\n\uFFFD]*; the ask is still pending\n$/);
    expect(code).toBe(2);
  });
});

describe("an id that shadowed a label on the command line", () => {
  // As a store from before such ids were refused may have it.
  const options = [
    { id: "No", label: "Yes, delete it" },
    { id: "x", label: "No" },
  ];
  const question = { id: "q1", question: "Delete it?", options, multiSelect: false, freeText: false };
  const ask: Ask = {
    id: "ask_1",
    status: "pending",
    createdAt: 0,
    questions: [question],
    session: "",
    recipients: [],
    onDeadline: "expire",
    allowPartial: false,
    requireSurface: false,
  };

  it.each(["No", "no"])("refuses --pick %s with both meanings, instead of picking the first", (value) => {
    expect(() => readSubmission(ask, [], [{ kind: "pick", value }], undefined)).toThrow(
      `"${value}" could mean option 1 "Yes, delete it" or 2 "No"; pick it by its number`,
    );
    expect(readSubmission(ask, [], [{ kind: "pick", value: "2" }], undefined).answers).toEqual([
      { question: "q1", selected: ["x"] },
    ]);
  });

  it("refuses a question name with two meanings", () => {
    const two = {
      ...ask,
      questions: [
        { ...question, id: "Auth" },
        { ...question, id: "q2", header: "auth" },
      ],
    };
    expect(() => readSubmission(two, ["Auth=2"], [], undefined)).toThrow(
      '"Auth" could mean question Auth "Delete it?" or q2 "Delete it?"; give the id or number of one',
    );
  });

  it("is visible: show prints ids that differ from the numbers", () => {
    const plain = { ...ask, questions: [{ ...question, options: [{ id: "o1", label: "Yes" }] }] };
    expect(contentText(ask, undefined)).toContain("1) Yes, delete it [id No]\n  2) No [id x]");
    expect(contentText(plain, undefined)).toContain("1) Yes");
    expect(contentText(plain, undefined)).not.toContain("[id");
  });
});
