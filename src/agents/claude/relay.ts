// Claude Code's hook as a relay over a hub. A request for a permission, or a question, is a prompt; a later event says
// that a prompt has ended at Claude Code's terminal.
//
// The decision about a parked call (PreToolUse) is the resume of its run. The first request takes the lease, and gets
// the decision again as long as no later event of the call shows that it has it: a reply may be lost on its way. Other
// runs of the same session, and requests beside one whose connection is open, are parked again.

import { isRecord, type JsonObject } from "../../core/kit/json.js";
import { keepNewest } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import type { Outcome } from "../../core/model/outcome.js";
import { type Asker, askerIdentity } from "../../core/model/visibility.js";
import type { Hub } from "../../hub/seam/port.js";
import { isFromThere } from "../relay/port.js";
import { createRelay, leftovers, type Opened, type Prompt, type RelayHost } from "../relay/relay.js";
import { mayResume } from "../relay/resume.js";
import { createRounds, digestOf, ONE_ROUND, promptName, type Rounds } from "../relay/rounds.js";
import {
  askOfHook,
  CLAUDE_SURFACE,
  type ClaudeHook,
  callOf,
  DEFERRED,
  decisionOf,
  endingOf,
  identityOf,
} from "../shapes/claude/hooks.js";

/** The agent that sends the hooks. */
export interface ClaudeAgent {
  readonly asker: Asker & { readonly asker: string };
  /** Who may answer: a prompt of a person's own terminal is for that person. */
  readonly recipients: readonly string[];
  /** Who answers at its terminal, if it may report for one person. */
  readonly person: string | undefined;
  /** Rejects if the agent may not have a decision any more. */
  check(): Promise<void>;
}

/** The connection that a request came on. */
export interface Connection {
  readonly writable: boolean;
  readonly readableEnded: boolean;
}

export interface ClaudeRelay {
  /** Undefined if there is nothing to ask here. `deferred`: the run is parked, and comes back for the decision. */
  open(
    hook: ClaudeHook,
    deferred: boolean,
    connection: Connection | undefined,
  ): Promise<ClaudePrompt | undefined>;
  /** Ends the asks that an event says are over. */
  observe(hook: ClaudeHook): Promise<void>;
}

export interface ClaudePrompt extends Opened<JsonObject> {
  /** Claude Code has closed its dialog. */
  gone(): Promise<void>;
}

const AGENT = "claude-code";
const ROUNDS = "claude-hook";
/** How long the rounds of a request are remembered. */
const ROUND_MS = 30 * 24 * 60 * 60_000;
/** How long a run that got the decision has to show it: a call may run for long before its next event. */
const RESUME_MS = 3_600_000;
const MOST_SENT = 1_000;

interface State {
  readonly rounds: Rounds;
  /** The connections on which decisions about parked calls were sent last, by ask. */
  readonly sent: Map<string, WeakRef<Connection>>;
}

const states = new WeakMap<Hub, State>();

export function claudeRelay(hub: Hub, { asker, recipients, person, check }: ClaudeAgent): ClaudeRelay {
  const { rounds, sent } = stateOf(hub);
  const port = {
    ...hub,
    post: (request: Parameters<Hub["post"]>[0]) => hub.post(request, asker),
    list: ((filter, page) => hub.list({ ...filter, ...asker }, page)) satisfies Hub["list"],
  };
  const there = person === undefined ? {} : { there: { surface: CLAUDE_SURFACE, person, via: asker.asker } };
  const host: RelayHost = { ask: { recipients }, ...there };
  const identityIn = (hook: ClaudeHook) => [askerIdentity(asker) ?? "", hook.session, identityOf(hook)];

  /** A run that was parked for an ask goes on once, wherever it is resumed first. */
  const mayGoOn = async ({ id }: Ask, hook: ClaudeHook, connection?: Connection): Promise<boolean> => {
    const other = sent.get(id)?.deref();
    // A retry comes after the connection of its first try was cut.
    if (other !== undefined && other !== connection && other.writable && !other.readableEnded) return false;
    if (connection !== undefined) sent.set(id, new WeakRef(connection));
    keepNewest(sent, MOST_SENT);
    const holder = await digestOf([hook.session, hook.prompt ?? ""]);
    const goesOn = await mayResume(hub, id, holder, RESUME_MS);
    if (!goesOn) sent.delete(id);
    return goesOn;
  };

  /**
   * A call that ran was decided: a decision that nobody has fetched must not allow the next one. And a run that was
   * parked for it has gone on.
   */
  const handOut = async (hook: ClaudeHook): Promise<void> => {
    const round = await rounds.current(await promptName(AGENT, identityIn(hook)));
    const parked = await promptName(AGENT, parkedIdentity(hook));
    const keys = [round.key, ...(hook.toolUse === undefined ? [] : [parked])];
    for (const { id, key } of await hub.findKeys({ ...asker, keys, session: hook.session, limit: 1 })) {
      const ask = await hub.get(id).catch(() => undefined);
      if (ask?.outcome === undefined) continue;
      if (key === parked) await hub.finishResume(id);
      else await round.used();
    }
  };

  return {
    async open(hook, deferred, connection) {
      const content = askOfHook(hook);
      if (content === undefined) return undefined;
      const { agent } = hook;
      const claude = {
        call: await digestOf([callOf(hook)]),
        ...(agent !== undefined && { agent }),
        ...(deferred && { deferred }),
      };
      const prompt: Prompt<JsonObject> = {
        identity: isParked(hook) ? parkedIdentity(hook) : identityIn(hook),
        origin: {
          ...{ agent: AGENT, session: hook.session, folder: hook.cwd, path: [hook.agentType ?? agent] },
        },
        content,
        facts: { claude },
        counts: (_ask, outcome) => isParked(hook) || isDecision(outcome),
        async reply(ask, outcome) {
          await check();
          const output = decisionOf(hook, ask, outcome);
          if (output === undefined) return undefined;
          const isResume = hook.event === "PreToolUse";
          return { reply: isResume && !(await mayGoOn(ask, hook, connection)) ? DEFERRED : output };
        },
      };
      const relay = createRelay(port, host, isParked(hook) ? ONE_ROUND : rounds);
      const opened = await relay.open(prompt);
      return { ...opened, gone: async () => void (await relay.endedThere(prompt, "closed in Claude Code")) };
    },

    async observe(hook) {
      const relay = createRelay(port, host);
      const call = await digestOf([callOf(hook)]);
      if (hook.tool !== undefined) await handOut(hook);
      for await (const ask of leftovers(port, { session: hook.session })) {
        const facts = ask.metadata?.claude;
        if (!isRecord(facts) || (facts.deferred && hook.tool === undefined)) continue;
        const agent = typeof facts.agent === "string" ? facts.agent : undefined;
        const by = { kind: "person", id: person ?? "person", surface: CLAUDE_SURFACE } as const;
        const ending = endingOf(hook, ask, { agent, isSameCall: facts.call === call, by });
        if (ending === undefined) continue;
        if (ending.kind === "withdraw") await relay.endedThere(ask, ending.reason);
        else await relay.endedThere(ask, "answered in Claude Code", () => ending.ending);
        // One event of a tool is about one call.
        if (hook.tool !== undefined) return;
      }
    },
  };
}

function stateOf(hub: Hub): State {
  const known = states.get(hub);
  if (known !== undefined) return known;
  const { records } = hub;
  const rounds = createRounds({
    get: async (prompt) => Number((await records.get(ROUNDS, prompt))?.value ?? 0),
    set: async (prompt, used) =>
      void (await records.put(ROUNDS, prompt, used, { expiresAt: hub.now() + ROUND_MS })),
  });
  const state = { rounds, sent: new Map() };
  states.set(hub, state);
  return state;
}

function isParked({ event, toolUse }: ClaudeHook): boolean {
  return event === "PreToolUse" && toolUse !== undefined;
}

function parkedIdentity({ session, toolUse = "" }: ClaudeHook): readonly string[] {
  return [session, toolUse];
}

/** Whether it was decided here, and nobody has handed that out. What ends at once must count, or it is asked for ever. */
function isDecision(outcome: Outcome): boolean {
  return outcome.kind === "unavailable" || ("by" in outcome && !isFromThere(outcome));
}
