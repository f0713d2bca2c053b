import type { Ask, AskRequest } from "../core/model/ask.js";
import type { Ending } from "../core/model/ending.js";
import { AsklineError } from "../core/model/error.js";
import type { Answerer } from "../core/model/outcome.js";
import type { AskFilter, Inbox } from "../core/model/ports.js";

/** The ask that a script sees. Only the request, because a resolver without a hub has no more. */
export type ScriptedAsk = Omit<AskRequest, "timeoutMs">;

/** How the person of a script ends an ask, or leaves it pending. */
export type ScriptedEnding = Ending | { readonly type: "leave" };

export interface Turn {
  /** Why the script's previous ending for this ask was refused. */
  readonly refused?: AsklineError | undefined;
}

/**
 * Decides how a person settles each ask. Called once for each ask, and again if its ending was refused as invalid.
 */
export type Script = (ask: ScriptedAsk, turn: Turn) => ScriptedEnding | Promise<ScriptedEnding>;

export interface ScriptedAnswerer {
  /** The asks that the script was called for, in order. */
  readonly seen: readonly Ask[];
  /**
   * Stops answering and waits for running scripts. Rejects with the first fault: a script that threw, or an ending
   * that was refused for a reason other than its content.
   */
  close(): Promise<void>;
}

export interface AnswererOptions {
  /** The id of the person who answers. */
  readonly person: string;
  readonly surface?: string | undefined;
  /** Only these asks; by default all that the person may answer. */
  readonly filter?: Omit<AskFilter, "person" | "status"> | undefined;
}

// Bounds a script that repeats refused endings for ever.
const MOST_TURNS = 20;

/**
 * A person for tests: watches an inbox and settles each ask according to the script. Asks are handled concurrently, so
 * a script may wait.
 *
 * @example
 * const answerer = scriptedAnswerer(inbox, () => ({ type: "decline", reason: "not now" }), { person: "ana" });
 * await answerer.close();
 */
export function scriptedAnswerer(inbox: Inbox, script: Script, options: AnswererOptions): ScriptedAnswerer {
  const by: Answerer = { kind: "person", id: options.person, surface: options.surface ?? "script" };
  const stop = new AbortController();
  const seen: Ask[] = [];
  const known = new Set<string>();
  const work: Promise<void>[] = [];
  const faults: unknown[] = [];

  const settle = async (ask: Ask): Promise<void> => {
    let turn: Turn = {};
    for (let count = 0; count < MOST_TURNS; count += 1) {
      const ending = await script(ask, turn);
      if (ending.type === "leave" || stop.signal.aborted) return;
      try {
        await inbox.settle(ask.id, ending, { by });
        return;
      } catch (error) {
        if (!(error instanceof AsklineError)) throw error;
        // Settled meanwhile, by the deadline, the agent or another person.
        if (error.code === "already_settled") return;
        if (error.code !== "invalid_answer" && error.code !== "wrong_kind") throw error;
        turn = { refused: error };
      }
    }
    const cause = turn.refused;
    throw new Error(`the script gave ${MOST_TURNS} endings for ask ${ask.id}, and all were refused`, {
      cause,
    });
  };

  const watch = async (): Promise<void> => {
    const filter = { ...options.filter, person: options.person };
    for await (const ask of inbox.watch(filter, { signal: stop.signal })) {
      if (ask.status !== "pending" || known.has(ask.id)) continue;
      known.add(ask.id);
      seen.push(ask);
      work.push(settle(ask).catch((error) => void faults.push(error)));
    }
  };

  const watching = watch().catch((error) => {
    // A stopped watch may end by throwing.
    if (!stop.signal.aborted) faults.push(error);
  });

  return {
    seen,
    async close() {
      stop.abort();
      await watching;
      await Promise.all(work);
      if (faults.length > 0) throw faults[0];
    },
  };
}
