import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runtimes } from "../../scripts/prerequisites/runtimes.mjs";
import { root } from "./repository.ts";

const PROGRAMS: readonly {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}[] = [
  { name: "Node", program: process.execPath, args: [] },
  { name: "Deno", program: runtimes.deno, args: ["run", "--allow-all"] },
  { name: "Bun", program: runtimes.bun, args: [] },
];

describe.each(PROGRAMS)("on $name", ({ program, args }) => {
  it("a closed hub, server and client let the process end", async () => {
    const { ended } = start(program, [...args, join(root, "test/package/closing.mjs")]);
    expect(await ended).toEqual({
      code: 0,
      stdout: `["answered","closed","closed","closed"]\n`,
      stderr: "",
    });
  });

  it("askline serve takes asks, and ends when it is told to", async () => {
    const data = mkdtempSync(join(tmpdir(), "askline-runtime-"));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const flags = ["serve", "--port", "0", "--data", data, "--json"];
    const server = start(program, [...args, join(root, "dist/bin/askline.js"), ...flags]);
    const [banner] = (await once(server.child.stdout, "data")) as [Buffer];
    const { url } = JSON.parse(banner.toString());
    const demo = ["demo", "--answer-all", "--url", url, "--data", data];
    const { code, stdout } = await start(process.execPath, [join(root, "dist/bin/askline.js"), ...demo])
      .ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining("I would add PostgreSQL to the service.")]);
    server.child.kill("SIGTERM");
    expect(await server.ended).toMatchObject({ code: 0 });
  });
});

function start(program: string, args: readonly string[]) {
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [out, err] = [child.stdout, child.stderr].map(async (stream) => {
    let text = "";
    for await (const chunk of stream) text += String(chunk);
    return text;
  });
  const ended = once(child, "close").then(async ([code]) => ({
    code: code as number | null,
    stdout: await out,
    stderr: await err,
  }));
  return { child, ended };
}
