import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { endProcesses, ROOT, run } from "./processes.ts";

afterEach(endProcesses);

describe("examples", () => {
  const demo = join(ROOT, "examples/cli/main.mjs");
  const chat = join(ROOT, "examples/console-chat/main.mjs");

  it("cli asks two questions and shows the canonical text", async () => {
    const { code, stdout } = await run(demo, [], { input: "1\n1,2\n" });
    expect(stdout).toContain("  1) OAuth (Recommended) — ");
    expect(stdout).toMatch(
      /\nWhich auth method should we wire up first\?\nOAuth \(Recommended\)\n\nWhich languages need first-class SDKs\?\n- Go\n- TypeScript\n$/,
    );
    expect(code).toBe(0);
  });

  it("cli says that a blank line cancelled", async () => {
    const { code, stdout } = await run(demo, [], { input: "\n" });
    expect(stdout).toMatch(/\n\[cancelled by user\]\n$/);
    expect(code).toBe(0);
  });

  it("durable continues after a kill with the answer that came meanwhile", async () => {
    const { code, stdout } = await run(join(ROOT, "examples/durable/main.mjs"), []);
    expect(stdout).toMatch(
      /went on with the answer:\nThe person answered:\n1\. .*\n {3}chose: "Production"\n$/,
    );
    expect(code).toBe(0);
  });

  it.each([
    ["express", /^Express: each person saw and answered only their own question\.\n$/],
    ["hono", /^Hono: each person saw and answered only their own question\.\n$/],
    ["web-handler", /^User has answered your questions: \{.*"Authentication, Database"\}\n$/],
  ])("%s checks itself", async (name, printed) => {
    const { code, stdout, stderr } = await run(join(ROOT, `examples/${name}/main.mjs`), []);
    expect(stderr).toBe("");
    expect(stdout).toMatch(printed);
    expect(code).toBe(0);
  });

  it("mcp asks through a server in the background and leaves nothing behind", async () => {
    const { code, stdout } = await run(join(ROOT, "examples/mcp/main.mjs"), []);
    expect(stdout).toMatch(/^The person answered:\n1\. .*\n {3}chose: "SQLite"\n$/);
    expect(code).toBe(0);
  });

  it("console-chat continues with the answers", async () => {
    const { code, stdout } = await run(chat, [], { input: "2\n1,3\n" });
    expect(stdout).toMatch(/\nAssistant: I will set up Day\.js with Time zones, Locales\.\n$/);
    expect(code).toBe(0);
  });

  it("console-chat takes typed text, and says so when nobody answers", async () => {
    expect((await run(chat, [], { input: "Temporal\n\n" })).stdout).toMatch(
      /set up Temporal with no extra features/,
    );
    expect(await run(chat, [], { input: "" })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Nobody answered: .*\n$/),
    });
  });
});
