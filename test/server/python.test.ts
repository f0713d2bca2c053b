import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { memoryStore } from "../../src/hub/index.ts";
import { openServer } from "../client/real-server.ts";
import { codeBlocks } from "../package/code-blocks.ts";
import { root } from "../package/repository.ts";

const [program] = codeBlocks(readFileSync(join(root, "docs/http.md"), "utf8")).filter(
  ({ language }) => language === "python",
);
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const why = hasPython ? "" : " (not run: python3 is not on this machine)";

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
});

function start(url: string, token: string) {
  const env = { ...process.env, ASKLINE_URL: url, ASKLINE_TOKEN: token };
  const child = spawn("python3", ["-c", program?.text ?? ""], { env });
  running.add(child);
  let text = "";
  const collect = (chunk: Buffer): void => {
    text += chunk;
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  return { child, output: once(child, "close").then(() => text) };
}

it.skipIf(!hasPython)(
  `the Python program of docs/http.md survives a kill and a restart of the server${why}`,
  async () => {
    const store = memoryStore();
    const server = await openServer({ store });
    const first = start(server.url, server.agentToken);
    const asks = server.hub.watch()[Symbol.asyncIterator]();
    const { id } = (await asks.next()).value;
    first.child.kill("SIGKILL");
    await first.output;

    const second = start(server.url, server.agentToken);
    await server.kill();
    await server.hub.answer(
      id,
      { answers: [{ question: "q1", selected: ["o2"] }] },
      { by: { kind: "person", id: "ana", surface: "test" } },
    );
    const again = await openServer({
      store,
      hub: server.hub,
      port: server.port,
      agentToken: server.agentToken,
    });
    expect(await second.output).toBe("chose: Production\n");
    expect((await server.hub.list({})).asks).toHaveLength(1);
    await again.close();
    await server.hub.close();
  },
);

it.skipIf(!hasPython)(`the Python program says what the server refuses${why}`, async () => {
  const server = await openServer();
  expect(await start(server.url, "wrong").output).toMatch(/RuntimeError: .*token/);
  await server.close();
});
