// A device's answers, and what it is told of them: an ack, a rejection with what is wrong, or who was faster.
// Of an ask that somebody else ended it is told `…settled`; of one that it ended itself the ack is enough. Which
// of the two it is, is known only when the hub has decided: until then the notice waits.

import { type Answerer, type Ask, AsklineError, formatIssues, type Outcome } from "../../core/index.js";
import { maySee } from "../../core/model/visibility.js";
import {
  type GatewayAnswers,
  type GatewayEnding,
  type GatewayMessage,
  type GatewayRejection,
  gateway,
} from "../../dialects/gateway.js";
import type { Services } from "../routing/call.js";
import { noSuchAsk } from "../routing/visible-asks.js";
import type { Cards } from "./cards.js";
import type { Connection } from "./connection.js";
import { findByKeys } from "./find-asks.js";
import { type AskName, errorEnvelope } from "./problems.js";

export type AnsweringMessage = Extract<GatewayMessage, { readonly kind: "answer" | "approval" }>;

export interface Answering {
  /** Resolves with why it was refused, which the device has been told. */
  take(message: AnsweringMessage): Promise<unknown>;
  /** An ask that was shown has ended. */
  settled(ask: Ask): void;
}

interface UnderWay {
  count: number;
  /** This connection has ended it. */
  won: boolean;
  /** It has ended, somehow: what is to be told of it where it was not this connection's doing. */
  ended?: { readonly ask: Ask; readonly name: string };
}

export function createAnswering(
  connection: Connection,
  { hub, logger }: Pick<Services, "hub" | "logger">,
  cards: Cards,
  surface: string,
): Answering {
  const { principal } = connection;
  const by: Answerer = Object.freeze({ kind: "person", id: principal.name, surface });
  const underWay = new Map<string, UnderWay>();

  /** What was shown may be answered; who may see it does not change, and the hub looks whether it has ended. */
  const shownLately = (name: string): Ask | undefined => {
    const id = cards.askIdOf(name);
    const ask = id === undefined ? undefined : cards.lately(id);
    return ask !== undefined && maySee(principal, ask) ? ask : undefined;
  };

  const find = async (name: string): Promise<Ask> => {
    const id = cards.askIdOf(name) ?? (name.startsWith("ask_") ? name : undefined);
    if (id !== undefined) {
      const ask = await hub.get(id);
      if (maySee(principal, ask)) return ask;
    } else {
      const [found, ...others] = await findByKeys(hub, principal, new Set([name]));
      if (found !== undefined && others.length === 0) return found;
    }
    throw noSuchAsk(name);
  };

  const end = (ask: Ask, message: AnsweringMessage): Promise<Ask> => {
    if (message.kind === "approval") {
      if (ask.approval === undefined) throw wrongKind("questions: send hook.ask_user_answer");
      const { decisions, note } = gateway.decodeApproved(ask, message, { by });
      return hub.decide(ask.id, { decisions, ...(note !== undefined && { note }) }, { by });
    }
    if (ask.approval !== undefined) throw wrongKind("an approval: send hook.approval");
    const decoded = gateway.decodeAnswers(ask, message.answers, { by });
    if (!decoded.ok) {
      if (ask.outcome !== undefined) throw alreadySettled(ask, ask.outcome);
      const text = `these answers do not fit:\n${formatIssues(decoded.issues)}`;
      throw new AsklineError("invalid_answer", text, { issues: decoded.issues });
    }
    return decoded.outcome.kind === "answered"
      ? hub.answer(ask.id, { answers: decoded.outcome.answers }, { by })
      : hub.decline(ask.id, undefined, { by });
  };

  const tellSettled = ({ ask, name }: NonNullable<UnderWay["ended"]>): void =>
    connection.send(settledNotice(ask, name));

  const begin = (askId: string): UnderWay => {
    const there = underWay.get(askId) ?? { count: 0, won: false };
    there.count += 1;
    underWay.set(askId, there);
    return there;
  };
  const finish = (askId: string, one: UnderWay): void => {
    one.count -= 1;
    if (one.count > 0) return;
    underWay.delete(askId);
    if (one.ended !== undefined && !one.won) tellSettled(one.ended);
  };

  const reject = (error: unknown, name: AskName): unknown => {
    const { envelope, isFault } = errorEnvelope(error, name);
    if (isFault) logger.error("an answer from a device could not be taken", error);
    const outcome = error instanceof AsklineError ? error.outcome : undefined;
    const payload = { ...name, ...envelope.payload, ...(outcome !== undefined && endingOf(outcome)) };
    // An error's payload is there whenever the error is.
    connection.send({ type: "rejection", payload } as GatewayRejection);
    if (error instanceof AsklineError && error.code === "not_found") connection.countBad();
    return error;
  };

  return {
    async take(message) {
      const name = message.kind === "answer" ? { questionId: message.id } : { executionId: message.id };
      let ask: Ask;
      try {
        ask = shownLately(message.id) ?? (await find(message.id));
      } catch (error) {
        return reject(error, name);
      }
      const one = begin(ask.id);
      try {
        const ended = await end(ask, message);
        one.won = true;
        // The ack closes the card: when the event of it comes, there is nothing left to tell.
        cards.remove(ask.id);
        if (ended.outcome !== undefined) {
          connection.send(ack(message, ended.outcome));
        }
        return undefined;
      } catch (error) {
        return reject(error, name);
      } finally {
        finish(ask.id, one);
      }
    },
    settled(ask) {
      const ended = { ask, name: cards.nameOf(ask.id) ?? ask.id };
      cards.remove(ask.id);
      const one = underWay.get(ask.id);
      if (one === undefined) tellSettled(ended);
      else one.ended = ended;
    },
  };
}

function ack({ kind, id }: AnsweringMessage, outcome: Outcome): object {
  const { kind: status } = outcome;
  // What is undefined is not sent.
  const by = "by" in outcome ? outcome.by : undefined;
  const payload = kind === "answer" ? { questionId: id, status, by } : { executionId: id, status, by };
  return { type: "ack", payload };
}

function settledNotice(ask: Ask, name: string): object {
  const ending = ask.outcome === undefined ? {} : endingOf(ask.outcome);
  if (ask.approval !== undefined) {
    const payload = { executionId: name, ...ending };
    return { type: "event", payload: { event: "exec.approval.settled", payload } };
  }
  const answers: { answers?: GatewayAnswers } =
    ask.outcome?.kind === "answered" ? { answers: gateway.encodeAnswers(ask, ask.outcome) } : {};
  const payload = { questionId: name, ...ending, ...answers };
  return { type: "event", payload: { event: "ask_user_question.settled", payload } };
}

function endingOf(outcome: Outcome): GatewayEnding {
  return "by" in outcome ? { status: outcome.kind, by: outcome.by } : { status: outcome.kind };
}

function wrongKind(what: string): AsklineError {
  return new AsklineError("wrong_kind", `this is ${what}`);
}

function alreadySettled(ask: Ask, outcome: Outcome): AsklineError {
  return new AsklineError("already_settled", `${ask.id} was already ${outcome.kind}`, { outcome });
}
