import type { JsonObject } from "../kit/json.js";
import { LIMITS } from "../kit/limits.js";
import type { Fields, InputOf, IntegerField, Model, Table, Unfinished } from "../read/field.js";
import { type InputReader, isAbsent, type Path } from "../read/input-reader.js";
import { APPROVAL, type Approval, type ApprovalInput } from "./approval.js";
import { OUTCOME_KINDS, type OutcomeKind } from "./kinds.js";
import { OUTCOME, type Outcome } from "./outcome.js";
import { QUESTION, type Question, type QuestionInput } from "./question.js";

/** What happens when the deadline passes. */
export const DEADLINE_POLICIES = ["expire", "recommended", "wait"] as const;
export type DeadlinePolicy = (typeof DEADLINE_POLICIES)[number];

/**
 * A parsed ask, before anyone has stored it. What each field means stands in the table below. Holds either questions or an approval:
 * where `approval` is set, `questions` is empty. Times are milliseconds since the epoch.
 */
export interface AskRequest {
  readonly questions: readonly Question[];
  readonly approval?: Approval;
  readonly context?: string;
  readonly session: string;
  readonly key?: string;
  readonly agentId?: string;
  readonly agentPath?: readonly string[];
  readonly recipients: readonly string[];
  readonly metadata?: JsonObject;
  readonly deadline?: number;
  readonly timeoutMs?: number;
  readonly onDeadline: DeadlinePolicy;
  readonly extendOnActivity?: number;
  readonly latest?: number;
  readonly allowPartial: boolean;
  readonly requireSurface: boolean;
}

export type AskStatus = "pending" | OutcomeKind;

/** A stored ask. `outcome` and `settledAt` are there exactly when `status` is not `pending`. */
export interface Ask extends Omit<AskRequest, "timeoutMs"> {
  readonly id: string;
  readonly status: AskStatus;
  readonly createdAt: number;
  readonly asker?: string;
  readonly transcript?: string;
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
    about: "Markdown for the person who decides; not part of any answer.",
    tool: {
      about: "What the person needs to know in order to decide, as markdown. Shown to them only.",
    },
  },
  session: {
    kind: "id",
    max: LIMITS.sessionLength,
    default: "",
    about: "One conversation of an agent; empty where there is none.",
  },
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
  allowPartial: {
    kind: "flag",
    default: "allowPartial",
    about: "Whether questions may be left blank; they are then skipped.",
  },
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
      about: "Who asked, as the server's credentials name them; a request cannot set it.",
    },
    transcript: {
      kind: "id",
      max: LIMITS.sessionLength * 2,
      stored: true,
      about: "The log of its session, where it has one; its beginning and its end are written there too.",
    },
    overdue: { kind: "mark", stored: true, about: "Its deadline passed, and onDeadline said to wait." },
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
