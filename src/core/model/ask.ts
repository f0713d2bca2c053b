import { type InputReader, isAbsent, type Path } from "../input-reader.js";
import type { JsonObject } from "../json.js";
import { LIMITS } from "../limits.js";
import { APPROVAL, type Approval, type ApprovalInput } from "./approval.js";
import type { Fields, InputOf, IntegerField, Model, Table, Unfinished } from "./field.js";
import { OUTCOME_KINDS, type OutcomeKind } from "./kinds.js";
import { OUTCOME, type Outcome } from "./outcome.js";
import { QUESTION, type Question, type QuestionInput } from "./question.js";

/** What happens when the deadline passes. */
export const DEADLINE_POLICIES = ["expire", "recommended", "wait"] as const;
export type DeadlinePolicy = (typeof DEADLINE_POLICIES)[number];

/**
 * A parsed ask, before anyone has stored it. Holds either questions or an approval:
 * where `approval` is set, `questions` is empty. Times are milliseconds since the epoch.
 */
export interface AskRequest {
  readonly questions: readonly Question[];
  readonly approval?: Approval;
  /** Markdown for the person who decides; no part of any answer. */
  readonly context?: string;
  /** One conversation of an agent; `""` where there is none. */
  readonly session: string;
  /** Makes asking idempotent within the session: the framework's tool-call id. */
  readonly key?: string;
  readonly agentId?: string;
  /** The chain of agents above a subagent, outermost first. */
  readonly agentPath?: readonly string[];
  /** Ids of the persons who may answer; empty means every person. */
  readonly recipients: readonly string[];
  readonly metadata?: JsonObject;
  readonly deadline?: number;
  /** A deadline counted from the moment the ask is stored. */
  readonly timeoutMs?: number;
  readonly onDeadline: DeadlinePolicy;
  /** A person's activity moves the deadline to at least now plus this many milliseconds. */
  readonly extendOnActivity?: number;
  /** The deadline never moves beyond this. */
  readonly latest?: number;
  /** Questions may be left blank; they are then `skipped`. */
  readonly allowPartial: boolean;
  /** End as `unavailable` at once when nobody who may answer can be reached. */
  readonly requireSurface: boolean;
}

export type AskStatus = "pending" | OutcomeKind;

/** A stored ask. `outcome` and `settledAt` are there exactly when `status` is not `pending`. */
export interface Ask extends Omit<AskRequest, "timeoutMs"> {
  readonly id: string;
  readonly status: AskStatus;
  readonly createdAt: number;
  /** Who asked, as the server's credentials name them; never taken from the request. */
  readonly asker?: string;
  /** A log that its beginning and its end are written to as well: that of its session, where it has one. */
  readonly transcript?: string;
  /** Its deadline passed while `onDeadline` said to wait. */
  readonly overdue?: true;
  readonly settledAt?: number;
  readonly outcome?: Outcome;
}

/** What a caller may write for an ask; `parseAsk` makes an {@link AskRequest} of it. */
export type AskInput = InputOf<
  AskRequest,
  never,
  {
    readonly questions?: readonly QuestionInput[];
    readonly approval?: ApprovalInput;
    /** Milliseconds since the epoch, or an ISO 8601 date with a time zone. */
    readonly deadline?: number | string;
    readonly latest?: number | string;
  }
>;

/** The part of an ask that a person answers: what surfaces, dialects and formatters need. */
export type AskContent = Pick<AskRequest, "questions" | "approval" | "context">;

const DURATION = { kind: "integer", min: 1, max: LIMITS.durationMs } as const satisfies IntegerField;

/** In the order in which a stored ask has them. */
const REQUEST: Table<AskRequest> = {
  questions: {
    kind: "list",
    of: QUESTION,
    required: true,
    unless: "approval",
    tool: { about: ({ min, max }) => `The questions to ask, ${min} to ${max} of them.`, required: true },
  },
  approval: { kind: "object", of: APPROVAL },
  context: {
    kind: "text",
    max: LIMITS.contextLength,
    about: "Markdown for the person who decides.",
    tool: {
      about: "What the person needs to know in order to decide, as markdown. Shown to them only.",
    },
  },
  session: { kind: "id", max: LIMITS.sessionLength, default: "" },
  key: {
    kind: "id",
    max: LIMITS.keyLength,
    about: "The tool-call id: asking again with it, in the same session, is the same ask.",
  },
  agentId: { kind: "id", max: LIMITS.idLength },
  agentPath: {
    kind: "ids",
    max: LIMITS.agentPathItems,
    about: "The agents above a subagent, outermost first.",
  },
  recipients: {
    kind: "ids",
    max: LIMITS.recipients,
    unique: true,
    default: [],
    about: "Ids of the persons who may answer; every person where it is empty.",
  },
  metadata: { kind: "json", max: LIMITS.metadataLength },
  deadline: { kind: "time", about: "When it expires. Not together with timeoutMs." },
  timeoutMs: { ...DURATION, about: "A deadline, counted from now." },
  onDeadline: {
    kind: "choice",
    choices: DEADLINE_POLICIES,
    default: "expire",
    about: "What happens then; expire where it is not given.",
  },
  extendOnActivity: {
    ...DURATION,
    about: "A person's activity moves the deadline to at least so many milliseconds from then.",
  },
  latest: { kind: "time", about: "The deadline never moves beyond this. Not before the deadline." },
  allowPartial: { kind: "flag", default: "allowPartial", about: "Whether questions may be skipped." },
  requireSurface: {
    kind: "flag",
    default: false,
    about: "End as unavailable at once where nobody can be reached.",
  },
};

export const ASK_REQUEST: Model<AskRequest> = {
  must: "an object with questions or an approval",
  fields: REQUEST,
  check: checkAsk,
};

const { timeoutMs: _, ...KEPT } = REQUEST;

export const ASK: Model<Ask> = {
  name: "Ask",
  must: "an ask",
  fields: {
    id: { kind: "id", max: LIMITS.idLength, pattern: /^[\w.:-]+$/, required: true, stored: true },
    status: { kind: "choice", choices: ["pending", ...OUTCOME_KINDS], required: true, stored: true },
    createdAt: { kind: "time", required: true, stored: true },
    ...KEPT,
    asker: {
      kind: "id",
      max: LIMITS.idLength,
      stored: true,
      about: "Who asked, as the server's credentials name them.",
    },
    transcript: {
      kind: "id",
      max: LIMITS.sessionLength * 2,
      stored: true,
      about: "The log of its session, where it has one.",
    },
    overdue: { kind: "mark", stored: true },
    settledAt: { kind: "time", stored: true },
    outcome: { kind: "object", of: OUTCOME, stored: true },
  },
};

function checkAsk(ask: Unfinished<AskRequest>, given: Fields, _path: Path, reader: InputReader): void {
  const { deadline, timeoutMs, latest } = ask;
  if (!isAbsent(given.approval) && !isAbsent(given.questions) && !isEmptyArray(given.questions)) {
    reader.add("conflict", ["approval"], "an ask holds either questions or an approval, not both");
  }
  if (deadline === undefined) return;
  if (timeoutMs !== undefined) {
    reader.add("conflict", ["timeoutMs"], "give either deadline or timeoutMs, not both");
  }
  if (latest !== undefined && latest < deadline) {
    reader.add("conflict", ["latest"], "latest must not be before the deadline");
  }
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
