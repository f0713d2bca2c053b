// Codex's PermissionRequest hook. Codex shows nothing of its own while a hook runs, so an ask is held for a short time
// only; then Codex's own dialog decides. The shapes were recorded from Codex 0.169 (test/agents/codex/recorded.json).
//
//   held --decided, declined or replied--> printed, and Codex follows it
//        --the time is over--------------> withdrawn; nothing is printed, and Codex asks by itself
//        --Codex ends the hook-----------> withdrawn
//        --killed------------------------> expires by its own deadline

import { connect } from "../../client/local-server.js";
import { isRecord } from "../../core/kit/json.js";
import { messageOf } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import type { Outcome } from "../../core/model/outcome.js";
import { parseAsk } from "../../core/rules/parse-ask.js";
import { codeBlock } from "../../core/text/context.js";
import { describeOutcome } from "../../core/text/describe-outcome.js";
import { createRelay, type Prompt } from "../relay/relay.js";

/** How long Codex's own dialog waits for ours. */
export const HOLD_SECONDS = 20;
/** A hook that was killed cannot withdraw its ask: it expires this much later. */
const GRACE_MS = 2_000;

/** What the hook takes of the world of its command. */
interface HookWorld {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Aborts when Codex ends the hook. */
  interruption(): { readonly signal: AbortSignal; dispose(): void };
}

export interface CodexHookRun {
  /** The event, as Codex wrote it. */
  readonly event: Readonly<Record<string, unknown>>;
  readonly holdMs: number;
  /** Who sits at Codex's terminal; undefined for everybody. */
  readonly person: string | undefined;
  /** Where to ask; undefined if there is no server. */
  openServer(): Promise<{ readonly url: string; readonly token: string } | undefined>;
  readonly world: HookWorld;
}

/** Prints a decision if a person makes one in time, and otherwise nothing. */
export async function runCodexHook({
  event,
  holdMs,
  person,
  openServer,
  world,
}: CodexHookRun): Promise<void> {
  const prompt = promptOfEvent(event);
  if (prompt === undefined) return;
  const interruption = world.interruption();
  // From the start of this process, whatever it waits for.
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), holdMs);
  const stop = (): void => over.abort();
  interruption.signal.addEventListener("abort", stop, { once: true });
  const say = (text: string): void => void world.stderr.write(`askline: ${text}\n`);
  try {
    const server = await openServer();
    if (server === undefined || over.signal.aborted || interruption.signal.aborted) return;
    const client = connect({
      ...server,
      surface: "codex",
      retryForMs: 1_000,
      logger: { warn: say, error: say },
    });
    try {
      const recipients = person === undefined ? {} : { recipients: [person] };
      const relay = createRelay(client, { ask: { ...recipients, timeoutMs: holdMs + GRACE_MS } });
      over.signal.addEventListener("abort", () => {
        const reason = interruption.signal.aborted
          ? "Codex stopped waiting"
          : `nobody answered within ${holdMs / 1_000} s; Codex asks in its own terminal now`;
        // Its failure is that of the wait.
        relay.endedThere(prompt, reason).catch(() => undefined);
      });
      const decision = await relay.ask(prompt, NEVER);
      if (decision !== undefined) world.stdout.write(`${JSON.stringify(decision)}\n`);
    } finally {
      await client.close();
    }
  } catch (error) {
    say(messageOf(error));
  } finally {
    clearTimeout(timer);
    interruption.dispose();
  }
}

const NEVER = new AbortController().signal;

/** The approval of an event. Undefined if there is nothing to ask here, or it is too large to be shown whole. */
export function promptOfEvent(event: Readonly<Record<string, unknown>>): Prompt<object> | undefined {
  const { hook_event_name: name, session_id: session, tool_name: tool, tool_input: input, cwd } = event;
  if (name !== "PermissionRequest" || typeof session !== "string" || typeof tool !== "string")
    return undefined;
  // Our own MCP tools ask by themselves.
  if (tool.startsWith("mcp__askline__")) return undefined;
  if (!isRecord(input)) return undefined;
  const { description, ...args } = input;
  const patch = tool === "apply_patch" && typeof args.command === "string" ? args.command : undefined;
  const content = {
    approval: {
      actions: [
        {
          name: tool,
          args: typeof description === "string" ? args : input,
          description: typeof description === "string" ? description : undefined,
          // Codex refuses changed arguments.
          allow: ["approve", "reject"] as const,
        },
      ],
    },
    context: patch && codeBlock(patch, "diff"),
  };
  if (!parseAsk({ ...content, session }).ok) return undefined;
  return {
    // Codex gives a request no id, and runs its hook once for each.
    identity: [crypto.randomUUID()],
    origin: { agent: "codex", session, folder: typeof cwd === "string" ? cwd : undefined },
    content,
    reply(ask, outcome) {
      const reply = decisionOf(ask, outcome);
      return reply && { reply };
    },
  };
}

/** What Codex reads. Undefined for no decision: its own dialog goes on. */
export function decisionOf(ask: Ask, outcome: Outcome): object | undefined {
  const specific = (decision: object): object => ({
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision },
  });
  switch (outcome.kind) {
    case "decided":
      return outcome.decisions[0]?.kind === "approve"
        ? specific({ behavior: "allow" })
        : specific({ behavior: "deny", message: describeOutcome(ask, outcome) });
    case "declined":
    case "replied":
      return specific({ behavior: "deny", message: describeOutcome(ask, outcome) });
    case "answered":
    case "expired":
    case "withdrawn":
    case "unavailable":
      return undefined;
  }
}
