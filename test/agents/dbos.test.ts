// The ten lines of docs/engines.md for DBOS, as they stand there, on a real PostgreSQL: a workflow asks, its process is
// killed while a person thinks, and the workflow that goes on gets the outcome.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { afterEach, expect, it } from "vitest";
import { callbackPolicy } from "../../src/hub/delivery/callbacks.ts";
import { signingSecret } from "../../src/hub/delivery/http/signing.ts";
import { createHub } from "../../src/hub/index.ts";
import { postgresStore } from "../../src/hub/stores/postgres/index.ts";
import { systemClock } from "../../src/index.ts";
import { startDelivery } from "../../src/people/channels/delivery.ts";
import { codeBlocks } from "../package/code-blocks.ts";
import { root } from "../package/repository.ts";
import { closeServers, openServer, until } from "../server/open-server.ts";
import { freshSchema, sharedPostgres } from "../support/shared-postgres.ts";

const running = new Set<ChildProcess>();
const closing: (() => Promise<unknown>)[] = [];
// Below the frameworks' node_modules, so that it finds them.
const program = join(import.meta.dirname, `node_modules/.cache/dbos-${process.pid}.mjs`);

afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  for (const close of closing.splice(0).reverse()) await close();
  await closeServers();
  rmSync(program, { force: true });
});

/** The program around the lines: a client, the route of the callback, and DBOS itself. */
function programOf(lines: string): string {
  const route = lines.indexOf("// The route");
  return `
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { Webhook } from "standardwebhooks";
import { connect } from ${JSON.stringify(pathToFileURL(join(root, "dist/client/index.js")).href)};

const { url, token, secret, database, port, workflow } = JSON.parse(process.argv[2]);
const APP = \`http://127.0.0.1:\${port}\`;
const questions = [{ question: "Deploy to production?", options: ["Yes", "No"] }];
const askline = connect({ url, token });

${lines.slice(0, route)}
const run = DBOS.registerWorkflow(deploy, { name: "deploy" });
createServer(async (request, response) => {
  const { data } = new Webhook(secret).verify(await text(request), request.headers);
  ${lines.slice(route)}
  response.end();
}).listen(port, "127.0.0.1");
DBOS.setConfig({ name: "askline-test", systemDatabaseUrl: database, logLevel: "error", runAdminServer: false });
await DBOS.launch();
const handle = await DBOS.startWorkflow(run, { workflowID: workflow })();
console.log("started");
console.log(JSON.stringify(await handle.getResult()));
process.exit();
`;
}

function start(options: object): { readonly child: ChildProcess; prints(text: string): Promise<string> } {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const lines: string[] = [];
  createInterface(child.stdout as NodeJS.ReadableStream).on("line", (line) => lines.push(line));
  createInterface(child.stderr as NodeJS.ReadableStream).on("line", (line) => lines.push(line));
  return {
    child,
    prints: (text) =>
      until(() => {
        if (child.exitCode !== null && child.exitCode !== 0) throw new Error(lines.join("\n"));
        return lines.find((line) => line.startsWith(text));
      }),
  };
}

it("gets the outcome into a DBOS workflow whose process was killed while it waited", async () => {
  const block = codeBlocks(readFileSync(join(root, "docs/engines.md"), "utf8")).find(({ text }) =>
    text.includes("DBOS.recv"),
  );
  mkdirSync(join(program, ".."), { recursive: true });
  writeFileSync(program, programOf(block?.text ?? ""));

  const database = await sharedPostgres();
  const store = postgresStore({ url: database, schema: freshSchema() });
  const callbacks = { allowPrivate: true };
  const hub = await createHub({ store, callbacks: callbackPolicy(callbacks) });
  const deliveries = await startDelivery({ hub, store, callbacks });
  closing.push(async () => {
    await deliveries.close();
    await hub.close();
  });
  const open = await openServer({ hub, store, clock: systemClock });
  const token = await open.token({ role: "agent", name: "deployer" });
  const secret = await signingSecret(store.records, { asker: "deployer" });
  const free = await openServer();
  const port = Number(new URL(free.url).port);
  await free.close();
  const system = new URL(database);
  system.pathname = `/dbos_${freshSchema()}`;
  const options = { url: open.url, token, secret, database: system.href, port, workflow: "deploy-1" };

  const first = start(options);
  await first.prints("started");
  const ask = await until(async () => (await hub.list({ status: "pending" })).asks[0]);
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  const by = { kind: "person", id: "ana", surface: "test" } as const;
  await hub.answer(ask.id, { answers: [{ question: "q1", selected: ["o1"] }] }, { by });

  const second = start(options);
  const outcome = JSON.parse(await second.prints("{")) as unknown;
  expect(outcome).toMatchObject({ kind: "answered", choices: [{ labels: ["Yes"] }], by: { id: "ana" } });
  // Asked once, in spite of the second start.
  expect((await hub.list({ status: "settled" })).asks).toHaveLength(1);
});
