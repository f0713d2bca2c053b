import { describe, expect, it } from "vitest";
import { readSubmission } from "../../src/cli/input/submission.ts";
import { contentText } from "../../src/cli/output/ask-text.ts";
import type { Ask, AskInput } from "../../src/index.ts";
import type { WorldOptions } from "./in-process.ts";
import { AUTH, DEPLOY, SDKS, shareServer } from "./shared-server.ts";

const { here, post } = shareServer();

const NAME = { question: "What name?" };

async function answered(input: AskInput, args: readonly string[], options?: WorldOptions): Promise<unknown> {
  const { id } = await post(input);
  const { code, stdout, stderr } = await here(["answer", id, ...args, "--json"], options);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  const { outcome } = JSON.parse(stdout) as Ask;
  return outcome?.kind === "answered" ? outcome.answers : outcome;
}

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
    const { id } = await post({ questions: [{ question: "Cores?", options: ["2", "4", "8"] }] });
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
    const { id } = await post({ questions: [AUTH, NAME] });
    const { code, stdout, stderr } = await here(["answer", id, ...args], { input: "{" });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^askline: [^\n]*\n$/);
    expect(stdout).toBe("");
    expect(code).toBe(2);
    expect(JSON.parse((await here(["show", id, "--json"])).stdout)).toMatchObject({ status: "pending" });
  });

  it("reports the winner of a race to the loser", async () => {
    const { id } = await post({ questions: [AUTH] });
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
    const { id } = await post(input);
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
    const { id } = await post(DEPLOY);
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
    const { id } = await post(DEPLOY);
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
    const { id } = await post(shadowing);
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
    const question = await post({ questions: [AUTH] });
    expect((await here(["approve", question.id])).stderr).toMatch(/asks questions; use "askline answer"/);
    const approval = await post(DEPLOY);
    expect((await here(["answer", approval.id, "1"])).stderr).toMatch(
      /is an approval; use "askline approve"/,
    );
    expect((await here(["approve", approval.id, "--action", "x"])).stderr).toMatch(
      /unknown action "x"; .* a1 build/,
    );
  });
});

describe("an answer that cannot be taken", () => {
  it("repeats no issue in the message", async () => {
    const { id } = await post({ questions: [AUTH] });
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
