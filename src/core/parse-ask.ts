import { type AskInput, type AskRequest, DEADLINE_POLICIES } from "./ask.js";
import { AsklineError } from "./error.js";
import {
  at,
  type InputReader,
  inputReader,
  isTooLong,
  type Path,
  parseJson,
  type TextRule,
  typeName,
} from "./input-reader.js";
import { formatIssues, type Issue } from "./issue.js";
import { isRecord } from "./json.js";
import { isWithin, LIMITS, type Profile, profiles } from "./limits.js";
import { parseApproval } from "./parse-approval.js";
import { parseQuestions } from "./parse-questions.js";
import { OWN_SHAPE, type QuestionShape } from "./question-shape.js";
import { createStamp } from "./stamp.js";
import type { Unfinished } from "./unfinished.js";

export interface ParseOptions {
  /** The limits that apply; `profiles.open` where none are given. */
  readonly profile?: Profile;
}

export type ParsedAsk =
  | { readonly ok: true; readonly ask: AskRequest }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Makes an ask of whatever a model, a program or a file sent. Never throws; finds every problem in one
 * pass. What it returns is frozen and shares nothing with the input. Parsing its own result again gives
 * the same.
 *
 * @example
 * const parsed = parseAsk({ questions: [{ question: "Which auth?", options: ["OAuth", "API key"] }] });
 * if (parsed.ok) console.log(parsed.ask.questions[0]?.options.length); // 2
 */
export function parseAsk(input: unknown, { profile = profiles.open }: ParseOptions = {}): ParsedAsk {
  const known = typeof input === "object" && input !== null ? parsedWithin.of(input) : undefined;
  // What came out of here is frozen through and through: a second look would find the same.
  if (known !== undefined && isWithin(known, profile)) return { ok: true, ask: input as AskRequest };
  const reader = inputReader();
  try {
    return readAll(input, profile, reader, OWN_SHAPE);
  } catch {
    // Only an object with a hostile getter or proxy comes here: JSON cannot.
    reader.add("wrong_type", [], "could not be read: reading one of its fields throws");
  }
  return { ok: false, issues: reader.issues };
}

/** `parseAsk` for a dialect that writes questions in another way. Throws where reading a field throws. */
export function parseShaped(input: AskFields, profile: Profile, shape: QuestionShape): ParsedAsk {
  return readAll(input, profile, inputReader(), shape);
}

/** What `parseAsk` looks at, whatever is in it. */
export type AskFields = { readonly [Field in keyof AskInput]?: unknown };

function readAll(input: unknown, profile: Profile, reader: InputReader, shape: QuestionShape): ParsedAsk {
  const ask = readAsk(input, profile, reader, shape);
  if (ask === undefined || reader.issues.length > 0) return { ok: false, issues: reader.issues };
  parsedWithin.put(ask, profile);
  return { ok: true, ask: Object.freeze(ask) };
}

/** On what this parser has made: within which limits. */
const parsedWithin = createStamp<Profile>();

/** `parseAsk` for those who treat a bad ask as a fault: throws `invalid_ask` with the issues. */
export function requireAsk(input: AskInput, options: ParseOptions = {}): AskRequest {
  const parsed = parseAsk(input, options);
  if (parsed.ok) return parsed.ask;
  throw new AsklineError("invalid_ask", `this ask cannot be asked:\n${formatIssues(parsed.issues)}`, {
    issues: parsed.issues,
  });
}

function readAsk(
  input: unknown,
  profile: Profile,
  reader: InputReader,
  shape: QuestionShape,
): AskRequest | undefined {
  const fields = typeof input === "string" ? parseJson(input) : input;
  if (!isRecord(fields)) {
    if (typeof input === "string" && isTooLong(input)) {
      reader.add("too_large", [], `must be at most ${LIMITS.askLength} characters as JSON`);
    } else if (typeof input === "string" && fields === undefined) {
      reader.add("invalid_json", [], "is not valid JSON; send an object with questions or an approval");
    } else {
      reader.add(
        "wrong_type",
        [],
        `must be an object with questions or an approval, not ${typeName(fields)}`,
      );
    }
    return undefined;
  }
  const hasApproval = !isAbsent(fields.approval);
  const noQuestions = Array.isArray(fields.questions) && fields.questions.length === 0;
  if (hasApproval && !isAbsent(fields.questions) && !noQuestions) {
    reader.add("conflict", ["approval"], "an ask holds either questions or an approval, not both");
  }
  const approval = hasApproval ? parseApproval(fields.approval, reader) : undefined;
  const questions = hasApproval ? NONE : parseQuestions(fields.questions, profile, reader, shape);
  const context = reader.text(fields.context, TOP, CONTEXT, "context");
  const metadata = isAbsent(fields.metadata)
    ? undefined
    : reader.object(fields.metadata, TOP, LIMITS.metadataLength, "metadata");
  const ask: UnfinishedAsk = { questions };
  if (approval !== undefined) ask.approval = approval;
  if (context !== undefined) ask.context = context;
  readAddress(fields, reader, ask);
  if (metadata !== undefined) ask.metadata = metadata;
  readDeadline(fields, reader, ask);
  ask.allowPartial = reader.flag(fields.allowPartial, TOP, "allowPartial") ?? profile.allowPartial;
  ask.requireSurface = reader.flag(fields.requireSurface, TOP, "requireSurface") ?? false;
  return ask as AskRequest;
}

// Written field by field: every ask goes through here, and copies with conditions in them cost the most of it.
type UnfinishedAsk = Partial<Unfinished<AskRequest>>;

type Fields = Readonly<Record<string, unknown>>;

const TOP: Path = [];
const NONE: readonly never[] = Object.freeze([]);
const CONTEXT: TextRule = { max: LIMITS.contextLength };

function readAddress(fields: Fields, reader: InputReader, ask: UnfinishedAsk): void {
  const session =
    isAbsent(fields.session) || fields.session === ""
      ? ""
      : reader.id(fields.session, TOP, LIMITS.sessionLength, "session");
  const key = isAbsent(fields.key) ? undefined : reader.id(fields.key, TOP, LIMITS.keyLength, "key");
  const agentId = isAbsent(fields.agentId)
    ? undefined
    : reader.id(fields.agentId, TOP, LIMITS.idLength, "agentId");
  const agentPath = isAbsent(fields.agentPath)
    ? undefined
    : readIds(fields.agentPath, ["agentPath"], LIMITS.agentPathItems, reader);
  const recipients = isAbsent(fields.recipients)
    ? NONE
    : readIds(fields.recipients, ["recipients"], LIMITS.recipients, reader);
  ask.session = session ?? "";
  if (key !== undefined) ask.key = key;
  if (agentId !== undefined) ask.agentId = agentId;
  if (agentPath !== undefined) ask.agentPath = agentPath;
  ask.recipients = recipients.length === 0 ? NONE : Object.freeze([...new Set(recipients)]);
}

function readIds(value: unknown, path: Path, most: number, reader: InputReader): readonly string[] {
  const items = reader.list(value, path);
  if (items === undefined) return [];
  if (items.length > most) {
    reader.add("too_large", path, `must have at most ${most} entries`);
    return [];
  }
  const ids = items.map((item, index) => reader.id(item, at(path, index)));
  return Object.freeze(ids.filter((id) => id !== undefined));
}

const DURATION = { min: 1, max: LIMITS.durationMs } as const;

function readDeadline(fields: Fields, reader: InputReader, ask: UnfinishedAsk): void {
  const deadline = readTime(fields.deadline, "deadline", reader);
  const latest = readTime(fields.latest, "latest", reader);
  const timeoutMs = reader.integer(fields.timeoutMs, TOP, DURATION, "timeoutMs");
  const extendOnActivity = reader.integer(fields.extendOnActivity, TOP, DURATION, "extendOnActivity");
  if (deadline !== undefined && timeoutMs !== undefined) {
    reader.add("conflict", ["timeoutMs"], "give either deadline or timeoutMs, not both");
  }
  if (deadline !== undefined && latest !== undefined && latest < deadline) {
    reader.add("conflict", ["latest"], "latest must not be before the deadline");
  }
  if (deadline !== undefined) ask.deadline = deadline;
  if (timeoutMs !== undefined) ask.timeoutMs = timeoutMs;
  ask.onDeadline = reader.choice(fields.onDeadline, TOP, DEADLINE_POLICIES, "onDeadline") ?? "expire";
  if (extendOnActivity !== undefined) ask.extendOnActivity = extendOnActivity;
  if (latest !== undefined) ask.latest = latest;
}

/** The last moment that a date can hold. */
export const LAST_TIME = 8_640_000_000_000_000;
const TIME = { min: 0, max: LAST_TIME } as const;
export const ISO_WITH_ZONE: RegExp = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

function readTime(value: unknown, name: string, reader: InputReader): number | undefined {
  if (typeof value !== "string") return reader.integer(value, TOP, TIME, name);
  const time = ISO_WITH_ZONE.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time)) {
    const message = "must be milliseconds since 1970 or a date like 2030-01-31T12:00:00Z";
    reader.add("invalid_value", TOP, message, name);
    return undefined;
  }
  return time;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
