// askline.mcpb: built by its script, checked and unpacked by the official tool, and started as its manifest says.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { isRunning, readBackground } from "../../../src/cli/connect/background-state.js";
import { newFolder, removeFolders } from "../../cli/servers.ts";
import { root } from "../../package/repository.ts";
import { connectClient, QUESTION } from "./clients.ts";

afterAll(removeFolders);

const TOOL = join(root, "test/agents/node_modules/@anthropic-ai/mcpb/dist/cli/cli.js");

it("is a valid bundle of all platforms, which asks without anything else installed", async () => {
  const folder = newFolder();
  const file = join(folder, "askline.mcpb");
  const run = (...args: readonly string[]) => execFileSync(process.execPath, args, { encoding: "utf8" });
  run(join(root, "scripts/build-mcpb.mjs"), file);
  const unpacked = join(folder, "unpacked");
  run(TOOL, "unpack", file, unpacked);
  expect(run(TOOL, "validate", join(unpacked, "manifest.json"))).toContain("passes");
  const manifest = JSON.parse(readFileSync(join(unpacked, "manifest.json"), "utf8")) as {
    readonly server: { readonly mcp_config: { readonly args: readonly string[] } };
    readonly tools: readonly { readonly name: string }[];
  };
  const data = newFolder();
  onTestFinished(() => {
    const state = readBackground(data);
    if (state !== undefined && isRunning(state.pid)) process.kill(state.pid, "SIGKILL");
  });
  const [command = "", ...args] = manifest.server.mcp_config.args.map((arg) =>
    arg.replace(/^\$\{__dirname\}/, unpacked),
  );
  const client = await connectClient("2.4", "stdio", "claude-ai", {
    ...{ url: "http://127.0.0.1:1", token: "", command, args: [...args, "--elicit", "--data", data] },
    env: { ASKLINE_PORT: "0", ASKLINE_PERSON: "ana" },
    onForm: () => ({ action: "accept", content: { q1: "o2" } }),
  });
  expect((await client.tools()).map(({ name }) => name)).toEqual(manifest.tools.map(({ name }) => name));
  const result = await client.call("ask_user_question", { questions: [QUESTION] });
  expect(result.structuredContent).toMatchObject({
    answers: [{ choices: [{ label: "SQLite" }] }],
    answered_by: { id: "ana" },
  });
  expect(readBackground(data)).toBeDefined();
});
