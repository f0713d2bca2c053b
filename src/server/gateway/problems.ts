import { AsklineError } from "../../core/index.js";
import { defined } from "../../core/kit/tools.js";
import { isPublic } from "../../core/model/error.js";
import type { GatewayError, GatewayMessage } from "../../dialects/gateway.js";

/** What an ask is called by the one who is told of it. */
export interface AskName {
  readonly questionId?: string;
  readonly executionId?: string;
}

/** What may be told of an error: of our own faults nothing but that there was one. */
export function errorEnvelope(
  error: unknown,
  name: AskName = {},
): { readonly envelope: GatewayError; readonly isFault: boolean } {
  const isFault = !isPublic(error);
  const told = isFault ? fault(error) : error;
  const payload = {
    ...name,
    code: told.code,
    message: told.message,
    ...defined({ issues: told.issues, retryAfterMs: told.retryAfterMs }),
  };
  return { envelope: { type: "error", payload }, isFault };
}

function fault(error: unknown): AsklineError {
  const code = error instanceof AsklineError ? error.code : "internal";
  return new AsklineError(code, "something went wrong here; send it again");
}

/** Which ask a message is about, in the words of its sender. */
export function nameOf(message: GatewayMessage): AskName {
  switch (message.kind) {
    case "ask":
      return message.ask.approval === undefined ? { questionId: message.id } : { executionId: message.id };
    case "answer":
      return { questionId: message.id };
    case "approval":
      return { executionId: message.id };
    case "withdraw":
      return message.asks === "questions" ? { questionId: message.id } : { executionId: message.id };
    default:
      return {};
  }
}
