// Histories in which a person talked instead of answering, made valid again for their provider.

import { isBlank } from "../../../core/kit/fold.js";
import { isRecord } from "../../../core/kit/json.js";
import { pages } from "../../../core/kit/pages.js";
import { AsklineError } from "../../../core/model/error.js";
import type { Answerer } from "../../../core/model/outcome.js";
import type { Inbox } from "../../../core/model/ports.js";
import { withdrawnOutcome } from "../../../core/rules/abort.js";
import { describeOutcome } from "../../../core/text/describe-outcome.js";

export interface DanglingOptions {
  /** What the person said instead; by default the text of the next message of the user. */
  readonly text?: string;
  /** Where the asks are, so that they end as `replied`. The key of each is the id of its call. */
  readonly inbox?: Pick<Inbox, "list" | "settle">;
  readonly session?: string;
  /** The person who talked; needed with `inbox`. */
  readonly by?: Answerer;
}

/**
 * Makes a history valid again in which a person talked instead of answering: each call without a result gets one, where
 * its provider looks for it, that says what the person wrote; a result that came too late is moved there. With an
 * `inbox`, the pending asks of these calls end as `replied`, and one that has ended gives its own outcome. Takes messages
 * of Anthropic, OpenAI (both APIs) and the AI SDK (for the model and of its UI); returns new ones and leaves the old
 * unchanged.
 *
 * @example
 * const messages = [
 *   { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "ask_user_question", input: {} }] },
 *   { role: "user", content: "Let us talk about the budget first." },
 * ];
 * console.log(await settleDangling(messages));
 */
export async function settleDangling<M extends object>(
  messages: readonly M[],
  options: DanglingOptions = {},
): Promise<M[]> {
  if (!Array.isArray(messages) || !messages.every(isRecord)) {
    throw new AsklineError("invalid_request", "settleDangling needs a list of messages, each an object");
  }
  const { items, placed, lifted } = liftMisplaced(messages);
  const result: Message[] = [];
  for (let index = 0; index < items.length; index += 1) {
    const message = items[index] ?? {};
    const open = callsOf(message).filter(({ id }) => !placed.has(id));
    if (open.length === 0) {
      result.push(message);
      continue;
    }
    const text = options.text ?? nextText(items, index + 1);
    const dangling = open.filter(({ id }) => !lifted.has(id));
    const words = await settleCalls(dangling, text, options);
    const resultOf = (call: DanglingCall): unknown =>
      lifted.get(call.id) ?? newResult(call, words.get(call.id) ?? NO_ANSWER);
    switch (open[0]?.shape) {
      case "ai-sdk-ui": {
        const parts = listOf(message.parts).map((part) =>
          words.has(String(part.toolCallId)) && part.state === "input-available"
            ? { ...part, state: "output-available", output: words.get(String(part.toolCallId)) }
            : part,
        );
        result.push({ ...message, parts });
        break;
      }
      case "ai-sdk":
        result.push(message, ...open.map((call) => ({ role: "tool", content: [resultOf(call)] })));
        break;
      case "anthropic": {
        // All results come first in the next message of the user, together with what the person wrote.
        const next = items[index + 1];
        const joined = next?.role === "user" ? next : undefined;
        if (joined !== undefined) index += 1;
        const content = [...open.map(resultOf), ...contentOf(joined)];
        result.push(message, { role: "user", ...joined, content });
        break;
      }
      default:
        result.push(message, ...open.map((call) => resultOf(call) as Message));
    }
  }
  return result as M[];
}

type Message = Readonly<Record<string, unknown>>;

const UNKNOWN: Answerer = { kind: "person", id: "person", surface: "chat" };
const NO_ANSWER = "The person did not answer this. Do not assume an answer.";

interface DanglingCall {
  readonly shape: "anthropic" | "openai-chat" | "openai-responses" | "ai-sdk" | "ai-sdk-ui";
  readonly id: string;
  readonly name: string;
}

function callsOf(message: Message): readonly DanglingCall[] {
  const call = (shape: DanglingCall["shape"], id: unknown, name: unknown): readonly DanglingCall[] =>
    typeof id === "string" ? [{ shape, id, name: typeof name === "string" ? name : "" }] : [];
  if (message.type === "function_call") return call("openai-responses", message.call_id, message.name);
  if (message.role !== "assistant") return [];
  const chat = listOf(message.tool_calls).flatMap((item) =>
    call("openai-chat", item.id, isRecord(item.function) ? item.function.name : ""),
  );
  const parts = listOf(message.content).flatMap((part) => {
    if (part.type === "tool_use") return call("anthropic", part.id, part.name);
    return part.type === "tool-call" && part.providerExecuted !== true
      ? call("ai-sdk", part.toolCallId, part.toolName)
      : [];
  });
  const shown = listOf(message.parts).flatMap((part) => {
    const isCall = part.type === "dynamic-tool" || String(part.type).startsWith("tool-");
    return isCall && part.state === "input-available" && part.providerExecuted !== true
      ? call("ai-sdk-ui", part.toolCallId, part.type)
      : [];
  });
  return [...chat, ...parts, ...shown];
}

/** The id of the call whose result a whole message is, as with OpenAI. */
function messageResult(message: Message): unknown {
  if (message.type === "function_call_output") return message.call_id;
  return message.role === "tool" ? message.tool_call_id : undefined;
}

/** The id of the call whose result a part of a message is, as with Anthropic and the AI SDK. */
function partResult(part: unknown): unknown {
  if (!isRecord(part)) return undefined;
  if (part.type === "tool_result") return part.tool_use_id;
  return part.type === "tool-result" ? part.toolCallId : undefined;
}

interface Straightened {
  readonly items: readonly Message[];
  /** The calls whose results are where the provider looks for them. */
  readonly placed: ReadonlySet<unknown>;
  /** The results that were elsewhere, by call. */
  readonly lifted: ReadonlyMap<unknown, unknown>;
}

/** Takes the results out of a history that are not where the provider looks for them. */
function liftMisplaced(messages: readonly Message[]): Straightened {
  const calls = messages.map((message) => callsOf(message));
  const known = new Set<unknown>(calls.flat().map(({ id }) => id));
  const placed = new Set<unknown>(
    calls.flatMap((own, index) => {
      if (own.length === 0) return [];
      const found = new Set(resultsAfter(messages, index + 1, own[0]?.shape));
      return own.flatMap(({ id }) => (found.has(id) ? [id] : []));
    }),
  );
  const lifted = new Map<unknown, unknown>();
  const lift = (id: unknown, result: unknown): boolean => {
    if (!known.has(id) || placed.has(id) || lifted.has(id)) return false;
    lifted.set(id, result);
    return true;
  };
  const items = messages.flatMap((message) => {
    if (lift(messageResult(message), message)) return [];
    if (!Array.isArray(message.content)) return [message];
    const content = message.content.filter((part) => !lift(partResult(part), part));
    if (content.length === message.content.length) return [message];
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return { items, placed, lifted };
}

/** The calls whose results a provider finds from this message on, for calls in the message before. */
function resultsAfter(messages: readonly Message[], from: number, shape?: DanglingCall["shape"]): unknown[] {
  const ids: unknown[] = [];
  for (const message of messages.slice(from)) {
    if (shape === "openai-responses") ids.push(messageResult(message));
    else if (shape === "anthropic") {
      // Messages of one role in a row count as one, whose results come first.
      if (message.role === "assistant" && ids.length === 0) continue;
      if (message.role !== "user" || !Array.isArray(message.content)) break;
      const results = message.content.map(partResult);
      const others = results.indexOf(undefined);
      ids.push(...(others === -1 ? results : results.slice(0, others)));
      if (others !== -1) break;
    } else if (message.role !== "tool") break;
    else ids.push(messageResult(message), ...listOf(message.content).map(partResult));
  }
  return ids;
}

/** A result in the shape of its call: a message, or a part of one. */
function newResult({ shape, id, name }: DanglingCall, text: string): Message {
  if (shape === "anthropic") return { type: "tool_result", tool_use_id: id, content: text };
  if (shape === "openai-responses") return { type: "function_call_output", call_id: id, output: text };
  if (shape === "openai-chat") return { role: "tool", tool_call_id: id, content: text };
  return { type: "tool-result", toolCallId: id, toolName: name, output: { type: "text", value: text } };
}

function contentOf(message: Message | undefined): readonly unknown[] {
  const content = message?.content;
  if (Array.isArray(content)) return content;
  return typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
}

function nextText(items: readonly Message[], from: number): string {
  for (const message of items.slice(from)) {
    if (message.role !== "user") continue;
    if (typeof message.content === "string") return message.content;
    const parts = [...listOf(message.content), ...listOf(message.parts)];
    const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
    if (texts.length > 0) return texts.join("\n");
  }
  return "";
}

function listOf(value: unknown): readonly Message[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Ends the pending asks of these calls as replied; what the model reads for each call. */
async function settleCalls(
  calls: readonly DanglingCall[],
  text: string,
  { inbox, session = "", by }: DanglingOptions,
): Promise<ReadonlyMap<string, string>> {
  const replied = { kind: "replied", text, by: by ?? UNKNOWN } as const;
  const words = isBlank(text) ? NO_ANSWER : describeOutcome({ questions: [] }, replied);
  const found = new Map(calls.map(({ id }) => [id, words]));
  if (inbox === undefined || calls.length === 0) return found;
  if (by === undefined) throw new AsklineError("invalid_request", "settleDangling with an inbox needs `by`");
  for await (const { asks } of pages((after: string | undefined) => inbox.list({ session }, { after }))) {
    for (const ask of asks) {
      if (ask.key === undefined || !found.has(ask.key)) continue;
      // One that has just ended in another way stands.
      const outcome =
        ask.outcome ??
        (isBlank(text)
          ? undefined
          : await withdrawnOutcome(ask, inbox.settle(ask.id, { type: "reply", text }, { by })));
      if (outcome !== undefined) found.set(ask.key, describeOutcome(ask, outcome));
    }
  }
  return found;
}
