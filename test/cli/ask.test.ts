import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "./in-process.ts";
import { ASKLINE, type Ended, endProcesses, run, start } from "./processes.ts";

const AUTH = [
  "ask",
  "--question",
  "Which auth?",
  "--header",
  "Auth",
  "--option",
  "OAuth",
  "--option",
  "API key",
];
const BY = { kind: "person", id: userInfo().username, surface: "terminal" };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "askline-cli-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
afterEach(endProcesses);

// Most cases need no separate process. Those about the process itself use `run` or `start`.
function ask(args: readonly string[], input: string): Promise<Ended> {
  return runHere(args, { input, world: { user: BY.id } });
}

function askFile(ask: unknown): string {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.json`);
  writeFileSync(path, typeof ask === "string" ? ask : JSON.stringify(ask));
  return path;
}

describe("askline ask: outcomes and exit codes", () => {
  it("prints an answered outcome with the second option and exits 0", async () => {
    const { code, stdout, stderr } = await run(ASKLINE, [...AUTH, "--format", "json"], { input: "2\n" });
    expect(JSON.parse(stdout)).toEqual({
      kind: "answered",
      answers: [{ question: "q1", selected: ["o2"] }],
      choices: [{ question: "q1", labels: ["API key"] }],
      by: BY,
    });
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toBe(
      "\n[1/1] Auth\nWhich auth?\n  1) OAuth\n  2) API key\n  o) Other (type free text)\n> select: \n",
    );
    expect(code).toBe(0);
  });

  it("exits 3 on a blank line", async () => {
    const { code, stdout } = await run(ASKLINE, [...AUTH, "--format", "json"], { input: "\n" });
    expect(JSON.parse(stdout)).toEqual({ kind: "declined", by: BY });
    expect(code).toBe(3);
  });

  it("exits 5 when the input ends", async () => {
    const { code, stdout } = await run(ASKLINE, [...AUTH, "--format", "json"], { input: "" });
    expect(JSON.parse(stdout)).toMatchObject({ kind: "unavailable" });
    expect(code).toBe(5);
  });

  it("exits 4 when nobody answers in time", async () => {
    const { code, stdout } = await run(ASKLINE, [...AUTH, "--format", "json", "--timeout", "50ms"]);
    expect(JSON.parse(stdout)).toEqual({ kind: "expired" });
    expect(code).toBe(4);
  });

  it("applies the deadline of the ask, and its policy", async () => {
    const questions = [{ question: "Go?", options: ["Yes (Recommended)", "No"] }];
    const expired = askFile({ questions, deadline: 1 });
    expect(await runHere(["ask", "--file", expired])).toMatchObject({ code: 4 });
    const recommended = askFile({ questions, timeoutMs: 20, onDeadline: "recommended" });
    const { code, stdout } = await run(ASKLINE, ["ask", "--file", recommended, "--format", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      answers: [{ selected: ["o1"] }],
      by: { kind: "policy", name: "recommended" },
    });
    expect(code).toBe(0);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("is withdrawn by %s and exits %i", async (signal, expected) => {
    const process = start(ASKLINE, [...AUTH, "--format", "json"]);
    await process.shows("> select: ");
    process.child.kill(signal);
    const { code, stdout, stderr } = await process.ended;
    expect(JSON.parse(stdout)).toEqual({ kind: "withdrawn" });
    expect(stderr.endsWith("> select: \n")).toBe(true);
    expect(code).toBe(expected);
  });

  it("exits 0 when every action is approved, and 3 when one is rejected", async () => {
    const file = askFile({ approval: { actions: [{ name: "build" }, { name: "deploy" }] } });
    const approved = await ask(["ask", "--file", file, "--format", "json"], "a\na\n");
    expect(JSON.parse(approved.stdout)).toMatchObject({ kind: "decided" });
    expect(approved.code).toBe(0);
    const rejected = await ask(["ask", "--file", file, "--format", "json"], "a\nr too early\n");
    expect(JSON.parse(rejected.stdout)).toMatchObject({
      kind: "decided",
      decisions: [{ kind: "approve" }, { kind: "reject", message: "too early" }],
    });
    expect(rejected.code).toBe(3);
  });

  it("exits 1 without a stack when nobody reads its outcome", async () => {
    const process = start(ASKLINE, AUTH);
    await process.shows("> select: ");
    process.child.stdout?.destroy();
    process.child.stdin?.end("1\n");
    const { code, stderr } = await process.ended;
    expect(stderr).toContain("askline: could not write the result (write EPIPE)\n");
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(1);
  });

  it("continues when nobody reads its prompts", async () => {
    const process = start(ASKLINE, AUTH);
    process.child.stderr?.destroy();
    process.child.stdin?.end("9\n1\n");
    expect(await process.ended).toMatchObject({ code: 0, stdout: "Which auth?\nOAuth\n" });
  });
});

describe("askline ask: formats", () => {
  const args = [
    "ask",
    "-q",
    "Which?",
    "--header",
    "Langs",
    "-m",
    "-o",
    "Go :: For services",
    "-o",
    "std::vector",
  ];

  it("text is the canonical text of the answers", async () => {
    const { stdout, stderr } = await ask([...args, "-c", "We ship in May."], "1,2,other Zig\n");
    expect(stdout).toBe("Which?\n- Go\n- std::vector\n- Zig\n");
    expect(stderr).toContain(
      "\nWe ship in May.\n\n[1/1] Langs\nWhich?\n  1) Go — For services\n  2) std::vector\n",
    );
  });

  it("text says in words how it ended otherwise", async () => {
    expect((await ask(args, "\n")).stdout).toBe("The person declined to answer. Do not assume an answer.\n");
  });

  it("claude is what canUseTool returns", async () => {
    const { code, stdout } = await ask([...args, "--format", "claude"], "1,2\n");
    expect(JSON.parse(stdout)).toMatchObject({
      behavior: "allow",
      updatedInput: {
        questions: [
          { question: "Which?", header: "Langs", options: [{ label: "Go" }, { label: "std::vector" }] },
        ],
        answers: { "Which?": "Go, std::vector" },
      },
    });
    expect(code).toBe(0);
    const denied = await ask([...args, "--format", "claude"], "\n");
    expect(JSON.parse(denied.stdout)).toMatchObject({ behavior: "deny" });
    expect(denied.code).toBe(3);
  });

  it("claude refuses, before asking, an ask whose outcome it could not express", async () => {
    const approval = askFile({ approval: { actions: [{ name: "deploy" }] } });
    expect(await ask(["ask", "--file", approval, "--format", "claude"], "a\n")).toMatchObject({
      code: 2,
      stderr: "askline: --format claude is for questions; use json or text for an approval\n",
    });
    const twice = { question: "Same?", header: "H", options: ["a", "b"] };
    const same = askFile({ questions: [twice, twice] });
    expect((await ask(["ask", "--file", same, "--format", "claude"], "1\n1\n")).code).toBe(2);
  });
});

describe("askline ask: invalid input", () => {
  const JSON_ASK = '{"questions":[{"question":"Q?"}]}';

  it("is unavailable with an ask on stdin and no terminal, and says what to do", async () => {
    const { code, stdout, stderr } = await run(ASKLINE, ["ask", "--format", "json"], {
      input: JSON_ASK,
      detached: true,
    });
    expect(JSON.parse(stdout)).toEqual({ kind: "unavailable", reason: "there is no terminal to ask at" });
    expect(stderr).toMatch(/^askline: there is no terminal to ask at; run this in a terminal, or .*\n$/);
    expect(code).toBe(5);
  });

  it.each([
    ["nothing at all", ["ask"], "", /stdin is empty; use --question or --file/],
    ["no JSON", ["ask"], "nope", /the ask from stdin is not JSON/],
    ["no ask", ["ask"], "{}", /questions must be a non-empty array/],
    ["several problems", ["ask"], '{"questions":[{"options":["a","a"]}]}', /question text; .*must be unique/],
    ["no file", ["ask", "--file", "nowhere.json"], "", /cannot read nowhere\.json .*; check --file/],
    ["a header alone", ["ask", "--header", "H"], "", /--header needs --question/],
    ["a file and a question", ["ask", "--file", "x", "--question", "Q?"], "", /--file and --question cannot/],
    ["no duration", [...AUTH, "--timeout", "soon"], "", /--timeout "soon" is not a duration; write it like/],
    ["an unknown format", [...AUTH, "--format", "yaml"], "", /Allowed choices are text, json, claude; run/],
    [
      "an unknown flag",
      ["ask", "--quesion", "Q?"],
      "",
      /unknown option '--quesion' \(Did you mean --question\?\)/,
    ],
    ["an unknown command", ["aks"], "", /unknown command 'aks' \(Did you mean ask\?\)/],
    ["an argument", ["ask", "Q?"], "", /too many arguments/],
  ])("exits 2 with one line for %s", async (_name, args, input, message) => {
    const { code, stdout, stderr } = await ask(args, input);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^askline: [^\n]*\n$/);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  it("shows the stack only with --verbose", async () => {
    const { stderr } = await ask(["ask", "--verbose", "--file", "nowhere.json"], "");
    expect(stderr).toMatch(/^askline: cannot read nowhere\.json .*\n(.*\n)*\s+at /);
  });
});

describe("askline", () => {
  it("prints its version", async () => {
    expect(await run(ASKLINE, ["--version"])).toMatchObject({ code: 0, stdout: "0.2.0\n", stderr: "" });
  });

  it("shows help with examples and exit codes on stdout", async () => {
    const { code, stdout } = await ask(["ask", "--help"], "");
    expect(stdout).toContain("$ askline ask --question");
    expect(stdout).toContain("  130  withdrawn");
    expect(code).toBe(0);
  });
});
