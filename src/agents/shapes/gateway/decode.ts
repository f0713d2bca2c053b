import { formatIssues, type Issue } from "../../../core/kit/issue.js";
import { isRecord } from "../../../core/kit/json.js";
import { LIMITS } from "../../../core/kit/limits.js";
import { defined } from "../../../core/kit/tools.js";
import type { AskRequest } from "../../../core/model/ask.js";
import { inputReader, isTooLong, parseJson, typeName } from "../../../core/read/input-reader.js";
import type { ParsedAsk } from "../../../core/rules/parse-ask.js";
import type { Fields } from "../shared.js";
import { decodeApproval, decodeQuestions, type GatewayAskDefaults, PROFILE } from "./asks.js";

/** A received message, as far as it can be read without knowing the asks. */
export type GatewayMessage =
  /** `id` is the questionId or the executionId; `neverExpires` if `timeoutMs` was 0. */
  | { readonly kind: "ask"; readonly id: string; readonly ask: AskRequest; readonly neverExpires?: true }
  | {
      readonly kind: "resume";
      readonly questionIds: readonly string[];
      readonly executionIds: readonly string[];
      readonly sessionKey?: string;
    }
  | {
      readonly kind: "withdraw";
      readonly asks: "questions" | "approval";
      readonly id: string;
      readonly sessionKey?: string;
      readonly reason?: string;
    }
  /** `askId` is Askline's own id. It may be sent instead of the questionId or executionId; then `id` equals it. */
  | GatewayHook
  | { readonly kind: "ping" }
  | { readonly kind: "pong" }
  /** Envelopes that only inform: acks, rejections, errors, settled asks. */
  | { readonly kind: "notice"; readonly name: string; readonly payload: Fields }
  /** A message of another protocol on the same socket, such as a chat's; `name` is its type, or `event` and its event. */
  | { readonly kind: "unknown"; readonly name: string };

/** How a person ended an ask, from a device or for a host. */
export type GatewayHook = { readonly kind: "hook"; readonly id: string; readonly askId?: string } & (
  | { readonly asks: "questions"; readonly answers: unknown }
  | { readonly asks: "approval"; readonly approved: boolean; readonly reason?: string }
);

export type DecodedMessage =
  | { readonly ok: true; readonly message: GatewayMessage }
  | {
      readonly ok: false;
      readonly code: "invalid_json" | "invalid_request" | "invalid_ask";
      readonly issues: readonly Issue[];
      /** The ask that the message is about, if that could be read. */
      readonly questionId?: string;
      readonly executionId?: string;
      readonly askId?: string;
      /** The ask that was refused, if the message was one. */
      readonly asked?: RefusedAsk;
    };

/** An ask that was refused, as far as it could be read: enough to answer its host at once. */
export type RefusedAsk = (
  | { readonly questionId: string; readonly questions: readonly string[] }
  | { readonly executionId: string }
) & { readonly reason?: string };

type Path = Issue["path"];

/** The path of the payload in the envelope of an event, and of any other message. */
const IN_EVENT: Path = ["payload", "payload"];
const IN_MESSAGE: Path = ["payload"];
const REASON = { max: LIMITS.reasonLength } as const;
const MOST_RESUMED = 500;
const NOTICES = new Set(["ack", "rejection", "error", "ask_user_question.settled", "exec.approval.settled"]);

export function decode(text: unknown, defaults: GatewayAskDefaults = {}): DecodedMessage {
  try {
    return readEnvelope(text, defaults);
  } catch {
    // Only an object with a hostile getter or proxy can make a read throw: JSON cannot.
    return refused("invalid_request", "wrong_type", [], "could not be read");
  }
}

function readEnvelope(text: unknown, defaults: GatewayAskDefaults): DecodedMessage {
  const envelope = typeof text === "string" ? parseJson(text) : text;
  if (typeof text === "string" && isTooLong(text)) {
    const message = `must be at most ${LIMITS.askLength} characters`;
    return { ...refused("invalid_request", "too_large", [], message), ...namedInText(text, message) };
  }
  if (envelope === undefined) return refused("invalid_json", "invalid_json", [], "is not valid JSON");
  if (!isRecord(envelope) || typeof envelope.type !== "string") {
    return refused("invalid_request", "wrong_type", ["type"], "send an object with a type");
  }
  const { type, payload } = envelope;
  if (type === "ping" || type === "pong") return { ok: true, message: { kind: type } };
  if (type !== "event") return readNamed(type, payload, IN_MESSAGE, defaults);
  if (!isRecord(payload) || typeof payload.event !== "string") {
    return refused("invalid_request", "wrong_type", ["payload", "event"], "must name the event");
  }
  return readNamed(`event ${payload.event}`, payload.payload, IN_EVENT, defaults);
}

type Read = (payload: Fields, at: Path, defaults: GatewayAskDefaults) => DecodedMessage;

/**
 * The messages that ask for something. The type `event ask_user_question` is accepted for that event as well, for
 * compatibility; it is not documented.
 */
const READERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ["hook.ask_user_answer", (payload, at) => readHook(payload, "questionId", at)],
  ["hook.approval", (payload, at) => readHook(payload, "executionId", at)],
  [
    "event ask_user_question",
    (payload, at, defaults) => readAsk(payload, "questionId", decodeQuestions(payload, defaults), at),
  ],
  [
    "event exec.approval.requested",
    (payload, at, defaults) => readAsk(payload, "executionId", decodeApproval(payload, defaults), at),
  ],
  ["event resume", readResume],
  ["event ask_user_question.withdrawn", (payload, at) => readWithdrawal(payload, "questionId", at)],
  ["event exec.approval.withdrawn", (payload, at) => readWithdrawal(payload, "executionId", at)],
]);

function readNamed(name: string, payload: unknown, at: Path, defaults: GatewayAskDefaults): DecodedMessage {
  const read = READERS.get(name);
  if (read !== undefined && isRecord(payload)) return read(payload, at, defaults);
  if (read !== undefined) {
    const message = `must be an object, not ${typeName(payload)}`;
    return refused("invalid_request", "wrong_type", at, message);
  }
  const notice = name.replace(/^event /, "");
  if (!NOTICES.has(notice)) return { ok: true, message: { kind: "unknown", name } };
  return { ok: true, message: { kind: "notice", name: notice, payload: isRecord(payload) ? payload : {} } };
}

function readAsk(
  payload: Fields,
  idName: "questionId" | "executionId",
  parsed: ParsedAsk,
  at: Path,
): DecodedMessage {
  if (!parsed.ok) {
    const names = namesOf(payload);
    const id = names[idName];
    const reason = formatIssues(parsed.issues);
    const asked = id === undefined ? undefined : { ...refusedAsk(idName, id, payload.questions), reason };
    return {
      ...{ ok: false, code: "invalid_ask", issues: below(at, parsed.issues) },
      ...names,
      ...(asked !== undefined && { asked }),
    };
  }
  // A parsed ask has this id as its key.
  const message = { kind: "ask", id: payload[idName] as string, ask: parsed.ask } as const;
  return { ok: true, message: payload.timeoutMs === 0 ? { ...message, neverExpires: true } : message };
}

function refusedAsk(idName: "questionId" | "executionId", id: string, questions: unknown): RefusedAsk {
  if (idName === "executionId") return { executionId: id };
  const list: readonly unknown[] = Array.isArray(questions) ? questions.slice(0, PROFILE.questions.max) : [];
  const texts = list.map((item) => (isRecord(item) ? item.question : undefined));
  return {
    questionId: id,
    questions: texts.filter((text): text is string => typeof text === "string" && text !== ""),
  };
}

/** The ask in a text that is too long to be parsed, if only one id in it can be that of the ask. */
function namedInText(
  text: string,
  reason: string,
): { questionId?: string; executionId?: string; asked?: RefusedAsk } {
  const idName = text.includes('"exec.approval.requested"')
    ? "executionId"
    : text.includes('"ask_user_question"')
      ? "questionId"
      : undefined;
  if (idName === undefined) return {};
  const [found, ...others] = text.matchAll(
    new RegExp(`"${idName}"\\s*:\\s*"([^"\\\\]{1,${LIMITS.keyLength}})"`, "g"),
  );
  const id = found?.[1];
  if (id === undefined || others.length > 0) return {};
  return { [idName]: id, asked: { ...refusedAsk(idName, id, undefined), reason } };
}

function readResume(payload: Fields, at: Path): DecodedMessage {
  const reader = inputReader();
  const ids = (name: string): readonly string[] => {
    const list = payload[name] === undefined ? [] : (reader.list(payload[name], [...at, name]) ?? []);
    if (list.length > MOST_RESUMED) {
      reader.add("too_large", [...at, name], `must have at most ${MOST_RESUMED} entries`);
      return [];
    }
    return list.flatMap((id, index) => reader.id(id, [...at, name, index], LIMITS.keyLength) ?? []);
  };
  const questionIds = ids("questionIds");
  const executionIds = ids("executionIds");
  const { sessionKey } = payload;
  if (reader.issues.length > 0) return { ok: false, code: "invalid_request", issues: reader.issues };
  return {
    ok: true,
    message: {
      ...{ kind: "resume", questionIds, executionIds },
      ...(typeof sessionKey === "string" && { sessionKey }),
    },
  };
}

function readWithdrawal(payload: Fields, name: "questionId" | "executionId", at: Path): DecodedMessage {
  const reader = inputReader();
  const id = reader.id(payload[name], at, LIMITS.keyLength, name);
  const reason = reader.text(payload.reason, at, REASON, "reason");
  const { sessionKey } = payload;
  if (id === undefined || reader.issues.length > 0) {
    return { ok: false, code: "invalid_request", issues: reader.issues, ...namesOf(payload) };
  }
  return {
    ok: true,
    message: {
      ...{ kind: "withdraw", asks: name === "questionId" ? "questions" : "approval", id },
      ...(typeof sessionKey === "string" && { sessionKey }),
      ...(reason !== undefined && { reason }),
    },
  };
}

function readHook(payload: Fields, name: "questionId" | "executionId", at: Path): DecodedMessage {
  const reader = inputReader();
  const askId = payload.askId === undefined ? undefined : reader.id(payload.askId, at, undefined, "askId");
  const id =
    payload[name] === undefined && askId ? askId : reader.id(payload[name], at, LIMITS.keyLength, name);
  const ids = id === undefined ? undefined : { id, ...(askId !== undefined && { askId }) };
  if (name === "questionId") {
    // The Go struct of the original writes an empty map as null: a dismissal, like `{}`.
    const answers = payload.answers === null ? {} : payload.answers;
    if (!isRecord(answers)) {
      const message = `must be a map from question text to answer, not ${typeName(answers)}`;
      reader.add("wrong_type", at, message, "answers");
    }
    if (ids !== undefined && reader.issues.length === 0) {
      return { ok: true, message: { kind: "hook", asks: "questions", ...ids, answers } };
    }
  } else {
    const approved = payload.approved ?? "nothing";
    const reason = reader.text(payload.reason, at, REASON, "reason");
    // Only a boolean is accepted: an ambiguous value must not approve anything.
    if (typeof approved !== "boolean") {
      const message = `must be true or false, not ${typeName(payload.approved)}`;
      reader.add("wrong_type", at, message, "approved");
    } else if (ids !== undefined && reader.issues.length === 0) {
      return {
        ok: true,
        message: {
          ...{ kind: "hook", asks: "approval", ...ids, approved },
          ...(reason !== undefined && { reason }),
        },
      };
    }
  }
  return { ok: false, code: "invalid_request", issues: reader.issues, ...namesOf(payload) };
}

function refused(
  code: "invalid_json" | "invalid_request",
  issue: Issue["code"],
  path: Path,
  message: string,
): Extract<DecodedMessage, { readonly ok: false }> {
  return { ok: false, code, issues: [{ code: issue, path, message }] };
}

function below(at: Path, issues: readonly Issue[]): readonly Issue[] {
  return issues.map((issue) => ({ ...issue, path: [...at, ...issue.path] }));
}

function namesOf(payload: Fields): { questionId?: string; executionId?: string; askId?: string } {
  const name = (id: unknown): string | undefined =>
    typeof id === "string" && id.length <= LIMITS.keyLength ? id : undefined;
  const { questionId, executionId, askId } = payload;
  return defined({ questionId: name(questionId), executionId: name(executionId), askId: name(askId) });
}
