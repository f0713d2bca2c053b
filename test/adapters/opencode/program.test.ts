import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCredentials } from "../../../src/cli/connect/credentials.js";
import { type Client, connect } from "../../../src/client/index.ts";
import type { Ask } from "../../../src/core/index.ts";
import { ASKLINE, endProcesses, start } from "../../cli/processes.ts";
import { removeFolders, serve } from "../../cli/servers.ts";
import { type LoopbackModel, startLoopbackModel } from "../loopback-model.ts";
import { type OpencodeProgram, startOpencode } from "./opencode-program.ts";

// The machine may be busy with other tests.
const poll = <T>(look: () => T) => expect.poll(look, { timeout: 30_000 });

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

describe("the real opencode, with a model on loopback", { timeout: 60_000 }, () => {
  let model: LoopbackModel;
  let opencode: OpencodeProgram;
  let person: Client;

  beforeAll(async () => {
    model = await startLoopbackModel({
      here: [question("Which colour, here?")],
      there: [question("Which colour, there?")],
      dismissed: [question("Which colour, if any?")],
      rejected: [bash("touch rejected.txt")],
      approved: [bash("touch approved.txt")],
    });
    const [server, program] = await Promise.all([
      serve(undefined, { args: ["--person", "ana"] }),
      startOpencode(model.url, { permission: { bash: "ask" } }),
    ]);
    opencode = program;
    person = connect({ url: server.url, token: readCredentials(server.data, server.url)?.person ?? "" });
    await opencode.shows("Ask anything");
    const bridge = start(ASKLINE, ["opencode", opencode.url], {
      env: { ASKLINE_DATA: server.data, ASKLINE_PERSON: "ana" },
    });
    await bridge.shows("connected to opencode");
  }, 60_000);
  afterAll(async () => {
    await person?.close();
    await opencode?.close();
    endProcesses();
    await model?.close();
    removeFolders();
  });

  /** Types a prompt into opencode, and returns the ask that the model's call becomes. */
  async function prompt(script: string): Promise<Ask> {
    await poll(async () => (await fetch(`${opencode.url}/session/status`)).json()).toEqual({});
    opencode.type(`SCRIPT:${script}`);
    await opencode.shows(`SCRIPT:${script}`);
    opencode.type("\r");
    for await (const ask of person.watch({ status: "pending" })) return ask;
    throw new Error("the watch has ended");
  }

  it("goes on with an answer from our inbox, and its interface closes the question", async () => {
    const ask = await prompt("here");
    expect(ask).toMatchObject({ agentId: "opencode", metadata: { project: "project" } });
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
    expect(existsSync(join(opencode.project, "rejected.txt"))).toBe(false);
  });

  it("runs what is approved in our inbox", async () => {
    const { id } = await prompt("approved");
    await person.decide(id, { decisions: [{ action: "a1", kind: "approve" }] });
    await poll(() => existsSync(join(opencode.project, "approved.txt"))).toBe(true);
  });
});
