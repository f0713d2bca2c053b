import {
  type AskInput,
  type Issue,
  LIMITS,
  type ParsedAsk,
  type Profile,
  parseAsk,
  profiles,
} from "../../core/index.js";
import { inputReader, typeName } from "../../core/input-reader.js";
import { type AskFields, parseShaped } from "../../core/parse-ask.js";
import type { QuestionShape } from "../../core/question-shape.js";

/**
 * The document's numbers (1-4 questions, 2-4 options) say what its plugin sends. A backend that refused five
 * options would help nobody; answers are keyed by text, so only texts must differ.
 */
const PROFILE: Profile = { ...profiles.open, name: "gateway", uniqueQuestions: true };

type Fields = Readonly<Record<string, unknown>>;

/** What an ask gets whose message does not say. */
export type GatewayAskDefaults = Pick<AskInput, "timeoutMs" | "metadata">;

/** The payload of `ask_user_question`. Throws where reading a field throws. */
export function decodeQuestions(payload: Fields, defaults: GatewayAskDefaults): ParsedAsk {
  const { questionId, questions, allowPartial } = payload;
  const ask = addressed(payload, questionId, defaults, { questions, allowPartial });
  return checkAddress(payload, "questionId", parseShaped(ask, PROFILE, SHAPE));
}

/** The payload of `exec.approval.requested`: one action, taken or refused as it is. */
export function decodeApproval(payload: Fields, defaults: GatewayAskDefaults): ParsedAsk {
  const { executionId, action, args, summary } = payload;
  const actions = [{ name: action, args, description: summary, allow: ["approve", "reject"] }];
  const ask = addressed(payload, executionId, defaults, { approval: { actions } });
  return checkAddress(payload, "executionId", parseAsk(ask, { profile: PROFILE }));
}

/** Only the fields that are named here, and in `addressed`: a host cannot choose an answer before it is given. */
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

/** Only the fields that are named here: a host cannot choose recipients. */
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
    // An empty one is what a host sends that has none.
    agentId: agentId === "" ? undefined : agentId,
    context,
    timeoutMs: timeoutMs === 0 ? undefined : (timeoutMs ?? defaults.timeoutMs),
    metadata: defaults.metadata,
    allowPartial,
  };
}

/** What is wrong with the ask, in the words of its host. */
function checkAddress(payload: Fields, idName: "questionId" | "executionId", parsed: ParsedAsk): ParsedAsk {
  const { sessionKey } = payload;
  // A key may be left out, or longer than an id; else they are held to the same.
  const isNamed = parsed.ok && (parsed.ask.key?.length ?? Number.POSITIVE_INFINITY) <= LIMITS.idLength;
  if (isNamed && typeof sessionKey === "string") return parsed;
  const reader = inputReader();
  reader.id(payload[idName], [idName]);
  if (typeof sessionKey !== "string") {
    reader.add("wrong_type", ["sessionKey"], `must be a string, not ${typeName(sessionKey)}`);
  }
  const theirs = parsed.ok ? [] : parsed.issues.filter(({ path }) => path[0] !== "key").map(inTheirNames);
  return { ok: false, issues: [...reader.issues, ...theirs] };
}

/** Whoever mends the message looks for the field by the name it has there. */
function inTheirNames(issue: Issue): Issue {
  const [first, ...rest] = issue.path;
  if (first === "session") return { ...issue, path: ["sessionKey", ...rest] };
  if (first === "approval") {
    const field = rest[2];
    const name = field === "name" ? "action" : field === "description" ? "summary" : field;
    return { ...issue, path: [...(name === undefined ? [] : [name]), ...rest.slice(3)] };
  }
  return { ...issue, path: issue.path.map((part) => (part === "preview" ? "markdown" : part)) };
}
