// The events that an agent writes into a session: the body of `POST /v1/sessions/{id}/events`.

import {
  type ActionInput,
  AsklineError,
  formatIssues,
  isRecord,
  LIMITS,
  type QuestionInput,
  type ToolRule,
} from "../core/index.js";
import { defined } from "../core/kit/tools.js";
import { type InputReader, inputReader, typeName } from "../core/read/input-reader.js";

export type WrittenEvent =
  | { readonly type: "user" | "thinking" | "summary"; readonly text: string }
  | { readonly type: "text"; readonly text: string; readonly final: boolean }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly message?: string;
      readonly rule?: ToolRule;
    }
  | { readonly type: "tool_result"; readonly id: string; readonly status: "success" | "error" };

export interface RequestEvent {
  readonly type: "ask" | "approve";
  /** Validated when the ask is built from this event. */
  readonly questions?: readonly QuestionInput[];
  readonly actions?: readonly ActionInput[];
  readonly key?: string;
  readonly context?: string;
  readonly timeoutMs?: number | null;
}

/** Opens a session, with the settings that apply to all of it. */
export interface OpenEvent {
  readonly type: "open";
  readonly locale?: string;
  readonly agentId?: string;
  readonly recipients: readonly string[];
  /** The person who opened it with a first message. Never read from input. */
  readonly openedBy?: string;
}

export type SessionEvent = WrittenEvent | RequestEvent | OpenEvent;

export const SESSION_EVENT_TYPES = [
  "open",
  "user",
  "thinking",
  "text",
  "summary",
  "tool_use",
  "tool_result",
  "ask",
  "approve",
] as const;

/** The fields of each event beside its type. */
const FIELDS: Readonly<Record<SessionEvent["type"], readonly string[]>> = {
  open: ["locale", "agentId", "recipients"],
  user: ["text"],
  thinking: ["text"],
  text: ["text", "final"],
  summary: ["text"],
  tool_use: ["id", "name", "message", "rule"],
  tool_result: ["id", "status"],
  ask: ["questions", "key", "context", "timeoutMs"],
  approve: ["actions", "key", "context", "timeoutMs"],
};
export const TOOL_STATUSES = ["success", "error"] as const;
export const TOOL_RULES = ["streamToolUse", "streamToolResult", "displayAsContent"] as const;

export const LOCALE_LENGTH = 64;

type Fields = Readonly<Record<string, unknown>>;

/** The validated event; throws `invalid_request` with all issues. */
export function requireSessionEvent(input: unknown): SessionEvent {
  const reader = inputReader();
  const event = isRecord(input) ? readEvent(input, reader) : undefined;
  if (!isRecord(input)) reader.add("wrong_type", [], `must be an object with a type, not ${typeName(input)}`);
  if (event !== undefined && reader.issues.length === 0) return event;
  throw new AsklineError("invalid_request", `invalid session event:\n${formatIssues(reader.issues)}`, {
    issues: reader.issues,
  });
}

function readEvent(fields: Fields, reader: InputReader): SessionEvent | undefined {
  const type = reader.choice(fields.type ?? "", ["type"], SESSION_EVENT_TYPES);
  if (type !== undefined) refuseUnknown(type, fields, reader);
  switch (type) {
    case undefined:
      return undefined;
    case "open":
      return readOpen(fields, reader);
    case "user":
    case "thinking":
    case "summary":
      return { type, text: readText(fields.text, reader) };
    case "text":
      return {
        type,
        text: readText(fields.text, reader),
        final: reader.flag(fields.final, ["final"]) ?? false,
      };
    case "tool_use":
      return readToolUse(fields, reader);
    case "tool_result":
      return {
        type,
        id: reader.id(fields.id, ["id"]) ?? "",
        status: reader.choice(fields.status, ["status"], TOOL_STATUSES) ?? "success",
      };
    case "ask":
    case "approve": {
      // The parser of asks validates these fields later.
      const { questions, actions, key, context, timeoutMs } = fields as Partial<RequestEvent>;
      return {
        type,
        ...defined({ questions, actions, key, context, timeoutMs }),
      };
    }
  }
}

/** A mistyped field would silently not count. */
function refuseUnknown(type: SessionEvent["type"], fields: Fields, reader: InputReader): void {
  const known = FIELDS[type];
  for (const [name, value] of Object.entries(fields)) {
    if (name === "type" || known.includes(name) || value === undefined) continue;
    reader.add("invalid_value", [name.slice(0, 64)], `unknown field; ${type} takes ${known.join(", ")}`);
  }
}

function readOpen(fields: Fields, reader: InputReader): OpenEvent {
  const locale = reader.text(fields.locale, ["locale"], { max: LOCALE_LENGTH });
  const agentId =
    fields.agentId === undefined || fields.agentId === null
      ? undefined
      : reader.id(fields.agentId, ["agentId"]);
  const items = reader.list(fields.recipients ?? [], ["recipients"]) ?? [];
  if (items.length > LIMITS.recipients) {
    reader.add("too_large", ["recipients"], `must have at most ${LIMITS.recipients} entries`);
  }
  const recipients = items
    .slice(0, LIMITS.recipients)
    .flatMap((item, index) => reader.id(item, ["recipients", index]) ?? []);
  return {
    type: "open",
    ...defined({ locale, agentId }),
    recipients: [...new Set(recipients)],
  };
}

function readToolUse(fields: Fields, reader: InputReader): WrittenEvent {
  const message = reader.text(fields.message, ["message"], { max: LIMITS.descriptionLength });
  const flags = isRecord(fields.rule) ? fields.rule : {};
  const rule = Object.fromEntries(
    TOOL_RULES.flatMap((name) => {
      const flag = reader.flag(flags[name], ["rule", name]);
      return flag === undefined ? [] : [[name, flag]];
    }),
  );
  return {
    type: "tool_use",
    id: reader.id(fields.id, ["id"]) ?? "",
    name: reader.id(fields.name, ["name"], LIMITS.actionNameLength) ?? "",
    ...(message !== undefined && { message }),
    ...(isRecord(fields.rule) && { rule }),
  };
}

function readText(value: unknown, reader: InputReader): string {
  return (
    reader.text(value, ["text"], { max: LIMITS.askLength, blank: ["invalid_value", "must not be blank"] }) ??
    ""
  );
}
