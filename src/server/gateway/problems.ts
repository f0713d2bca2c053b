import type { GatewayMessage, RefusedAsk } from "../../agents/shapes/gateway/decode.js";
import type { GatewayError } from "../../agents/shapes/gateway/envelopes.js";
import { defined } from "../../core/kit/tools.js";
import { AsklineError, isPublic } from "../../core/model/error.js";

/** The name of an ask in the messages of a host or a device. */
export interface AskName {
  readonly questionId?: string;
  readonly executionId?: string;
  readonly askId?: string;
}

/** The envelope for an error. Internal faults are not described to clients. */
export function errorEnvelope(
  error: unknown,
  name: AskName = {},
): { readonly envelope: GatewayError; readonly isFault: boolean } {
  const isFault = !isPublic(error);
  const { code, message, issues, retryAfterMs } = isFault ? fault(error) : error;
  const payload = { ...name, code, message, ...defined({ issues, retryAfterMs }) };
  return { envelope: { type: "error", payload }, isFault };
}

function fault(error: unknown): AsklineError {
  const code = error instanceof AsklineError ? error.code : "internal";
  return new AsklineError(code, "internal error; send the message again");
}

/** The ask that a message is about, as its sender names it. */
export function nameOf(message: GatewayMessage): AskName {
  switch (message.kind) {
    case "ask":
      return message.ask.approval === undefined ? { questionId: message.id } : { executionId: message.id };
    case "hook":
      return { ...idOf(message), ...defined({ askId: message.askId }) };
    case "withdraw":
      return idOf(message);
    default:
      return {};
  }
}

function idOf({ asks, id }: { readonly asks: "questions" | "approval"; readonly id: string }): AskName {
  return asks === "questions" ? { questionId: id } : { executionId: id };
}

/** What its host has to be told if the ask in a message is refused. */
export function askedIn(message: GatewayMessage): RefusedAsk | undefined {
  if (message.kind !== "ask") return undefined;
  const { id, ask } = message;
  if (ask.approval !== undefined) return { executionId: id };
  return { questionId: id, questions: ask.questions.map(({ question }) => question) };
}
