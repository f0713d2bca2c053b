import { afterEach, describe, expect, it } from "vitest";
import { ASK_USER, ASKLINE, type Ended, endProcesses, run, start } from "./processes.ts";

afterEach(endProcesses);

const COMMANDS = [
  { name: "askline toolbox", script: ASKLINE, args: ["toolbox"] },
  { name: "ask_user", script: ASK_USER, args: [] },
];

describe.each(COMMANDS)("$name", ({ script, args }) => {
  async function toolbox(
    action: string | undefined,
    input: string,
  ): Promise<Ended & { readonly json: unknown }> {
    const env = action === undefined ? {} : { TOOLBOX_ACTION: action };
    const ended = await run(script, args, { input, env });
    expect(ended.stdout).toMatch(/^[^\n]+\n$/);
    expect(ended.stderr).toBe("");
    return { ...ended, json: JSON.parse(ended.stdout) };
  }

  it("prints one line of JSON and exits 0", async () => {
    const { code, json } = await toolbox("execute", '{"question":"Q?","options":["A","B"]}');
    expect(json).toMatchObject({
      tool: "ask_user",
      status: "ok",
      prompt: { answer_format: { min: 1, max: 2 } },
    });
    expect(code).toBe(0);
  });

  it("exits 1 with INVALID_OPTIONS for an option given twice", async () => {
    const { code, json } = await toolbox("execute", '{"question":"Q?","options":["A","A"]}');
    expect(json).toMatchObject({ status: "error", error: { code: "INVALID_OPTIONS" } });
    expect(code).toBe(1);
  });

  it.each([undefined, "", "nope", "Describe"])("exits 1 with UNKNOWN_ACTION for %j", async (action) => {
    const { code, json } = await toolbox(action, "");
    expect(json).toMatchObject({ status: "error", error: { code: "UNKNOWN_ACTION" } });
    expect(code).toBe(1);
  });

  it("exits 1 with INVALID_JSON for an empty stdin and for no JSON", async () => {
    for (const input of ["", "nope"]) {
      const { code, json } = await toolbox("execute", input);
      expect(json).toMatchObject({ status: "error", error: { code: "INVALID_JSON" } });
      expect(code).toBe(1);
    }
  });

  it("reported input over 4 MiB as an internal error", async () => {
    const { code, json } = await toolbox("execute", "x".repeat(4_194_305));
    expect(json).toMatchObject({
      status: "error",
      error: { code: "INPUT_TOO_LONG", message: expect.stringContaining("4 MiB") },
    });
    expect(code).toBe(1);
  });

  it("describes itself without reading stdin, which stays open", async () => {
    const { code, stdout } = await start(script, args, { env: { TOOLBOX_ACTION: "describe" } }).ended;
    expect(JSON.parse(stdout)).toMatchObject({ name: "ask_user", args: { question: expect.anything() } });
    expect(code).toBe(0);
  });

  it("waits for an input that comes in pieces, cut inside a character", async () => {
    const process = start(script, args, { env: { TOOLBOX_ACTION: "execute" } });
    process.child.stdin?.write('{"question":"Gr');
    process.child.stdin?.write(Buffer.from("ö").subarray(0, 1));
    await new Promise((resolve) => setImmediate(resolve));
    process.child.stdin?.end(
      Buffer.concat([Buffer.from("ö").subarray(1), Buffer.from('ße?","options":["A","B"]}')]),
    );
    const { code, stdout } = await process.ended;
    expect(JSON.parse(stdout)).toMatchObject({ prompt: { question: "Größe?" } });
    expect(code).toBe(0);
  });

  it("exits 1 without a stack when nobody reads stdout", async () => {
    const process = start(script, args, { env: { TOOLBOX_ACTION: "execute" } });
    process.child.stdout?.destroy();
    process.child.stdin?.end('{"question":"Q?","options":["A","B"]}');
    const { code, stderr } = await process.ended;
    expect(stderr).toBe("");
    expect(code).toBe(1);
  });
});
