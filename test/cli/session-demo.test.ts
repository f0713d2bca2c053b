import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, afterEach, expect, it } from "vitest";
import type { HistoryMessage } from "../../src/core/model/history-message.ts";
import { ASKLINE, endProcesses, start } from "./processes.ts";
import { removeFolders, serveHere } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const shell = promisify(execFile);

/** Runs the last printed line for this route, as a shell would. */
async function copy(text: string, route: string): Promise<string> {
  const lines = text.split("\n").filter((line) => line.startsWith("  curl ") && line.endsWith(route));
  return (await shell("/bin/sh", ["-c", lines.at(-1)?.trim() ?? "false"])).stdout;
}

it("askline demo --session is a conversation that the printed lines answer, and its history shows it", async () => {
  const server = await serveHere();
  const demo = start(ASKLINE, ["demo", "--session"], { env: server.env });
  for (const number of [1, 2]) {
    const text = await demo.prints(`_${number}","answers"`);
    await copy(text.slice(0, text.lastIndexOf("\n")), "/messages");
  }
  const { code, stdout } = await demo.ended;
  expect(code).toBe(0);
  const messages = JSON.parse(await copy(stdout, "/history")) as readonly HistoryMessage[];
  expect(messages.map(({ display_type }) => display_type)).toEqual([
    "content",
    ...["group_start", "group_item", "group_item", "group_item", "group_end", "content"],
    ...["group_start", "group_item", "group_end", "content"],
    "content",
  ]);
  const blocks = messages.flatMap((message) => ("content" in message ? message.content : []));
  expect(blocks.filter((block) => "isResolved" in block && block.isResolved)).toHaveLength(2);
});

it("askline demo --session --answer-all needs no person", async () => {
  const server = await serveHere();
  const { code, stdout } = await server.run(["demo", "--session", "--answer-all", "--json"]);
  expect(code).toBe(0);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type),
  ).toEqual([...["opened", "asked", "ended", "asked", "ended", "finished"]]);
});
