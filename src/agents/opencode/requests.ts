// What opencode asks, as asks; outcomes as its replies; and what was answered in its own interface, as endings. Everything
// comes over HTTP, and is read with care.

import { isBlank } from "../../core/kit/fold.js";
import { isRecord, type JsonObject } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import type { Ask } from "../../core/model/ask.js";
import type { Ending, SubmittedAnswer } from "../../core/model/ending.js";
import type { Outcome } from "../../core/model/outcome.js";
import { codeBlock } from "../../core/text/context.js";
import { displayLine } from "../../core/text/display.js";
import type { Content } from "../relay/relay.js";

type Fields = Readonly<Record<string, unknown>>;

/** A question or a permission that opencode waits for. */
export interface OpencodeRequest {
  readonly kind: "question" | "permission";
  readonly id: string;
  readonly sessionID: string;
  readonly body: Fields;
}

/** Undefined if it is not a request of a known shape. */
export function readRequest(kind: OpencodeRequest["kind"], body: unknown): OpencodeRequest | undefined {
  if (!isRecord(body) || typeof body.id !== "string" || typeof body.sessionID !== "string") return undefined;
  // They become parts of a path.
  if (!/^\w{1,128}$/.test(body.id) || !/^\w{1,128}$/.test(body.sessionID)) return undefined;
  return { kind, id: body.id, sessionID: body.sessionID, body };
}

/** The hub checks it: what it refuses stays in opencode. */
export function askOf({ kind, body }: OpencodeRequest): Content {
  return kind === "question" ? questionAsk(body) : permissionAsk(body);
}

function questionAsk({ questions }: Fields): Content {
  const listed = Array.isArray(questions) ? questions : [];
  return {
    // opencode takes an empty answer for each of them; one question alone can be declined.
    allowPartial: listed.length > 1,
    questions: listed.filter(isRecord).map(({ question, header, options, multiple, custom }) => ({
      question: String(question ?? ""),
      header: typeof header === "string" && header.trim() !== "" ? header : undefined,
      options: (Array.isArray(options) ? options : []).filter(isRecord).map(({ label, description }) => ({
        label: String(label ?? ""),
        description: typeof description === "string" ? description : undefined,
      })),
      multiSelect: multiple === true,
      freeText: custom !== false,
    })),
  };
}

function permissionAsk({ permission, patterns, metadata, always }: Fields): Content {
  const { diff, ...rest } = isRecord(metadata) ? metadata : {};
  const hasDiff = typeof diff === "string";
  const facts = hasDiff || diff === undefined ? rest : { ...rest, diff };
  const rule = ruleOf(always);
  // Patterns are what opencode compares, and not what it will do; a subagent's prompt is never said.
  const isWhole =
    Object.keys(facts).length > 0 && permission !== "task" && (permission !== "edit" || hasDiff);
  return {
    approval: {
      actions: [
        {
          name: typeof permission === "string" && permission !== "" ? permission : "a tool call",
          args: {
            ...facts,
            ...(Object.keys(facts).length === 0 && { patterns: patterns ?? [] }),
          } as JsonObject,
          allow: ["approve", "reject"],
          rules: rule === undefined ? undefined : [rule],
          once: !isWhole,
        },
      ],
    },
    context: hasDiff ? codeBlock(diff, "diff") : undefined,
  };
}

/** What opencode's own "always" allows, in words; undefined if it offers none, or one that is too long to show. */
function ruleOf(always: unknown): string | undefined {
  if (!Array.isArray(always) || always.length === 0) return undefined;
  const patterns = always.map((pattern) => JSON.stringify(String(pattern))).join(", ");
  const rule = displayLine(`opencode: ${patterns}, until it ends`);
  return rule.length <= LIMITS.idLength ? rule : undefined;
}

/** What is sent for an outcome: a path below the request, its body, and a message to the agent. */
export interface Reply {
  readonly path: "reply" | "reject";
  readonly body?: JsonObject;
  /** What a person wrote and the reply has no field for: the next prompt of the session. */
  readonly prompt?: string | undefined;
}

/** Undefined for an ending without a person: the request stays open in opencode. */
export function replyOf({ kind }: OpencodeRequest, ask: Ask, outcome: Outcome): Reply | undefined {
  switch (outcome.kind) {
    case "answered":
      return { path: "reply", body: { answers: answersOf(ask, outcome) } };
    case "decided": {
      const [decision] = outcome.decisions;
      const { note } = outcome;
      if (decision?.kind === "approve") {
        const rules = ask.approval?.actions[0]?.rules ?? [];
        const reply = rules.includes(decision.remember ?? "") ? "always" : "once";
        return { path: "reply", body: { reply }, prompt: note };
      }
      const message = decision?.kind === "reject" ? decision.message : undefined;
      return rejection([message, note].filter((text) => text !== undefined).join("\n"));
    }
    case "declined":
    case "replied": {
      const words = (outcome.kind === "declined" ? outcome.reason : outcome.text) ?? "";
      if (kind === "permission") return rejection(words);
      return { path: "reject", prompt: isBlank(words) ? undefined : words };
    }
    case "expired":
    case "withdrawn":
    case "unavailable":
      return undefined;
  }
}

function rejection(message: string): Reply {
  return { path: "reply", body: { reply: "reject", ...(!isBlank(message) && { message }) } };
}

/** For each question the labels, the typed text and the note; empty if it was skipped. */
function answersOf(ask: Ask, { answers, note }: Extract<Outcome, { kind: "answered" }>): string[][] {
  const lists = ask.questions.map(({ id, options }) => {
    const answer = answers.find(({ question }) => question === id);
    const labels = options.filter((option) => answer?.selected.includes(option.id)).map(({ label }) => label);
    return [...labels, ...[answer?.text, answer?.note].filter((text) => text !== undefined)];
  });
  if (note !== undefined) lists.at(-1)?.push(note);
  return lists;
}

/** How a person ended a request in opencode; undefined for an event that says nothing of it. */
export function endingOf(type: string, properties: Fields, ask: Ask): Ending | undefined {
  switch (type) {
    case "question.replied": {
      const given = Array.isArray(properties.answers) ? properties.answers : [];
      const answers = ask.questions.map(({ id, options }, index): SubmittedAnswer => {
        const texts: readonly string[] = Array.isArray(given[index]) ? given[index].map(String) : [];
        const selected = options.filter(({ label }) => texts.includes(label)).map((option) => option.id);
        const typed = texts.filter((text) => !options.some(({ label }) => label === text)).join("\n");
        return { question: id, selected, ...(!isBlank(typed) && { text: typed }) };
      });
      return { type: "answer", answers };
    }
    case "question.rejected":
      return { type: "decline" };
    case "permission.replied": {
      const kind = properties.reply === "reject" ? "reject" : "approve";
      return { type: "decide", decisions: [{ action: "a1", kind }] };
    }
    default:
      return undefined;
  }
}
