import { lookOf } from "../../../core/kit/fold.js";
import type { Issue } from "../../../core/kit/issue.js";
import { isRecord } from "../../../core/kit/json.js";
import { LIMITS } from "../../../core/kit/limits.js";
import { type Profile, profiles } from "../../../core/kit/profiles.js";
import type { AskInput } from "../../../core/model/ask.js";
import { inputReader, type QuestionShape, typeName } from "../../../core/read/input-reader.js";
import { type AskFields, type ParsedAsk, parseAsk, parseShaped } from "../../../core/rules/parse-ask.js";
import type { Fields } from "../shared.js";

/**
 * The original documents 1-4 questions and 2-4 options, which is what its plugin sends. More of them do no harm;
 * answers are keyed by text, so only the texts must differ.
 */
export const PROFILE: Profile = { ...profiles.open, name: "gateway", uniqueQuestions: true };

/** For an ask whose message does not contain them. */
export type GatewayAskDefaults = Pick<AskInput, "timeoutMs" | "metadata">;

/** The payload of `ask_user_question`. Throws if reading a field throws. */
export function decodeQuestions(payload: Fields, defaults: GatewayAskDefaults): ParsedAsk {
  const { questionId, questions, allowPartial } = payload;
  const ask = addressed(payload, questionId, defaults, { questions: numberLabels(questions), allowPartial });
  return checkAddress(payload, "questionId", parseShaped(ask, PROFILE, SHAPE));
}

/** Labels that look alike get a number: an answer names an option by its label alone. */
function numberLabels(questions: unknown): unknown {
  if (!Array.isArray(questions)) return questions;
  return questions.map((question: unknown) => {
    if (!isRecord(question) || !Array.isArray(question.options)) return question;
    const options: readonly unknown[] = question.options;
    const looks = options.map((option) => lookOf(labelOf(option)));
    const taken = new Set(looks);
    if (taken.size === looks.length) return question;
    const isRepeated = (look: string): boolean =>
      look !== "" && looks.indexOf(look) !== looks.lastIndexOf(look);
    return {
      ...question,
      options: options.map((option, index) => {
        const look = looks[index] ?? "";
        if (!isRepeated(look)) return option;
        for (let number = 1; ; number += 1) {
          const label = `${labelOf(option)} (${number})`;
          if (taken.has(lookOf(label))) continue;
          taken.add(lookOf(label));
          return isRecord(option) ? { ...option, label } : label;
        }
      }),
    };
  });
}

function labelOf(option: unknown): string {
  const label = isRecord(option) ? option.label : option;
  return typeof label === "string" ? label : "";
}

/** The payload of `exec.approval.requested`: one action, approved or rejected as it is. */
export function decodeApproval(payload: Fields, defaults: GatewayAskDefaults): ParsedAsk {
  const names = actionNames(payload);
  const [name, args, description] = [payload[names.name], payload[names.args], payload[names.description]];
  // The public plugin cuts its text, so without the arguments nobody sees all of the call.
  const once = (payload.toolName ?? null) !== null && (args ?? null) === null ? true : undefined;
  const actions = [{ name, args, description, allow: ["approve", "reject"], once }];
  const ask = addressed(payload, payload.executionId, defaults, { approval: { actions } });
  return checkAddress(payload, "executionId", parseAsk(ask, { profile: PROFILE }));
}

/**
 * The fields of a payload that describe the action. The public plugin sends `toolName`, `params`, and in `action` a text
 * that it cuts at 200 characters; without a `toolName`, `action` is the name.
 */
function actionNames({
  toolName,
  args,
  params,
  summary,
}: Fields): Record<"name" | "args" | "description", string> {
  const isPlugin = toolName !== undefined && toolName !== null;
  return {
    name: isPlugin ? "toolName" : "action",
    args: params === undefined || (args !== undefined && !isPlugin) ? "args" : "params",
    description: isPlugin && summary === undefined ? "action" : "summary",
  };
}

/** Reads only these fields and the ones in `addressed`: a host cannot choose an answer in advance. */
const SHAPE: QuestionShape = {
  question: ({ question, header, options, multiSelect, freeText, minPicks, maxPicks }) => ({
    question,
    header,
    options,
    multiSelect,
    freeText,
    minPicks,
    maxPicks,
  }),
  option: ({ label, description, markdown, recommended, input }) => ({
    label,
    description,
    preview: previewOf(markdown),
    recommended,
    input,
  }),
};

function previewOf(markdown: unknown): Fields | undefined {
  if (typeof markdown !== "string" || markdown === "") return undefined;
  return { format: "markdown", content: markdown };
}

/** Reads only these fields: a host cannot choose who may answer. */
function addressed(
  { sessionKey, agentId, context, timeoutMs }: Fields,
  key: unknown,
  defaults: GatewayAskDefaults,
  { questions, approval, allowPartial }: AskFields,
): AskFields {
  return {
    questions,
    approval,
    session: typeof sessionKey === "string" ? sessionKey : "",
    key,
    // A host without an agent id sends an empty one.
    agentId: agentId === "" ? undefined : agentId,
    context,
    timeoutMs: timeoutMs === 0 ? undefined : (timeoutMs ?? defaults.timeoutMs),
    metadata: defaults.metadata,
    allowPartial,
  };
}

/** Reports the problems of the ask under the names that its host uses. */
function checkAddress(payload: Fields, idName: "questionId" | "executionId", parsed: ParsedAsk): ParsedAsk {
  const { sessionKey } = payload;
  // A key may be missing, or longer than an id; apart from that the rules are the same.
  const isNamed = parsed.ok && (parsed.ask.key?.length ?? Number.POSITIVE_INFINITY) <= LIMITS.idLength;
  if (isNamed && typeof sessionKey === "string") return parsed;
  const reader = inputReader();
  reader.id(payload[idName], [idName]);
  if (typeof sessionKey !== "string") {
    reader.add("wrong_type", ["sessionKey"], `must be a string, not ${typeName(sessionKey)}`);
  }
  const theirs = parsed.ok
    ? []
    : parsed.issues.filter(({ path }) => path[0] !== "key").map((issue) => inTheirNames(issue, payload));
  return { ok: false, issues: [...reader.issues, ...theirs] };
}

/** The sender looks for a field under the name that it has in the message. */
function inTheirNames(issue: Issue, payload: Fields): Issue {
  const [first, ...rest] = issue.path;
  if (first === "session") return { ...issue, path: ["sessionKey", ...rest] };
  if (first === "approval") {
    const field = rest[2];
    const names: Readonly<Record<string, string>> = actionNames(payload);
    const name = typeof field === "string" ? (names[field] ?? field) : field;
    return { ...issue, path: [...(name === undefined ? [] : [name]), ...rest.slice(3)] };
  }
  return { ...issue, path: issue.path.map((part) => (part === "preview" ? "markdown" : part)) };
}
