// A message that a person sends to a session: an answer to a request, or text.

import { formatIssues, type Issue } from "../../core/kit/issue.js";
import type { Ask } from "../../core/model/ask.js";
import { endingOf } from "../../core/model/ending.js";
import { AsklineError, unlessSettled } from "../../core/model/error.js";
import type { Answerer } from "../../core/model/outcome.js";
import type { SettleOptions } from "../../core/model/ports.js";
import type { WrittenEvent } from "../../core/model/session-event.js";
import type { Asker } from "../../core/model/visibility.js";
import { displayLine } from "../../core/text/display.js";
import { transcriptOf } from "../../hub/records/transcripts.js";
import type { Hub } from "../../hub/seam/port.js";
import type { ClientMessage } from "../shapes/stream/shapes.js";
import { stream } from "../shapes/stream.js";
import { askIdOfKey } from "./approval-keys.js";
import { requireAgent } from "./opened-sessions.js";
import { isStillStored, requireHead, sessionNotFound } from "./read-transcript.js";
import { requireSessionEvent } from "./session-event.js";
import { onceIn, openHead } from "./session-head.js";
import { type SessionHead, writerOf, writtenEntry } from "./transcript.js";

export interface TakenMessage {
  /** The ask that it settled; absent if it was written to the transcript as a message. */
  readonly ask?: Ask;
}

/** Rejects with a coded error if the message is refused; nothing changes then. */
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
    : takeText(hub, sessionId, message, options);
}

export interface MessageOpener {
  readonly person: string;
  /**
   * Whether an agent of this name could take the session: nobody would read a message to any other. With an owner, only
   * that person's agent takes it.
   */
  isAgent(name: string): Promise<boolean | Pick<Asker, "owner">>;
}

/**
 * Opens a session that does not exist with a person's first message: for this person, and the agent that it names. The
 * message itself is not written. Rejects with a coded error if the message opens nothing.
 */
export async function openWithMessage(
  hub: Hub,
  sessionId: string,
  input: unknown,
  { person, isAgent }: MessageOpener,
): Promise<SessionHead> {
  const decoded = stream.decodeMessage(input);
  if (!decoded.ok) throw refusedMessage("invalid_request", decoded.issues);
  const { message } = decoded;
  if (message.type !== "message") throw sessionNotFound(sessionId);
  requireSessionEvent({ type: "user", text: message.text });
  const asker = requireAgent(message.agent, sessionId);
  const found = await isAgent(asker);
  if (found === false) {
    throw new AsklineError(
      "invalid_request",
      `there is no agent ${JSON.stringify(displayLine(asker))} that could take the session ${sessionId}; check the name, or create a token of that name with "askline token create"`,
    );
  }
  const event = { type: "open" as const, recipients: [person], openedBy: person };
  return openHead(hub, sessionId, { event, asker: { asker, ...(found !== true && found) }, reopen: true });
}

async function takeApproval(
  hub: Hub,
  sessionId: string,
  message: Extract<ClientMessage, { type: "approval" }>,
  options: SettleOptions,
): Promise<Ask> {
  if (message.session_id !== undefined && message.session_id !== sessionId) {
    throw new AsklineError("invalid_request", "session_id is not the session of this address");
  }
  const ask = await hub.get(await askIdOfKey(hub, sessionId, message.approval_key));
  const { answers, decisions } = message;
  const [wanted, other] = ask.approval === undefined ? ["answers", "decisions"] : ["decisions", "answers"];
  if ((wanted === "answers" ? answers : decisions) === undefined) {
    throw new AsklineError("wrong_kind", `${message.approval_key} takes ${wanted}, not ${other}`);
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
  const ending = endingOf(outcome);
  if (ending !== undefined) return hub.settle(ask.id, ending, options);
  throw new AsklineError("wrong_kind", `${outcome.kind} cannot answer ${message.approval_key}`);
}

/** Text sent while a question is pending is a reply to it. */
async function takeText(
  hub: Hub,
  sessionId: string,
  { text, agent }: Extract<ClientMessage, { type: "message" }>,
  options: SettleOptions,
): Promise<TakenMessage> {
  const event = requireSessionEvent({ type: "user", text }) as WrittenEvent;
  const log = transcriptOf(sessionId);
  const head = await requireHead(hub, sessionId);
  if (agent !== undefined && agent !== head.asker) {
    throw new AsklineError("invalid_request", `the session ${sessionId} has another agent; omit agent`);
  }
  const { settlementId } = options;
  const waiting = (await pendingQuestion(hub, sessionId, options.by))?.id ?? "";
  // The text is about the question that was open at the first try: a retry must not reply to a newer one.
  const repliesTo =
    settlementId === undefined ? waiting : await hub.logs.keepFirst(`${log}/${settlementId}`, waiting);
  if (repliesTo !== "") {
    const ask = await unlessSettled(hub.reply(repliesTo, text, options));
    if (ask !== undefined) return { ask };
    // Another person has just answered it: write the text as an ordinary message.
  }
  await hub.logs.append(
    [writtenEntry(log, event, writerOf(options.by))],
    settlementId === undefined ? {} : { once: onceIn(head, settlementId) },
  );
  // If the transcript was removed meanwhile, no reader sees the message. A person cannot reopen a session, so refuse.
  if (!(await isStillStored(hub, head))) throw sessionNotFound(sessionId);
  return {};
}

/** The newest pending question of the session that this person may answer. */
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
  return new AsklineError(code, `invalid message:\n${formatIssues(issues)}`, { issues });
}
