import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCredentials } from "../../../src/cli/connect/credentials.js";
import { type Client, connect } from "../../../src/client/index.ts";
import type { Ask } from "../../../src/index.ts";
import { ASKLINE, endProcesses, start } from "../../cli/processes.ts";
import { removeFolders, type ServeProcess, serve } from "../../cli/servers.ts";
import { type LoopbackModel, startLoopbackModel } from "../loopback-model.ts";
import type { ProgramTerminal } from "../program-terminal.ts";
import { createOpencodeHome, type OpencodeHome, startOpencode } from "./opencode-program.ts";

// The machine may be busy with other tests.
const poll = <T>(look: () => T) => expect.poll(look);

const LONG = 'Green, "dark"';
const question = (text: string) => [
  {
    name: "question",
    input: {
      questions: [
        {
          question: text,
          header: "Choice",
          options: [
            { label: "Red", description: "warm" },
            { label: LONG, description: "calm" },
          ],
        },
      ],
    },
  },
];
const bash = (command: string) => [{ name: "bash", input: { command, description: "Do it" } }];

describe("the real opencode, connected by askline connect, with a model on loopback", () => {
  let model: LoopbackModel;
  let home: OpencodeHome;
  let opencode: ProgramTerminal;
  let server: ServeProcess;
  let person: Client;

  beforeAll(async () => {
    model = await startLoopbackModel({
      here: [question("Which colour, here?")],
      there: [question("Which colour, there?")],
      dismissed: [question("Which colour, if any?")],
      lost: [question("Which colour, at last?")],
      rejected: [bash("touch rejected.txt")],
      approved: [bash("touch approved.txt"), bash("touch remembered.txt")],
    });
    home = createOpencodeHome(model.url, { permission: { bash: "ask" } });
    server = await serve(undefined, { args: ["--person", "ana"] });
    person = connect({ url: server.url, token: readCredentials(server.data, server.url)?.person ?? "" });
    expect(await askline("connect", "opencode", "--yes", "--person", "ana")).toContain("Connected");
    opencode = startOpencode(home);
    await opencode.shows("Ask anything");
  });
  afterAll(async () => {
    await person?.close();
    opencode?.kill();
    await opencode?.exited;
    endProcesses();
    await model?.close();
    home?.remove();
    removeFolders();
  });

  /** Runs a command as the user of this opencode. */
  async function askline(...args: readonly string[]): Promise<string> {
    const env = { HOME: home.home, ASKLINE_DATA: server.data };
    const { code, stdout, stderr } = await start(ASKLINE, [...args, "--data", server.data], {
      ...{ env, input: "", detached: true },
    }).ended;
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  }

  /** Types a prompt into opencode, and returns the ask that the model's call becomes. */
  async function prompt(script: string): Promise<Ask> {
    await poll(() => opencode.screen()).not.toMatch(/esc (interrupt|dismiss)/);
    opencode.type(`SCRIPT:${script}`);
    await opencode.shows(`SCRIPT:${script}`);
    opencode.type("\r");
    for await (const ask of person.watch({ status: "pending" })) return ask;
    throw new Error("the watch has ended");
  }

  it("goes on with an answer from our inbox, and its interface closes the question", async () => {
    const ask = await prompt("here");
    expect(ask).toMatchObject({ agentId: "opencode", metadata: { project: home.project } });
    await opencode.shows("esc dismiss");
    await person.answer(ask.id, { answers: [{ question: "q1", selected: ["o2"] }] });
    await poll(() => model.results.join("\n")).toContain(`"Which colour, here?"="${LONG}"`);
    await poll(() => opencode.screen()).not.toContain("esc dismiss");
  });

  it("is answered in its own interface, and our ask ends with that answer", async () => {
    const { id } = await prompt("there");
    await opencode.shows(/1\. Red/);
    opencode.type("\r");
    expect(await person.wait(id)).toMatchObject({
      kind: "answered",
      answers: [{ question: "q1", selected: ["o1"] }],
      by: { kind: "person", id: "ana", surface: "opencode" },
    });
    await poll(() => model.results.join("\n")).toContain('"Which colour, there?"="Red"');
  });

  it("has a question dismissed in its own interface, and our ask ends as declined", async () => {
    const { id } = await prompt("dismissed");
    await opencode.shows("esc dismiss");
    opencode.type("\u001b");
    expect(await person.wait(id)).toMatchObject({ kind: "declined", by: { id: "ana" } });
  });

  it("runs nothing that is rejected in our inbox, and its model reads why", async () => {
    const ask = await prompt("rejected");
    expect(ask.approval?.actions).toMatchObject([{ name: "bash", args: { command: "touch rejected.txt" } }]);
    const decisions = [{ action: "a1", kind: "reject" as const, message: "not on a Friday" }];
    await person.decide(ask.id, { decisions });
    await poll(() => model.results.join("\n")).toContain("not on a Friday");
    expect(existsSync(join(home.project, "rejected.txt"))).toBe(false);
  });

  it("runs what is approved in our inbox, and what its own rule allows from then on", async () => {
    const { id, approval } = await prompt("approved");
    const [remember = ""] = approval?.actions[0]?.rules ?? [];
    expect(remember).toContain('"touch *"');
    await person.decide(id, { decisions: [{ action: "a1", kind: "approve", remember }] });
    for (const name of ["approved.txt", "remembered.txt"]) {
      await poll(() => existsSync(join(home.project, name))).toBe(true);
    }
  });

  it("has its ask withdrawn when it is killed: it does not store its questions", async () => {
    const { id } = await prompt("lost");
    opencode.kill();
    expect(await person.wait(id)).toEqual({ kind: "withdrawn", reason: "opencode has ended" });
  });

  it("is disconnected again, and its settings are as they were", async () => {
    const settings = join(home.home, ".config/opencode/opencode.jsonc");
    expect(readFileSync(settings, "utf8")).toMatch(/^\/\/ mine\n[\s\S]*"mcp": \{\n {4}"askline": \{/);
    expect(await askline("connect", "opencode", "--remove", "--yes")).toContain("Removed");
    expect(readFileSync(settings, "utf8")).toMatch(/^\/\/ mine\n/);
    expect(readFileSync(settings, "utf8")).not.toContain("askline");
    expect(readdirSync(join(home.home, ".config/opencode/plugin"))).toEqual([]);
  });
});
