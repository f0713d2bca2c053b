// What a person sends to a session: an answer to a request, or something to say.

import {
  type Answerer,
  type Ask,
  AsklineError,
  formatIssues,
  type Issue,
  type SettleOptions,
} from "../core/index.js";
import { type ClientMessage, stream } from "../dialects/stream/index.js";
import { type Hub, transcriptOf } from "../hub/index.js";
import { askIdOfKey } from "./approval-keys.js";
import { isStillThere, noSession, requireHead } from "./read-transcript.js";
import { requireSessionEvent, type WrittenEvent } from "./session-event.js";
import { onceIn } from "./session-head.js";
import { writtenEntry } from "./transcript.js";

export interface TakenMessage {
  /** The ask that it ended; absent where it was written as a message. */
  readonly ask?: Ask;
}

/** Rejects with a coded error where it cannot be taken, and then changes nothing. */
export async function takeMessage(
  hub: Hub,
  sessionId: string,
  input: unknown,
  options: SettleOptions,
): Promise<TakenMessage> {
  const decoded = stream.decodeMessage(input);
  if (!decoded.ok) throw refusedMessage("invalid_request", decoded.issues);
  const { message } = decoded;
  return message.type === "approval"
    ? { ask: await takeApproval(hub, sessionId, message, options) }
    : takeText(hub, sessionId, message.text, options);
}

async function takeApproval(
  hub: Hub,
  sessionId: string,
  message: Extract<ClientMessage, { type: "approval" }>,
  options: SettleOptions,
): Promise<Ask> {
  if (message.session_id !== undefined && message.session_id !== sessionId) {
    throw new AsklineError("invalid_request", `session_id is not the session that this was sent to`);
  }
  const ask = await hub.get(await askIdOfKey(hub, sessionId, message.approval_key));
  const { answers, decisions } = message;
  const [wanted, other] = ask.approval === undefined ? ["answers", "decisions"] : ["decisions", "answers"];
  if ((wanted === "answers" ? answers : decisions) === undefined) {
    throw new AsklineError(
      "wrong_kind",
      `${message.approval_key} takes ${wanted}, not ${other}; send it again so`,
    );
  }
  const decoded = stream.decodeOutcome(ask, { answers, decisions }, { by: options.by });
  if (!decoded.ok) {
    if (ask.outcome !== undefined) {
      throw new AsklineError("already_settled", `${message.approval_key} was already ${ask.outcome.kind}`, {
        outcome: ask.outcome,
      });
    }
    throw refusedMessage("invalid_answer", decoded.issues);
  }
  const { outcome } = decoded;
  if (outcome.kind === "answered") return hub.answer(ask.id, { answers: outcome.answers }, options);
  if (outcome.kind === "decided") return hub.decide(ask.id, { decisions: outcome.decisions }, options);
  throw new AsklineError("wrong_kind", `${outcome.kind} is no answer to ${message.approval_key}`);
}

/** A person who writes while a question waits has talked instead of answering. */
async function takeText(
  hub: Hub,
  sessionId: string,
  text: string,
  options: SettleOptions,
): Promise<TakenMessage> {
  const event = requireSessionEvent({ type: "user", text }) as WrittenEvent;
  const log = transcriptOf(sessionId);
  const head = await requireHead(hub, sessionId);
  const { settlementId } = options;
  const waiting = (await pendingQuestion(hub, sessionId, options.by))?.id ?? "";
  // Said once, it is said about what was open then: a second try must not answer a question that came since.
  const meant =
    settlementId === undefined ? waiting : await hub.logs.keepFirst(`${log}/${settlementId}`, waiting);
  if (meant !== "") {
    try {
      return { ask: await hub.reply(meant, text, options) };
    } catch (error) {
      // Somebody has just answered it: what was said is then a message like any other.
      if (!(error instanceof AsklineError && error.code === "already_settled")) throw error;
    }
  }
  await hub.logs.append(
    [writtenEntry(log, event)],
    settlementId === undefined ? {} : { once: onceIn(head, settlementId) },
  );
  // Removed in between, it was said to nobody. A person opens no session, so they are told.
  if (!(await isStillThere(hub, head))) throw noSession(sessionId);
  return {};
}

/** The latest question of the session that is pending and that this person may answer. */
async function pendingQuestion(hub: Hub, sessionId: string, by: Answerer): Promise<Ask | undefined> {
  const filter = {
    session: sessionId,
    status: "pending" as const,
    ...(by.kind === "person" && { person: by.id }),
  };
  const { asks } = await hub.list(filter, { order: "newest", limit: 50 });
  return asks.find((ask) => ask.approval === undefined && ask.transcript === transcriptOf(sessionId));
}

function refusedMessage(code: "invalid_request" | "invalid_answer", issues: readonly Issue[]): AsklineError {
  return new AsklineError(code, `this message cannot be taken:\n${formatIssues(issues)}`, { issues });
}
