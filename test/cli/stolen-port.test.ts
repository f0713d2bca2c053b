import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { readBackground } from "../../src/cli/connect/background-state.js";
import { credentialsPath, readCredentials } from "../../src/cli/connect/credentials.js";
import { createProgram } from "../../src/cli/program.js";
import { connect } from "../../src/client/index.js";
import type { Ask } from "../../src/index.js";
import { openAppServer } from "../agents/codex/scripted-app-server.ts";
import { openReplay } from "../agents/opencode/replay-server.ts";
import { until } from "../server/open-server.ts";
import { runHere } from "./in-process.ts";
import { ASKLINE, endProcesses, ROOT, type Running, run, start } from "./processes.ts";
import { newFolder, removeFolders, type ServeProcess, serve } from "./servers.ts";
import { closeThieves, HARMLESS, LIE, steal, type Thief } from "./thief.ts";

afterEach(() => {
  closeThieves();
  endProcesses();
  removeFolders();
});

async function killed(open: ServeProcess): Promise<void> {
  open.running.child.kill("SIGKILL");
  await open.running.ended;
}

function expectNothing({ received }: Thief): void {
  expect(received.filter((text) => !HARMLESS.test(text))).toEqual([]);
}

/** The server again, on the same port. */
function back({ url, data }: ServeProcess): Promise<ServeProcess> {
  return serve(data, { port: new URL(url).port });
}

/** The one pending ask of a server, once there is one. */
async function pendingAsk({ url, data }: ServeProcess): Promise<Ask> {
  const client = connect({ url, token: readCredentials(data, url)?.person ?? "" });
  const ask = await until(async () => (await client.list({ status: "pending" })).asks[0]);
  await client.close();
  return ask;
}

const ID = "01890000";
const EVENT = {
  ...{ session_id: "s1", prompt_id: "p1", cwd: "/shop", hook_event_name: "PermissionRequest" },
  ...{ tool_name: "Bash", tool_input: { command: "rm -rf /" } },
};

/** How each command is run at a server. A text says why it sends no credential to one that was not proved. */
const COMMANDS: Readonly<Record<string, readonly string[] | string>> = {
  serve: "it is the server",
  stop: ["stop"],
  link: ["link"],
  demo: "it starts its own server",
  token: ["token", "list"],
  doctor: ["doctor"],
  backup: "it opens the store",
  export: "it opens the store",
  import: "it opens the store",
  people: "it opens the store",
  deliveries: ["deliveries"],
  prune: "it opens the store",
  ask: ["ask", "--question", "Ship it?", "--option", "Yes", "--option", "No", "--session", "s"],
  mcp: "a test of its own, below",
  acp: "a test of its own, below",
  hook: "a test of its own, below",
  connect: ["connect", "claude", "--yes"],
  codex: "a test of its own, below",
  opencode: "a test of its own, below",
  toolbox: "it asks at the terminal",
  status: ["status"],
  inbox: ["inbox", "--plain"],
  list: ["list"],
  show: ["show", ID],
  audit: ["audit", ID],
  watch: "a test of its own, below",
  answer: ["answer", ID, "--pick", "1"],
  approve: ["approve", ID],
  reject: ["reject", ID],
  rules: ["rules"],
  notifications: ["notifications", "mute", "builder"],
  decline: ["decline", ID],
  reply: ["reply", ID, "later"],
  withdraw: ["withdraw", ID],
};

describe("a program that took the port while the server was down", () => {
  it("got the person's token from every command", async () => {
    const program = await createProgram([], {} as never);
    const names = program.commands.map((command) => command.name()).filter((name) => name !== "help");
    expect(Object.keys(COMMANDS).sort()).toEqual(names.sort());

    const open = await serve();
    await killed(open);
    const thief = await steal(open.url);
    const { port } = new URL(open.url);
    // By its URL, and as the server of this machine.
    const environments = [open.env, { ASKLINE_DATA: open.data, ASKLINE_PORT: port }];
    // Claude Code is installed there; otherwise "connect" ends before it looks for a server.
    const home = newFolder();
    mkdirSync(join(home, ".claude"));
    const runs = Object.values(COMMANDS).flatMap((args) =>
      typeof args === "string"
        ? []
        : environments.map(async (env) => ({ args, ended: await runHere(args, { env, home }) })),
    );
    const all = await Promise.all(runs);
    expect(all.some(({ ended }) => ended.stdout.includes("Connected as"))).toBe(true);
    for (const { args, ended } of all) {
      expect([args, ended.stdout.includes(LIE), ended.stderr.includes(LIE)]).toEqual([args, false, false]);
    }
    expect(thief.received.some((text) => text.startsWith("GET /proof?"))).toBe(true);
    expectNothing(thief);
    const { stderr } = await runHere(["list"], { env: open.env });
    expect(stderr).toContain("did not prove that it is your server, so nothing was sent to it");

    await thief.close();
    const real = await back(open);
    expect((await runHere(["list"], { env: real.env })).stdout).toBe("Nothing is waiting for an answer.\n");
  }, 60_000);

  it("passed the nonce on to the real server, which listens elsewhere", async () => {
    const open = await serve();
    await killed(open);
    const real = await serve(open.data);
    const thief = await steal(open.url, real.url);
    expect((await runHere(["list"], { env: open.env })).stderr).toContain(
      "did not prove that it is your server",
    );
    expectNothing(thief);
    expect((await runHere(["list"], { env: real.env })).code).toBe(0);
  }, 30_000);

  it("was where askline link signed the person in, with a code that works at the real server", async () => {
    const open = await serve();
    await killed(open);
    const thief = await steal(open.url);
    for (const env of [open.env, { ASKLINE_PORT: new URL(open.url).port }]) {
      const { code, stdout, stderr } = await runHere(["link", "--data", open.data], { env });
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain("did not prove that it is your server");
    }
    expectNothing(thief);
  }, 30_000);

  it("allowed a tool call of Claude Code through the hook", async () => {
    const open = await serve();
    await killed(open);
    const thief = await steal(open.url);
    const hook = start(
      ASKLINE,
      ["hook", "claude", "--token", readCredentials(open.data, open.url)?.agent ?? ""],
      {
        ...{ env: open.env, input: JSON.stringify(EVENT), detached: true },
      },
    );
    await thief.asked(2);
    expectNothing(thief);
    await thief.close();
    const real = await back(open);
    const { id } = await pendingAsk(real);
    expect(await runHere(["reject", id], { env: real.env })).toMatchObject({ code: 0 });
    const { stdout } = await hook.ended;
    expect(JSON.parse(stdout).hookSpecificOutput.decision.behavior).toBe("deny");
  }, 60_000);

  it("got the token of askline mcp, and answered its questions", async () => {
    const open = await serve();
    const mcp = start(ASKLINE, ["mcp"], { env: open.env, detached: true });
    const send = (message: object): void => {
      mcp.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    };
    const clientInfo = { name: "test", version: "1" };
    send({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
    });
    await mcp.prints('"id":1');
    send({ method: "notifications/initialized" });
    await killed(open);
    const thief = await steal(open.url);
    const questions = [
      {
        question: "Ship it?",
        header: "Ship",
        options: [
          { label: "Yes", description: "y" },
          { label: "No", description: "n" },
        ],
      },
    ];
    send({ id: 2, method: "tools/call", params: { name: "ask_user_question", arguments: { questions } } });
    await thief.asked(2);
    expectNothing(thief);
    await thief.close();
    const real = await back(open);
    const { id } = await pendingAsk(real);
    expect(await runHere(["answer", id, "--pick", "1"], { env: real.env })).toMatchObject({ code: 0 });
    expect(await mcp.prints('"id":2')).not.toContain(LIE);
  }, 60_000);

  const QUESTION = ["answer", "--pick", "1"] as const;
  const APPROVAL = ["approve"] as const;
  /** An agent that has asked: how its bridge is started, how a person ends the ask, what the agent then received. */
  const BRIDGES = {
    acp: async () => ({
      args: ["--prompt", "deploy", "--", process.execPath, join(ROOT, "test/agents/acp-agent.mjs")],
      end: QUESTION,
      reply: async (bridge: Running) => (await bridge.ended).stdout.trim(),
      expected: "Chosen: yes\uFFFD[2J",
    }),
    codex: async () => {
      const app = await openAppServer();
      const id = app.ask("command");
      return {
        args: [app.url],
        end: APPROVAL,
        reply: () => app.result(id),
        expected: { decision: "accept" },
      };
    },
    opencode: async () => {
      const agent = await openReplay();
      const id = agent.ask({}, "permission");
      const reply = () => agent.received(`/permission/${id}/reply`);
      return { args: [agent.url], end: APPROVAL, reply, expected: { reply: "once" } };
    },
  };

  describe.each(Object.entries(BRIDGES))(
    "got the token of askline %s, and answered its agent",
    (name, open) => {
      it("at a server that was named", async () => {
        const server = await serve();
        await killed(server);
        const thief = await steal(server.url);
        const { args, end, reply, expected } = await open();
        const bridge = start(ASKLINE, [name, ...args], { env: server.env, detached: true });
        await thief.asked(2);
        expectNothing(thief);
        await thief.close();
        const real = await back(server);
        const [verb, ...flags] = end;
        const { id } = await pendingAsk(real);
        expect(await runHere([verb, id, ...flags], { env: real.env })).toMatchObject({ code: 0 });
        expect(await reply(bridge)).toEqual(expected);
        expectNothing(thief);
      }, 60_000);

      it("at the server of this machine, which it starts again elsewhere", async () => {
        const server = await serve();
        await killed(server);
        const thief = await steal(server.url);
        const { args, end, reply, expected } = await open();
        const env = { ASKLINE_DATA: server.data, ASKLINE_PORT: new URL(server.url).port };
        onTestFinished(async () => void (await runHere(["stop"], { env })));
        const bridge = start(ASKLINE, [name, ...args], { env, detached: true });
        const { url } = await until(() => readBackground(server.data));
        const [verb, ...flags] = end;
        const { id } = await pendingAsk({ url, data: server.data } as ServeProcess);
        expect(await runHere([verb, id, ...flags], { env: { ...env, ASKLINE_URL: url } })).toMatchObject({
          code: 0,
        });
        expect(await reply(bridge)).toEqual(expected);
        expectNothing(thief);
      }, 60_000);
    },
  );

  it("got the token of a command that lost its connection", async () => {
    const open = await serve();
    const watch = start(ASKLINE, ["watch", "--json"], { env: open.env, detached: true });
    const asked = await open.ask(["--question", "First?", "--option", "Yes", "--option", "No"]);
    await watch.prints(asked.id);
    await killed(open);
    const thief = await steal(open.url);
    await thief.asked(3);
    expectNothing(thief);
    await thief.close();
    const real = await back(open);
    expect(await runHere(["answer", asked.id, "--pick", "1"], { env: real.env })).toMatchObject({ code: 0 });
    expect(await watch.prints('"status":"answered"')).not.toContain(LIE);
    expect((await asked.running.ended).code).toBe(0);
  }, 60_000);

  it("got the token of a program that uses connect()", async () => {
    const open = await serve();
    await killed(open);
    const thief = await steal(open.url);
    const script = join(newFolder(), "ask.mjs");
    const client = new URL("../../dist/client/index.js", import.meta.url).href;
    writeFileSync(
      script,
      `import { connect } from ${JSON.stringify(client)};
const client = connect({ as: "person", logger: { warn() {}, error() {} } });
console.log((await client.list()).asks.length);
await client.close();`,
    );
    const env = { ASKLINE_DATA: open.data, ASKLINE_PORT: new URL(open.url).port };
    const program = start(script, [], { env });
    await thief.asked(2);
    expectNothing(thief);
    await thief.close();
    await back(open);
    expect(await program.ended).toMatchObject({ code: 0, stdout: "0\n" });
  }, 60_000);
});

/** The credentials file as the last version wrote it. */
function withoutProof(data: string): void {
  const path = credentialsPath(data);
  writeFileSync(path, readFileSync(path, "utf8").replace(/,\s*"proof": "[^"]*"/, ""));
}

describe("a server of an older version, which cannot prove itself", () => {
  it("was sent the token; now the command says to restart it", async () => {
    const open = await serve();
    withoutProof(open.data);
    const received: string[] = [];
    for (const args of [["list"], ["ask", "--question", "Ship it?", "--option", "Yes", "--option", "No"]]) {
      const { code, stderr } = await runHere(args, { env: { ASKLINE_DATA: open.data } });
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/older version .* restart it: "askline stop"/),
      ]);
    }
    expect(received).toEqual([]);
  }, 30_000);

  it("gets what it needs at its next start, and the file keeps everything else", async () => {
    const open = await serve();
    const before = readCredentials(open.data, open.url);
    await killed(open);
    withoutProof(open.data);
    const real = await back(open);
    const after = readCredentials(real.data, real.url);
    expect(after).toEqual({ ...before, proof: expect.stringMatching(/^[\w-]{43}\.[\w-]{43}$/) });
    expect(statSync(credentialsPath(real.data)).mode & 0o777).toBe(0o600);
    expect((await runHere(["list"], { env: real.env })).code).toBe(0);
    const kept = readCredentials(real.data, real.url)?.proof;
    await killed(real);
    await back(real);
    expect(readCredentials(real.data, real.url)?.proof).toBe(kept);
  }, 30_000);

  it("is replaced by the new version if it runs in the background", async () => {
    const data = newFolder();
    const env = { ASKLINE_DATA: data };
    const asking = () =>
      start(ASKLINE, ["hook", "claude"], { env, input: JSON.stringify(EVENT), detached: true });
    const first = asking();
    const old = await until(() => readBackground(data));
    await pendingAsk({ url: old.url, data } as ServeProcess);
    first.child.kill("SIGKILL");
    await first.ended;
    withoutProof(data);
    const second = asking();
    const next = await until(() => {
      const state = readBackground(data);
      return state !== undefined && state.pid !== old.pid ? state : undefined;
    });
    const { id } = await pendingAsk({ url: next.url, data } as ServeProcess);
    await runHere(["reject", id], { env });
    expect((await second.ended).stdout).toContain('"deny"');
    // "askline stop" knows one that cannot prove itself by its process.
    withoutProof(data);
    expect((await run(ASKLINE, ["stop"], { env })).stdout).toContain("Stopped the background server");
  }, 60_000);
});
