// What a remembered rule compares, for each agent that we connect: the rows of the table in docs/security.md. Frameworks
// run for real, with their own doubles of a model.
import { readFileSync } from "node:fs";
import { Client as McpClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { acpHandlers } from "../../src/agents/acp/index.ts";
import { askline as canUseTool } from "../../src/agents/claude/can-use-tool.ts";
import { promptOfEvent } from "../../src/agents/codex/hook.ts";
import { askedBy } from "../../src/agents/codex/requests.ts";
import { askline as copilot } from "../../src/agents/frameworks/copilot/index.ts";
import type { PermissionRequest } from "../../src/agents/frameworks/copilot/permission.ts";
import { createMcpHttp } from "../../src/agents/mcp/index.ts";
import { type OpenClawApi, openClawPlugin } from "../../src/agents/openclaw/openclaw.ts";
import { bridgeOpencode } from "../../src/agents/opencode/index.ts";
import { originFields } from "../../src/agents/relay/origin.ts";
import type { RelayPort } from "../../src/agents/relay/port.ts";
import { createRelay } from "../../src/agents/relay/relay.ts";
import { projectOf } from "../../src/core/model/folder.ts";
import { durationsOf } from "../../src/core/rules/remembering.ts";
import type { Ask, AskInput } from "../../src/index.ts";
import { call, closeServers, type OpenServer, openServer, until } from "../server/open-server.ts";
import { agUiDrivers } from "./drivers/ag-ui.ts";
import { aiSdkDrivers } from "./drivers/ai-sdk.ts";
import { langChainDrivers } from "./drivers/langchain.ts";
import { mastraDrivers } from "./drivers/mastra.ts";
import { openAIAgentsDrivers } from "./drivers/openai-agents.ts";
import { toolsDrivers } from "./drivers/tools.ts";
import { openReplay } from "./opencode/replay-server.ts";
import type { AdapterDriver, AgentHub } from "./suite/driver.ts";
import { ANA } from "./suite/samples.ts";

/** What the agent wants to write into the file, in which session; `id` is its own id of the call. */
interface Wanted {
  readonly change: string;
  readonly session: string;
  readonly id: string;
}

interface Agent {
  readonly name: string;
  /** Starts the agent in a folder. What it returns asks; nobody waits for the answer. */
  start(
    port: AgentHub,
    folder: string | undefined,
    server: OpenServer,
  ): Promise<(wanted: Wanted) => Promise<unknown>>;
  close?(): Promise<void>;
}

/** Frameworks name no folder; a host can. */
function hosted(folder: string | undefined): { readonly metadata?: { readonly project: string } } {
  return folder === undefined ? {} : { metadata: { project: folder } };
}

function framework(name: string, driver: AdapterDriver | undefined): Agent {
  if (driver === undefined) throw new Error(`${name} has no driver`);
  return {
    name,
    start: async (hub, folder) => (wanted) =>
      driver.approve(
        { target: wanted.change },
        { hub, session: wanted.session, ask: hosted(folder) as object },
      ),
    ...(driver.close !== undefined && { close: () => driver.close?.() ?? Promise.resolve() }),
  };
}

const FILE = "/home/ana/shop/a.ts";
const never = new AbortController().signal;

const AGENTS: readonly Agent[] = [
  {
    name: "Claude Code",
    async start(_port, folder, server) {
      const token = await server.token({ name: "agent" });
      return ({ change, session }) =>
        call(server, token, "POST /v1/hooks/claude", {
          ...{ hook_event_name: "PermissionRequest", session_id: session, prompt_id: "p1", cwd: folder },
          ...{ tool_name: "Edit", tool_input: { file_path: FILE, old_string: "a", new_string: change } },
        });
    },
  },
  {
    name: "Claude Agent SDK",
    async start(port, folder) {
      return ({ change, session, id }) =>
        canUseTool(port, { ask: { session, ...hosted(folder) } })(
          "Edit",
          { file_path: FILE, new_string: change },
          { signal: never, toolUseID: id },
        );
    },
  },
  {
    name: "Codex (hook)",
    async start(port, folder) {
      return async ({ change, session }) => {
        const tool_input = { command: `*** Update File: a.ts\n+${change}` };
        const event = { hook_event_name: "PermissionRequest", tool_name: "apply_patch", tool_input };
        const prompt = promptOfEvent({ ...event, session_id: session, cwd: folder });
        if (prompt !== undefined) await createRelay(port as unknown as RelayPort).ask(prompt, never);
      };
    },
  },
  {
    name: "Codex (app-server)",
    async start(port, folder) {
      return async ({ change, session, id }) => {
        const params = { threadId: session, itemId: id };
        const method = "item/fileChange/requestApproval";
        const item = { changes: [{ path: FILE, kind: { type: "update" }, diff: `-a\n+${change}` }] };
        const asked = askedBy({ id, method, threadId: session, turnId: "t1", params }, item);
        await port.post({ ...(asked?.content as AskInput), session, ...originFields({ folder }) });
      };
    },
  },
  {
    name: "opencode",
    async start(port, folder) {
      const opencode = await openReplay();
      const stop = new AbortController();
      onTestFinished(() => stop.abort());
      const logger = { warn: () => undefined, error: () => undefined };
      await new Promise<void>((onConnected) => {
        void bridgeOpencode(port as never, {
          ...{ url: opencode.url, signal: stop.signal, logger, onConnected: () => onConnected() },
          // opencode always has one; here it is a name, as in a bridge of another machine.
          directory: folder ?? "shop",
        }).catch(() => undefined);
      });
      return async ({ change, session, id }) => {
        const metadata = { filepath: FILE, diff: `-a\n+${change}` };
        opencode.ask({ permission: "edit", patterns: ["a.ts"], metadata, call: id }, "permission", session);
      };
    },
  },
  {
    name: "Agent Client Protocol",
    async start(port, folder) {
      const { requestPermission } = acpHandlers(port, folder === undefined ? {} : { cwd: folder });
      return ({ change, session, id }) =>
        requestPermission({
          params: {
            sessionId: session,
            options: [
              { optionId: "yes", name: "Yes", kind: "allow_once" },
              { optionId: "no", name: "No", kind: "reject_once" },
            ],
            toolCall: {
              ...{ toolCallId: id, title: "Edit a.ts", kind: "edit" },
              content: [{ type: "diff", path: FILE, oldText: "a\n", newText: `${change}\n` }],
            },
          },
          signal: never,
        });
    },
  },
  {
    name: "Copilot SDK",
    async start(port, folder) {
      const { onPermissionRequest } = copilot(port, { ask: hosted(folder) });
      return ({ change, session }) =>
        onPermissionRequest(
          { kind: "write", fileName: FILE, diff: `-a\n+${change}`, intention: "Edit" } as PermissionRequest,
          { sessionId: session },
        );
    },
  },
  {
    name: "MCP",
    async start(port, folder) {
      const http = createMcpHttp({
        portOf: () => port as never,
        ...(folder !== undefined && { project: folder }),
      });
      const client = new McpClient({ name: "test", version: "1" });
      const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
        fetch: (url, init) => http.fetch(new Request(url, init), "token-of-the-agent-that-is-long-enough"),
      });
      await client.connect(transport as never);
      onTestFinished(async () => {
        await client.close();
        await http.close();
      });
      return ({ change, id }) =>
        client.callTool({
          name: "ask_approval",
          arguments: { actions: [{ name: "edit", args: { file: FILE, change } }] },
          _meta: { "claudecode/toolUseId": id },
        });
    },
  },
  {
    name: "OpenClaw",
    async start(port) {
      let before: Parameters<OpenClawApi["on"]>[1] | undefined;
      openClawPlugin({ resolver: port, needsApproval: () => true }).register({
        registerTool: () => undefined,
        on: (_hook, handler) => {
          before = handler;
        },
      });
      return async ({ change, session, id }) =>
        before?.(
          { toolName: "edit", params: { file: FILE, change }, toolCallId: id },
          { sessionKey: session },
        );
    },
  },
  framework("AI SDK", aiSdkDrivers[0]),
  framework("LangChain", langChainDrivers[1]),
  framework("Mastra", mastraDrivers[0]),
  framework("OpenAI Agents", openAIAgentsDrivers[0]),
  framework("AG-UI", agUiDrivers[0]),
  framework("model providers' tools", toolsDrivers[0]),
];

/** The rows of the table, by agent: what it names of folder and session. */
function documented(): ReadonlyMap<string, readonly [folder: string, session: string]> {
  const text = readFileSync(new URL("../../docs/security.md", import.meta.url), "utf8");
  const section = text.split("## What a remembered rule compares")[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| agent"));
  return new Map(
    rows.map((row) => {
      const [name = "", folder = "", session = ""] = row
        .split("|")
        .slice(1)
        .map((cell) => cell.trim());
      return [name, [folder, session]];
    }),
  );
}

it("lists every agent in docs/security.md, and no other", () => {
  expect([...documented().keys()]).toEqual(AGENTS.map(({ name }) => name));
});

describe.each(AGENTS)("a rule for $name", ({ name, start, close }) => {
  let server: OpenServer;
  let port: AgentHub;
  let count = 0;
  const posted = new Set<string>();
  const known = new Set<string>();
  const [folderOf = "", sessionOf = ""] = documented().get(name) ?? [];
  const namesFolder = folderOf !== "no";

  beforeEach(async () => {
    server = await openServer();
    const { hub } = server;
    const own = hub.post;
    // Also for the route of Claude Code, which has no port of its own.
    const post: typeof own = async (request, options = { asker: "agent" }) => {
      const ask = await own(request, options);
      posted.add(ask.id);
      return ask;
    };
    (hub as { post: typeof post }).post = post;
    port = {
      ...(hub as unknown as AgentHub),
      post,
      ask: async (request) => {
        const ask = await post(request);
        return ask.outcome ?? hub.wait(ask.id);
      },
    };
  });
  afterEach(closeServers);
  afterAll(() => close?.());

  /** The ask of the call, once rules have decided it or not. */
  const asked = async (
    run: (wanted: Wanted) => Promise<unknown>,
    change: string,
    session: string,
  ): Promise<Ask> => {
    count += 1;
    run({ change, session, id: `call_${count}` }).catch(() => undefined);
    return until(async () => {
      const { asks } = await server.hub.list({});
      const ask = asks.find(({ id }) => !known.has(id));
      // A rule decides before the agent waits.
      if (ask === undefined || !posted.has(ask.id)) return undefined;
      known.add(ask.id);
      return server.hub.get(ask.id);
    });
  };
  const remember = (ask: Ask, how: string) =>
    server.hub.decide(ask.id, { decisions: [{ action: "a1", kind: "approve", remember: how }] }, { by: ANA });
  const byRule = { kind: "decided", by: { kind: "policy", name: "remembered rule" } };

  it("decides the same change again, and asks about another change of the same file", async () => {
    const run = await start(port, namesFolder ? "/home/ana/shop" : undefined, server);
    const first = await asked(run, "b", "s1");
    expect(projectOf(first)).toBe(namesFolder ? "/home/ana/shop" : undefined);
    expect(first.session === "" ? "no" : "yes").toBe(sessionOf);
    await remember(first, namesFolder ? "always" : "session");
    expect((await asked(run, "b", namesFolder ? "s2" : "s1")).outcome).toMatchObject(byRule);
    expect((await asked(run, "c", namesFolder ? "s3" : "s1")).outcome).toBeUndefined();
    if (!namesFolder) expect((await asked(run, "b", "s4")).outcome).toBeUndefined();
  });

  it.runIf(namesFolder)("is not for another folder of the same name", async () => {
    await remember(await asked(await start(port, "/home/ana/shop", server), "b", "s1"), "always");
    const elsewhere = await start(port, "/home/bo/shop", server);
    expect((await asked(elsewhere, "b", "s2")).outcome).toBeUndefined();
  });

  it("is for its session only without a folder, and not made without either", async () => {
    const ask = await asked(await start(port, undefined, server), "b", "s1");
    const [action] = ask.approval?.actions ?? [];
    expect(action && durationsOf(ask, action)).toEqual(sessionOf === "yes" ? ["session"] : []);
    await expect(remember(ask, "always")).rejects.toMatchObject({
      code: "invalid_answer",
      message: expect.stringContaining("the agent names no folder"),
    });
    if (sessionOf === "no") {
      await expect(remember(ask, "session")).rejects.toMatchObject({ code: "invalid_answer" });
    }
  });
});

describe("words that a model writes anew each time", () => {
  afterEach(closeServers);
  const place = { session: "s1", metadata: { project: "/home/ana/shop" } };
  const command = "npm test";

  it.each([
    [
      "Copilot",
      (hub: AgentHub, words: string, other = "") =>
        copilot(hub, { ask: place }).onPermissionRequest(
          { kind: "shell", fullCommandText: command + other, intention: words } as PermissionRequest,
          { sessionId: "s1" },
        ),
    ],
    [
      "the Claude Agent SDK",
      (hub: AgentHub, words: string, other = "") =>
        canUseTool(hub, { ask: place })(
          "Bash",
          { command: command + other, description: words },
          { signal: never, toolUseID: words + other },
        ),
    ],
  ])("describe a command of %s, and kept its rule from deciding it again", async (_name, run) => {
    const { hub } = await openServer();
    const pending = () => until(async () => (await hub.list({ status: "pending" })).asks[0]);
    const first = run(hub as unknown as AgentHub, "Run the tests");
    const decisions = [{ action: "a1", kind: "approve", remember: "always" }] as const;
    await hub.decide((await pending()).id, { decisions }, { by: ANA });
    await first;
    await run(hub as unknown as AgentHub, "Check that all tests pass");
    run(hub as unknown as AgentHub, "Run the tests", " && rm -rf /").catch(() => undefined);
    expect((await pending()).outcome).toBeUndefined();
  });

  it("were compared in a rule of Codex, which was offered and of no use", async () => {
    const server = await openServer();
    const codex = (reason: string | null) => {
      const params = { command, reason, availableDecisions: ["accept", "acceptForSession"] };
      const method = "item/commandExecution/requestApproval";
      const asked = askedBy({ id: 1, method, threadId: "s1", turnId: "t1", params }, undefined);
      return { ...(asked?.content as AskInput), ...place, agentId: "codex" };
    };
    const hook = (input: object): AskInput => {
      const event = { hook_event_name: "PermissionRequest", session_id: "s1", tool_name: "Bash" };
      const prompt = promptOfEvent({ ...event, tool_input: { command, ...input } });
      return { ...prompt?.content, ...place, agentId: "codex" };
    };
    const offered = async (input: AskInput) => {
      const ask = await server.hub.post(input, { asker: "agent" });
      const [action] = ask.approval?.actions ?? [];
      return [ask, action && durationsOf(ask, action)] as const;
    };
    for (const plain of [codex(null), hook({})]) {
      expect((await offered(plain))[1]).toEqual(["session", "always"]);
    }
    for (const reasoned of [codex("retry without sandbox?"), hook({ description: "To be sure" })]) {
      const [{ id }, durations] = await offered(reasoned);
      expect(durations).toEqual([]);
      const always = { decisions: [{ action: "a1", kind: "approve", remember: "always" }] } as const;
      await expect(server.hub.decide(id, always, { by: ANA })).rejects.toThrow(
        'must not be "always": the agent words its reason anew each time',
      );
    }
    // What Codex itself remembers is its own affair.
    const [{ id, approval }] = await offered(codex("ok?"));
    const [rule = ""] = approval?.actions[0]?.rules ?? [];
    const own = { decisions: [{ action: "a1", kind: "approve", remember: rule }] } as const;
    expect((await server.hub.decide(id, own, { by: ANA })).status).toBe("decided");
  });
});
