import { runCodexHook } from "../../../src/agents/codex/hook.ts";
import { bridgeCodex } from "../../../src/agents/codex/index.ts";
import { openCodex } from "../../../src/cli/connect/codex-connection.ts";
import type { World } from "../../../src/cli/world/world.ts";
import { openAppServer, recorded } from "../codex/scripted-app-server.ts";
import type { Read, RelayDriver } from "../suite/relay-driver.ts";

/** The bridge, with an app-server that behaves as Codex did when it was recorded. */
export const codexRelay: RelayDriver = {
  name: "Codex (app-server)",
  there: "withdrawn",
  cannot: {
    "goes on once when two processes resume it": "it is waited for in place: no run is parked",
  },
  async open({ client }) {
    const codex = await openAppServer();
    const prompted = (id: number, toRead: (result: never) => Read) => {
      const read = codex.result(id).then((result) => toRead(result as never));
      return {
        ...{ read, again: () => read },
        allowThere: () => codex.resolveElsewhere(id),
        closeThere: () => codex.interrupt(id),
        goOn: () => codex.forget(id),
      };
    };
    return {
      async start() {
        const kill = new AbortController();
        const logger = { warn: () => undefined, error: () => undefined };
        const own = client();
        let running: Promise<void> | undefined;
        await new Promise<void>((onConnected) => {
          running = bridgeCodex(own, {
            ...{ open: (signal) => openCodex(codex.url, signal), server: codex.url, logger },
            ...{ signal: kill.signal, onConnected: () => onConnected() },
          });
        });
        return async () => {
          kill.abort();
          await running;
        };
      },
      prompt: (target) =>
        prompted(
          codex.ask("command", { command: `deploy ${target}` }),
          ({ decision }: { decision: string }) => (decision === "accept" ? "yes" : "no"),
        ),
      form() {
        const requestedSchema = { type: "object", properties: { rooms: { type: "integer", maximum: 9 } } };
        return prompted(
          codex.ask("form", { requestedSchema }),
          ({ content }: { content: { rooms: number } }) => content,
        );
      },
    };
  },
};

/** The hook as its command runs it: a process of its own for each prompt. */
export const codexHookRelay: RelayDriver = {
  name: "Codex (hook)",
  cannot: {
    "goes on once when two processes resume it": "it is waited for in place: no run is parked",
    "is found again after a restart, with what was decided meanwhile":
      "Codex starts its hook once for a request: the ask of one that was killed expires",
    "takes the answer at the agent if that is first, and tells the loser":
      "Codex shows no dialog of its own while its hook runs",
    "asks again, with the reason, when an answer does not fit": "its hook has no forms",
    "withdraws what an earlier process left, if the agent went on meanwhile":
      "its hook sees one event, and the next request is another process",
  },
  async open({ server, token }) {
    return {
      start: async () => async () => undefined,
      prompt(target) {
        const stop = new AbortController();
        let printed = "";
        const write = (text: string): boolean => {
          printed += text;
          return true;
        };
        const world = {
          interruption: () => ({ signal: stop.signal, dispose: () => undefined }),
          stdout: { write },
          stderr: { write: () => true },
        } as unknown as World;
        const { command: event } = recorded.hooks;
        const read = runCodexHook({
          event: { ...event, tool_input: { command: `deploy ${target}` } },
          holdMs: 60_000,
          person: "ana",
          openServer: async () => ({ url: server.url, token }),
          world,
        }).then((): Read => {
          if (printed === "") return undefined;
          return JSON.parse(printed).hookSpecificOutput.decision.behavior === "allow" ? "yes" : "no";
        });
        return { read, again: () => read, closeThere: () => stop.abort() };
      },
    };
  },
};
