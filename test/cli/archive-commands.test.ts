import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { readLines } from "../../src/cli/transfer/lines.js";
import { createHub } from "../../src/hub/index.ts";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.ts";
import { connectTo } from "../hub/stores/postgres/open-store.ts";
import { freshSchema, sharedPostgres } from "../support/shared-postgres.ts";
import { runHere } from "./in-process.ts";
import { ASKLINE, endProcesses, start } from "./processes.ts";
import { newFolder, removeFolders, type ServedHere, serveHere } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const ASK = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }] };

interface Stored {
  readonly data: string;
  readonly ids: readonly string[];
}

/** A data folder with one ask that was answered and one that is open. */
async function stored(): Promise<Stored> {
  const data = newFolder();
  const hub = await createHub({ store: sqliteStore({ path: join(data, "askline.db") }) });
  const [one, other] = [await hub.post({ ...ASK, session: "s", key: "k" }), await hub.post(ASK)];
  const submission = { answers: [{ question: "q1", selected: ["o1"] }], note: "at once" };
  await hub.answer(one.id, submission, { by: { kind: "person", id: "ana", surface: "command-line" } });
  await hub.close();
  return { data, ids: [one.id, other.id] };
}

/** The same, with a server that has it open. */
async function served(): Promise<ServedHere & Stored> {
  const { data, ids } = await stored();
  return { ...(await serveHere(data)), ids };
}

async function archive(server: {
  readonly data: string;
}): Promise<{ readonly path: string; readonly lines: readonly string[] }> {
  const path = join(newFolder(), "asks.jsonl");
  await runHere(["export", path, "--data", server.data]);
  return { path, lines: readFileSync(path, "utf8").trimEnd().split("\n") };
}

/** Imports a text into an empty store. */
async function importing(text: string, more: readonly string[] = [], data: string = newFolder()) {
  const ended = await runHere(["import", "--data", data, "--json", ...more], { input: text });
  return { ...ended, data, tally: ended.stdout === "" ? undefined : JSON.parse(ended.stdout) };
}

describe("askline export", () => {
  it("does not overwrite the store that it reads, even with --force", async () => {
    const server = await served();
    const store = join(server.data, "askline.db");
    const before = statSync(store).ino;
    const { code, stderr } = await runHere(["export", store, "--force", "--data", server.data]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(store);
    expect(statSync(store).ino).toBe(before);
    expect((await server.run(["list", "--json"])).code).toBe(0);
  });

  it("writes a file that only its owner can read, from a store in use, and replaces none", async () => {
    const server = await served();
    const path = join(newFolder(), "asks.jsonl");
    const { code, stdout, stderr } = await runHere(["export", path, "--data", server.data]);
    expect(stderr).toBe(`askline: exported 2 asks to ${path}\n`);
    expect(stdout).toBe("");
    expect(code).toBe(0);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(path))).toEqual(["asks.jsonl"]);
    const [header, first, second, end] = readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(header).toMatchObject({ kind: "header", format: "askline-export", version: 2, store: "sqlite" });
    expect(first).toMatchObject({ kind: "ask", ask: { id: server.ids[0], status: "answered" } });
    expect(first.events.map(({ type }: { type: string }) => type)).toEqual(["ask.created", "ask.answered"]);
    expect(second).toMatchObject({ kind: "ask", ask: { id: server.ids[1], status: "pending" } });
    expect(end).toEqual({ kind: "end", asks: 2, events: 3, transcripts: 0, entries: 0 });
    const again = await runHere(["export", path, "--data", server.data]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/already exists.* --force/) });
    expect((await runHere(["export", path, "--data", server.data, "--force"])).code).toBe(0);
  });

  it("goes to stdout, by its filters", async () => {
    const { data, ids } = await stored();
    const pending = await runHere(["export", "--data", data, "--status", "pending", "--since", "1h"]);
    expect(pending.stdout).toContain(ids[1]);
    expect(pending.stdout).not.toContain(ids[0]);
    expect(pending.stdout.trimEnd().split("\n")).toHaveLength(3);
    const session = await runHere(["export", "--data", data, "--session", "s", "--for", "bo"]);
    expect(session.stdout).toContain(ids[0]);
    expect(session.stdout).not.toContain(ids[1]);
  });

  it("contains no token", async () => {
    const { data } = await served();
    const { stdout } = await runHere(["export", "--data", data]);
    expect(stdout).not.toMatch(/askline_[0-9a-f]{12}/);
    expect(stdout).not.toContain("hash");
  });

  it("exits with 1 if its reader has gone", async () => {
    const { data } = await stored();
    const { child, ended } = start(ASKLINE, ["export", "--data", data]);
    child.stdout?.destroy();
    expect(await ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/could not write the export/),
    });
  });

  it.each([
    ["an unknown status", ["--status", "done"], /unknown --status "done"/],
    ["no time", ["--since", "soon"], /--since "soon" is not a time/],
    ["a memory store", ["--db", "memory:"], /exists only inside its server/],
  ])("refuses %s", async (_name, args, message) => {
    const { code, stderr } = await runHere(["export", "--data", newFolder(), ...args]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

describe("askline import", () => {
  let archived: readonly string[] | undefined;

  it("moves a server's asks from a file to PostgreSQL, where they continue", async () => {
    const server = await served();
    const { path } = await archive(server);
    const url = new URL(await sharedPostgres());
    const name = freshSchema();
    await (await connectTo(url.href)).query(`create database ${name}`);
    url.pathname = `/${name}`;
    const db = ["--db", url.href];
    const moved = await runHere(["import", path, "--data", newFolder(), ...db]);
    expect(moved).toMatchObject({ code: 0, stdout: "2 asks imported.\n", stderr: "" });
    const there = await serveHere(newFolder(), { args: db });
    const [answered = "", open = ""] = server.ids;
    expect(JSON.parse((await there.run(["show", answered, "--json"])).stdout)).toEqual(
      JSON.parse((await server.run(["show", answered, "--json"])).stdout),
    );
    expect((await there.run(["answer", open, "--pick", "2"])).code).toBe(0);
    const back = await runHere(["export", "--data", newFolder(), ...db]);
    expect(JSON.parse(back.stdout.split("\n")[1] ?? "").events).toEqual(
      JSON.parse(readFileSync(path, "utf8").split("\n")[1] ?? "").events,
    );
  });

  it("changes nothing the second time, nor in a dry run", async () => {
    const { lines } = await archive(await stored());
    const text = `${lines.join("\n")}\n`;
    const dry = await importing(text, ["--dry-run"]);
    expect(dry.tally).toMatchObject({ imported: 2, dryRun: true, whole: true });
    const first = await importing(text, [], dry.data);
    expect(first.tally).toMatchObject({ imported: 2, known: 0 });
    const second = await importing(text, [], dry.data);
    expect(second).toMatchObject({ code: 0, tally: { imported: 0, known: 2, conflicts: 0, bad: 0 } });
    expect((await importing(text, ["--dry-run"], dry.data)).tally).toMatchObject({ imported: 0, known: 2 });
  });

  it("reports in a dry run what the import then does: by id, by key, and within the file", async () => {
    archived ??= (await archive(await stored())).lines;
    const [header = "", keyed = "", open = "", end = ""] = archived;
    const line = JSON.parse(keyed);
    const other = (id: string, more: object = {}) =>
      JSON.stringify({ ...line, ask: { ...line.ask, id, ...more } });
    const data = newFolder();
    await importing([header, other("ask_there"), end].join("\n"), [], data);
    const text = [
      ...[header, keyed, open, open, other("ask_1", { key: "k1" }), other("ask_2", { key: "k1" })],
      ...[other("ask_1", { key: "k2" }), end],
    ].join("\n");
    const dry = await importing(text, ["--dry-run"], data);
    expect(dry.tally).toMatchObject({ imported: 2, known: 1, conflicts: 3 });
    expect(dry.stderr).toContain("is already used in its session by ask_there");
    expect(dry.stderr).toContain("is already used in its session by ask_1");
    const { stderr, code, tally } = await importing(text, [], data);
    expect(dry).toMatchObject({ stderr, code, tally: { ...tally, dryRun: true } });
  });

  it("reports conflicts, changes nothing, and exits with 1", async () => {
    const server = await served();
    const { lines } = await archive(server);
    await server.run(["decline", server.ids[1] ?? ""]);
    const { code, stderr, tally } = await importing(lines.join("\n"), [], server.data);
    expect(stderr).toBe(
      `askline: line 3 was skipped: ${server.ids[1]} already exists and differs: it is declined in the store and pending in the file\n`,
    );
    expect(tally).toMatchObject({ imported: 0, known: 1, conflicts: 1 });
    expect(code).toBe(1);
  });

  it("notices a file that was cut off anywhere", async () => {
    const { lines } = await archive(await stored());
    const noEnd = await importing(lines.slice(0, 3).join("\n"));
    expect(noEnd).toMatchObject({ code: 1, tally: { imported: 2, whole: false } });
    expect(noEnd.stderr).toMatch(/the file has no last line: it was cut off/);
    const cut = await importing(lines.join("\n").slice(0, -200 - (lines[3] ?? "").length));
    expect(cut.stderr).toMatch(/line 3 is not JSON\naskline: the file has no last line/);
    const missing = await importing([lines[0], lines[1], lines[3]].join("\n"));
    expect(missing.stderr).toMatch(/should have 2 asks and 3 events, but has 1 and 2: lines are missing/);
    expect(missing.code).toBe(1);
  });

  it.each<readonly [string, (line: Line) => unknown, RegExp]>([
    ["no JSON", () => "{", /is not JSON/],
    ["no object", () => [], /is not an object/],
    ["of no kind", () => ({ kind: "tokens" }), /has an unknown kind/],
    [
      "a second header",
      (_line) => ({ kind: "header", format: "askline-export", version: 2, exportedAt: 1, store: "x" }),
      /a second header/,
    ],
    [
      "an ask without questions",
      (line) => ({ ...line, ask: { ...line.ask, questions: [] } }),
      /has an invalid ask/,
    ],
    ["an invalid id", (line) => ({ ...line, ask: { ...line.ask, id: "a b" } }), /without a valid id/],
    [
      "an invalid status",
      (line) => ({ ...line, ask: { ...line.ask, status: "lost" } }),
      /without a valid status/,
    ],
    [
      "a status without its outcome",
      (line) => ({ ...line, ask: { ...line.ask, status: "declined" } }),
      /an outcome that does not match its status/,
    ],
    [
      "an answer that does not fit",
      (line) => ({
        ...line,
        ask: {
          ...line.ask,
          outcome: { ...line.ask.outcome, answers: [{ question: "q1", selected: ["o9"] }] },
        },
      }),
      /an invalid outcome/,
    ],
    [
      "an answer by nobody",
      (line) => ({ ...line, ask: { ...line.ask, outcome: { ...line.ask.outcome, by: {} } } }),
      /it has no answerer/,
    ],
    [
      "an invalid time",
      (line) => ({ ...line, ask: { ...line.ask, createdAt: "now" } }),
      /without a valid createdAt/,
    ],
    [
      "no time of its end",
      (line) => ({ ...line, ask: { ...line.ask, settledAt: undefined } }),
      /a settledAt that does not match its status/,
    ],
    ["no events", (line) => ({ ...line, events: [] }), /do not begin with ask\.created/],
    [
      "an end that did not happen",
      (line) => ({ ...line, events: line.events.slice(0, 1) }),
      /events that do not match the outcome/,
    ],
    [
      "an unknown event",
      (line) => ({ ...line, events: [...line.events, { at: 1, type: "ask.eaten" }] }),
      /of an unknown type/,
    ],
    [
      "an asker that is no name",
      (line) => ({ ...line, ask: { ...line.ask, asker: "a\nb" } }),
      /without a valid asker/,
    ],
    ["a showing to nobody", (line) => ({ ...line, shown: [{ at: 1 }] }), /a showing without a person/],
  ])("reports a line that is %s, and imports the others", async (_name, spoil, message) => {
    archived ??= (await archive(await stored())).lines;
    const lines = archived;
    const spoilt = spoil(JSON.parse(lines[1] ?? "") as Line);
    const text = [lines[0], typeof spoilt === "string" ? spoilt : JSON.stringify(spoilt), ...lines.slice(2)];
    const { code, stderr, tally } = await importing(text.join("\n"));
    expect(stderr).toMatch(/^askline: line 2 [^\n]*\n$/);
    expect(stderr).toMatch(message);
    expect(tally).toMatchObject({ imported: 1, bad: 1 });
    expect(code).toBe(1);
  });

  it.each([
    ["something else", "hello\n", /line 1 is not JSON; give a file that .*askline export/],
    ["nothing", "", /the file is empty/],
    [
      "asks without a header",
      '{"kind":"end","asks":0,"events":0,"transcripts":0,"entries":0}\n',
      /line 1 is not a header/,
    ],
    [
      "a newer file",
      '{"kind":"header","format":"askline-export","version":3,"exportedAt":1,"store":"x"}\n',
      /npm install askline@latest/,
    ],
  ])("refuses %s as a whole", async (_name, text, message) => {
    const { code, stderr, stdout } = await importing(text);
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  it("says that a file cannot be read", async () => {
    const { code, stderr } = await runHere(["import", "/nowhere/asks.jsonl", "--data", newFolder()]);
    expect(stderr).toMatch(/^askline: cannot read \/nowhere\/asks\.jsonl .*check the path\n$/);
    expect(code).toBe(2);
  });
});

interface Line {
  readonly ask: Readonly<Record<string, unknown>> & { readonly outcome: object };
  readonly events: readonly object[];
}

describe("the lines of a stream", () => {
  it("are complete however they arrive, and dropped if they are too long", async () => {
    const bytes = Buffer.from('{"a":"ü"}\n\nlong long long\n\xff\n', "latin1");
    bytes.set(Buffer.from("ü"), 6);
    async function* chunks() {
      for (const byte of bytes) yield Buffer.from([byte]);
    }
    const { Readable } = await import("node:stream");
    const found = [];
    for await (const line of readLines(Readable.from(chunks()), 10)) found.push(line);
    expect(found.map(({ text, fault }) => text ?? fault)).toEqual([
      expect.stringMatching(/^\{"a":"ü/),
      "",
      "is longer than 10 bytes",
      "is not UTF-8",
    ]);
  });

  it("need no newline at the end", async () => {
    const path = join(newFolder(), "x");
    writeFileSync(path, "one\ntwo");
    const { createReadStream } = await import("node:fs");
    const found = [];
    for await (const { number, text } of readLines(createReadStream(path), 10)) found.push([number, text]);
    expect(found).toEqual([
      [1, "one"],
      [2, "two"],
    ]);
  });
});
