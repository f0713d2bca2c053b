// Events of Claude Code, and a server that they are sent to.

import type { Ask, JsonObject } from "../../../src/index.js";
import { call, type OpenServer, openServer, until } from "../open-server.ts";

const options = [
  { label: "OAuth", description: "An account they have" },
  { label: 'Keys, "long" ones', description: "One secret a client" },
];
export const auth = { question: "Which auth?", header: "Auth", options, multiSelect: false };
export const parts = { question: "Which parts?", header: "Parts", options, multiSelect: true };

/** As Claude Code 2.1.325 sends it. */
export const common = {
  session_id: "38339c8f-cbcb-4b1a-a8db-c6f481ece1aa",
  transcript_path: "/home/ana/.claude/projects/-work/38339c8f.jsonl",
  cwd: "/home/ana/shop",
  prompt_id: "422e4b1e-023a-4ddf-b79c-f09778698fc8",
  permission_mode: "manual",
};

export function event(hook_event_name: string, more: object = {}): JsonObject {
  return { ...common, hook_event_name, ...more } as JsonObject;
}
export const asks = (...questions: readonly object[]) => ({
  tool_name: "AskUserQuestion",
  tool_input: { questions },
});
export const bash = (command: string, more: object = {}) => ({
  tool_name: "Bash",
  tool_input: { command, description: "Runs it" },
  ...more,
});

export async function opened(
  more: Parameters<typeof openServer>[0] = {},
  reports: readonly string[] = ["ana"],
) {
  const open = await openServer(more);
  const agent = await open.token({ name: "claude-ana", ...(reports.length > 0 && { reports }) });
  const person = await open.token({ role: "person" });
  return { open, agent, person, ...hooks(open, agent, person) };
}

export function hooks(open: OpenServer, agent: string, person: string) {
  const send = (body: unknown, query = "") => call(open, agent, `POST /v1/hooks/claude${query}`, body);
  const end = (ask: Ask, ending: string, body: unknown = {}) =>
    call(open, person, `POST /v1/asks/${ask.id}/${ending}`, body);
  /** Sends an event that asks, and resolves once it waits. */
  const hold = async (body: unknown, query = "") => {
    const known = new Set((await open.hub.list({})).asks.map(({ id }) => id));
    const reply = send(body, query);
    const ask = await until(async () =>
      (await open.hub.list({})).asks.find(
        ({ id, outcome }) => !known.has(id) && (outcome !== undefined || open.hub.isAwaited(id)),
      ),
    );
    return { reply, ask };
  };
  const outcome = async ({ id }: Ask) => (await open.hub.get(id)).outcome;
  return { send, end, hold, outcome };
}

export function decision({ body }: { readonly body: object }): Readonly<Record<string, unknown>> {
  const { hookSpecificOutput } = body as { readonly hookSpecificOutput?: JsonObject };
  return (hookSpecificOutput?.decision ?? hookSpecificOutput ?? {}) as Readonly<Record<string, unknown>>;
}

export const approve = { decisions: [{ action: "a1", kind: "approve" }] };
