import type { RealServer } from "../../client/real-server.ts";
import type { Prompted, Read, RelayDriver } from "../suite/relay-driver.ts";

const common = { session_id: "s1", prompt_id: "p1", cwd: "/home/ana/shop" };
const bash = (target: string) => ({ tool_name: "Bash", tool_input: { command: `deploy ${target}` } });

/** The events that Claude Code sends to a server; the server is the process with its relay. */
export const claudeCodeRelay: RelayDriver = {
  name: "Claude Code",
  there: "decided",
  cannot: {
    "asks again, with the reason, when an answer does not fit":
      "Claude Code checks the answers of a form itself, and asks again by itself",
    "allows nothing in an outage of the server, and goes on with the same ask":
      "its relay is in the server, so an outage is a restart",
  },
  async open({ server, token }) {
    let own: RealServer = server;
    const send = (body: object, signal?: AbortSignal, query = ""): Promise<Response> =>
      fetch(`${own.url}/v1/hooks/claude${query}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ ...common, ...body }),
        ...(signal !== undefined && { signal }),
      });
    const read = async (target: string, signal?: AbortSignal): Promise<Read> => {
      const response = await send({ hook_event_name: "PermissionRequest", ...bash(target) }, signal);
      if (response.status !== 200) {
        await response.body?.cancel();
        return undefined;
      }
      const { hookSpecificOutput } = (await response.json()) as {
        readonly hookSpecificOutput: { readonly decision: { readonly behavior: string } };
      };
      return hookSpecificOutput.decision.behavior === "allow" ? "yes" : "no";
    };
    return {
      async start() {
        own = await server.another();
        return () => own.close();
      },
      prompt(target): Prompted {
        const connection = new AbortController();
        const reading = read(target, connection.signal);
        return {
          read: reading,
          again: () => read(target),
          allowThere: () => send({ hook_event_name: "PostToolUse", ...bash(target) }),
          closeThere: () => connection.abort(),
        };
      },
      async park(target) {
        let runs = 0;
        const run = async (): Promise<boolean> => {
          runs += 1;
          const call = { ...bash(target), tool_use_id: "toolu_1", prompt_id: `p${runs}` };
          const response = await send({ hook_event_name: "PreToolUse", ...call }, undefined, "?defer=0");
          const { hookSpecificOutput } = (await response.json()) as {
            readonly hookSpecificOutput: { readonly permissionDecision: string };
          };
          return hookSpecificOutput.permissionDecision === "allow";
        };
        await run();
        return run;
      },
      afterRestart: () => send({ hook_event_name: "Stop" }),
    };
  },
};
