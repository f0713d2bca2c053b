// Handles a device's answers. Each gets an ack or a rejection with the issues or the winning outcome. If another
// answerer settled the ask, the device gets a `…settled` event; if the device itself did, the ack is enough. Which of
// the two applies is known only after the hub has decided, so the event waits until then.

import type { GatewayHook } from "../../agents/shapes/gateway/decode.js";
import type {
  GatewayAnswers,
  GatewayEnding,
  GatewayRejection,
} from "../../agents/shapes/gateway/envelopes.js";
import { gateway } from "../../agents/shapes/gateway.js";
import { formatIssues } from "../../core/kit/issue.js";
import type { Ask } from "../../core/model/ask.js";
import { endingOf } from "../../core/model/ending.js";
import { AsklineError } from "../../core/model/error.js";
import type { Answerer, Outcome } from "../../core/model/outcome.js";
import { maySee } from "../../core/model/visibility.js";
import type { Services } from "../routing/call.js";
import type { Cards } from "./cards.js";
import type { Connection } from "./connection.js";
import { type Names, wantedName } from "./names.js";
import { type AskName, errorEnvelope, nameOf } from "./problems.js";

export interface Answering {
  /** Resolves with the error if the answer was refused; the device has already received it. */
  take(message: GatewayHook): Promise<unknown>;
  /** A shown ask was settled. */
  settled(ask: Ask): void;
}

interface Attempts {
  count: number;
  /** This connection settled the ask. */
  won: boolean;
  /** The settled ask, for the event that is sent if another answerer won. */
  ended?: { readonly ask: Ask; readonly name: string };
}

export function createAnswering(
  connection: Connection,
  { hub, logger }: Pick<Services, "hub" | "logger">,
  { cards, names, surface }: { readonly cards: Cards; readonly names: Names; readonly surface: string },
): Answering {
  const { principal } = connection;
  const by: Answerer = Object.freeze({ kind: "person", id: principal.name, surface });
  const attemptsByAsk = new Map<string, Attempts>();

  /** A recently shown ask, without reading the store: its visibility does not change, and the hub checks the rest. */
  const recentlyShown = ({ id, askId }: GatewayHook): Ask | undefined => {
    const ask = askId === undefined ? cards.recent(id) : undefined;
    return ask !== undefined && maySee(principal, ask) ? ask : undefined;
  };

  const find = async ({ id, askId }: GatewayHook): Promise<Ask> => {
    const found = askId ?? (await names.askIdOf(id));
    const ask = found === undefined ? undefined : await getIfAny(hub, found);
    if (ask === undefined || !maySee(principal, ask)) throw notShown(askId ?? id);
    if (askId !== undefined && id !== ask.id && id !== wantedName(ask)) throw twoAsks(id, askId);
    return ask;
  };

  const end = (ask: Ask, message: GatewayHook): Promise<Ask> => {
    const takes = ask.approval === undefined ? "questions" : "approval";
    if (message.asks !== takes) throw wrongKind(takes);
    const decoded =
      message.asks === "approval"
        ? { ok: true as const, outcome: gateway.decodeApproved(ask, message, { by }) }
        : gateway.decodeAnswers(ask, message.answers, { by });
    if (!decoded.ok) {
      if (ask.outcome !== undefined) throw alreadySettled(ask, ask.outcome);
      const text = `invalid answers:\n${formatIssues(decoded.issues)}`;
      throw new AsklineError("invalid_answer", text, { issues: decoded.issues });
    }
    const ending = endingOf(decoded.outcome);
    if (ending === undefined) throw wrongKind(takes);
    return hub.settle(ask.id, ending, { by });
  };

  const nameIn = async ({ asks, id, askId }: GatewayHook, ask: Ask): Promise<AskName> => {
    const name = id === askId ? await names.of(ask) : id;
    return asks === "questions" ? { questionId: name, askId: ask.id } : { executionId: name, askId: ask.id };
  };

  const sendSettled = ({ ask, name }: NonNullable<Attempts["ended"]>): void =>
    connection.send(settledEvent(ask, name));

  const begin = (askId: string): Attempts => {
    const attempts = attemptsByAsk.get(askId) ?? { count: 0, won: false };
    attempts.count += 1;
    attemptsByAsk.set(askId, attempts);
    return attempts;
  };
  const finish = (askId: string, attempts: Attempts): void => {
    attempts.count -= 1;
    if (attempts.count > 0) return;
    attemptsByAsk.delete(askId);
    if (attempts.ended !== undefined && !attempts.won) sendSettled(attempts.ended);
  };

  const reject = (error: unknown, name: AskName): unknown => {
    const { envelope, isFault } = errorEnvelope(error, name);
    if (isFault) logger.error("failed to handle a device's answer", error);
    const outcome = error instanceof AsklineError ? error.outcome : undefined;
    const payload = { ...name, ...envelope.payload, ...(outcome !== undefined && statusOf(outcome)) };
    // The envelope of an error always has a payload.
    connection.send({ type: "rejection", payload } as GatewayRejection);
    if (error instanceof AsklineError && error.code === "not_found") connection.countBad();
    return error;
  };

  return {
    async take(message) {
      let ask: Ask;
      let name: AskName;
      try {
        ask = recentlyShown(message) ?? (await find(message));
        name = await nameIn(message, ask);
      } catch (error) {
        return reject(error, nameOf(message));
      }
      const attempts = begin(ask.id);
      try {
        const ended = await end(ask, message);
        attempts.won = true;
        // The ack closes the card, so the later event is not sent.
        cards.remove(ask.id);
        if (ended.outcome !== undefined) {
          connection.send({ type: "ack", payload: { ...name, ...statusOf(ended.outcome) } });
        }
        return undefined;
      } catch (error) {
        return reject(error, name);
      } finally {
        finish(ask.id, attempts);
      }
    },
    settled(ask) {
      const ended = { ask, name: cards.nameOf(ask.id) ?? ask.id };
      cards.remove(ask.id);
      const attempts = attemptsByAsk.get(ask.id);
      if (attempts === undefined) sendSettled(ended);
      else attempts.ended = ended;
    },
  };
}

async function getIfAny(hub: Services["hub"], id: string): Promise<Ask | undefined> {
  try {
    return await hub.get(id);
  } catch (error) {
    if (error instanceof AsklineError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** The same for a name that was never given, and for one that belongs to an ask of other people. */
function notShown(name: string): AsklineError {
  const message = `no ask was shown to you as ${JSON.stringify(name)}; answer with the askId of an ask`;
  return new AsklineError("not_found", message);
}

function twoAsks(name: string, askId: string): AsklineError {
  const message = `${JSON.stringify(name)} and ${askId} are two asks; send the askId of the one that you mean`;
  return new AsklineError("invalid_answer", message);
}

function settledEvent(ask: Ask, name: string): object {
  const ending = ask.outcome === undefined ? {} : statusOf(ask.outcome);
  if (ask.approval !== undefined) {
    const payload = { executionId: name, askId: ask.id, ...ending };
    return { type: "event", payload: { event: "exec.approval.settled", payload } };
  }
  const answers: { answers?: GatewayAnswers } =
    ask.outcome?.kind === "answered" ? { answers: gateway.encodeAnswers(ask, ask.outcome) } : {};
  const payload = { questionId: name, askId: ask.id, ...ending, ...answers };
  return { type: "event", payload: { event: "ask_user_question.settled", payload } };
}

function statusOf(outcome: Outcome): GatewayEnding {
  return "by" in outcome ? { status: outcome.kind, by: outcome.by } : { status: outcome.kind };
}

function wrongKind(takes: GatewayHook["asks"]): AsklineError {
  const what =
    takes === "questions" ? "a question; send hook.ask_user_answer" : "an approval; send hook.approval";
  return new AsklineError("wrong_kind", `this is ${what}`);
}

function alreadySettled(ask: Ask, outcome: Outcome): AsklineError {
  return new AsklineError("already_settled", `${ask.id} was already ${outcome.kind}`, { outcome });
}
