import {
  type Answerer,
  type Ask,
  type AskFilter,
  AsklineError,
  type AskRequest,
  type DecisionSubmission,
  type Inbox,
  type Submission,
} from "../core/index.js";

/** What a script sees of an ask: what was asked. A resolver without a hub has no more than that. */
export type ScriptedAsk = Omit<AskRequest, "timeoutMs">;

/** How a person ends an ask, or does not. */
export type Ending =
  | { readonly kind: "answer"; readonly submission: Submission }
  | { readonly kind: "decide"; readonly submission: DecisionSubmission }
  | { readonly kind: "decline"; readonly reason?: string }
  | { readonly kind: "reply"; readonly text: string }
  /** Looks at it and lets it be. */
  | { readonly kind: "leave" };

export interface Turn {
  /** Why the ending that the script gave before for this ask was not taken. */
  readonly refused?: AsklineError;
}

/**
 * Decides how a person ends each ask. Called once for each ask, and again when what it gave was refused as
 * invalid; what it then gives counts.
 */
export type Script = (ask: ScriptedAsk, turn: Turn) => Ending | Promise<Ending>;

export interface ScriptedAnswerer {
  /** The asks that the script was called for, in order. */
  readonly seen: readonly Ask[];
  /**
   * Stops answering and waits for what is under way. Rejects with the first fault there was: a script that
   * throws, an ending that was refused for a reason other than its content.
   */
  close(): Promise<void>;
}

export interface AnswererOptions {
  /** The id of the person who answers. */
  readonly person: string;
  readonly surface?: string;
  /** Only these asks; all that the person may answer where nothing is said. */
  readonly filter?: Omit<AskFilter, "person" | "status">;
}

// A script that learns nothing from a refusal would go on for ever.
const MOST_TURNS = 20;

/**
 * A person for tests: watches an inbox and ends each ask as the script says. Asks are dealt with
 * side by side, so a script may wait.
 *
 * @example
 * const answerer = scriptedAnswerer(inbox, () => ({ kind: "decline", reason: "not now" }), { person: "ana" });
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
      if (ending.kind === "leave" || stop.signal.aborted) return;
      try {
        await endAsk(inbox, ask.id, ending, by);
        return;
      } catch (error) {
        if (!(error instanceof AsklineError)) throw error;
        // Somebody else was faster: the deadline, the agent, another person.
        if (error.code === "already_settled") return;
        if (error.code !== "invalid_answer" && error.code !== "wrong_kind") throw error;
        turn = { refused: error };
      }
    }
    const cause = turn.refused;
    throw new Error(`the script ended ask ${ask.id} in ${MOST_TURNS} ways that were all refused`, { cause });
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
    // A watch that was stopped may end by throwing.
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

/** Ends an ask through an inbox in the way that an ending says; to leave it is to do nothing. */
async function endAsk(inbox: Inbox, id: string, ending: Ending, by: Answerer): Promise<void> {
  switch (ending.kind) {
    case "answer":
      await inbox.answer(id, ending.submission, { by });
      return;
    case "decide":
      await inbox.decide(id, ending.submission, { by });
      return;
    case "decline":
      await inbox.decline(id, ending.reason, { by });
      return;
    case "reply":
      await inbox.reply(id, ending.text, { by });
      return;
    case "leave":
      return;
  }
}
