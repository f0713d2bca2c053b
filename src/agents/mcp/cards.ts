// The card as an MCP App (io.modelcontextprotocol/ui): the host shows `ui://askline/card` beside the call, and the card
// answers with the tool `answer_ask`. A host could let its model call that tool too, so it demands a token that is only in
// the `_meta` of the result, which models do not see. An answer from a card is reported by the agent's process.

import { formatIssues } from "../../core/kit/issue.js";
import type { JsonObject } from "../../core/kit/json.js";
import type { Ask } from "../../core/model/ask.js";
import { endingIn, toOutcome } from "../../core/model/ending.js";
import { AsklineError } from "../../core/model/error.js";
import type { Outcome } from "../../core/model/outcome.js";
import { validateEnding } from "../../core/rules/validate-ending.js";
import { CARD_META_KEY, CARD_SURFACE } from "../shapes/shared/mcp-card.js";
import type { CallOptions, ToolCall } from "./calls.js";
import { reportOutcome } from "./forms.js";
import { type CallResult, deliver, errorResult, textResult } from "./results.js";

export const APPS_EXTENSION = "io.modelcontextprotocol/ui";
export const CARD_URI = "ui://askline/card";
export const CARD_MIME = "text/html;profile=mcp-app";

/** The tools whose results a card shows. */
export function hasCardOf(name: string, trustClient: boolean): boolean {
  return name === "ask_user_question" || name === "post_question" || (trustClient && name === "ask_approval");
}

export function usesCard({ name, showsCards }: ToolCall, { hasCard, trustClient }: CallOptions): boolean {
  return hasCard && showsCards && hasCardOf(name, trustClient);
}

/** The call returns at once: hosts show a card when its result is there. */
export async function cardResult(ask: Ask, { states, where }: CallOptions): Promise<CallResult> {
  const token = await states.sign({ for: "card", ask: ask.id });
  const { id, questions, approval, context, allowPartial, createdAt, deadline } = ask;
  const shown = { id, questions, approval, context, allowPartial, createdAt, deadline };
  const result = textResult(
    `Asked as ${id}. The person sees the question in a card here, and can also answer ${where}. The answer comes as the next message. End your turn now, or go on with work that does not depend on it; get_answer with this ask_id has the answer too. Do not ask again, and do not assume an answer.`,
    { status: "pending", ask_id: id },
  );
  const card = JSON.parse(JSON.stringify({ ask: shown, token })) as JsonObject;
  return { ...result, _meta: { [CARD_META_KEY]: card } };
}

/** `answer_ask`: what the person did in the card. */
export async function answerInCard({ args }: ToolCall, options: CallOptions): Promise<CallResult> {
  const state = await options.states.read(args.token);
  if (state === undefined || state.for !== "card" || state.ask !== args.ask) {
    return errorResult(
      "Refused: only the card that shows the question to the person can answer it. Wait for the person's answer, or call get_answer.",
    );
  }
  const ask = await options.port.get(state.ask);
  if (ask.approval !== undefined && !options.trustClient) {
    return errorResult(
      "Refused: approvals are not given in the client unless askline runs with --trust-client.",
    );
  }
  if (ask.outcome !== undefined) return toCard(ask, options);
  const read = outcomeOf(ask, args, options.person);
  if (typeof read === "string") return errorResult(`The answer is invalid, and nothing was stored:\n${read}`);
  try {
    return toCard(await reportOutcome(ask, read, CARD_SURFACE, options), options);
  } catch (error) {
    if (!(error instanceof AsklineError && error.code === "forbidden")) throw error;
    return errorResult(
      `The answer was not stored: ${error.message}. The question is still open as ${ask.id}.`,
    );
  }
}

/** The text for the model, which the card sends to it, and the outcome for the card. */
function toCard(ask: Ask, options: CallOptions): CallResult {
  const card = { outcome: ask.outcome as unknown as JsonObject };
  return { ...deliver(ask, options), _meta: { [CARD_META_KEY]: card } };
}

/** The outcome, or what is wrong. */
function outcomeOf(ask: Ask, args: ToolCall["args"], person: string | undefined): Outcome | string {
  const by = { kind: "person" as const, id: person ?? "client-user", surface: CARD_SURFACE, via: "mcp" };
  const sent = endingIn(args);
  if (sent !== undefined) {
    const checked = validateEnding(ask, sent);
    return checked.ok ? toOutcome(checked.ending, by) : formatIssues(checked.issues);
  }
  return "send one of answers, decisions, decline or reply";
}
