import type { JsonObject } from "../kit/json.js";
import { LIMITS } from "../kit/limits.js";
import { OPTIONAL_NAME } from "../read/common-fields.js";
import type { Fields, InputOf, IntegerField, Model, Table, Unfinished } from "../read/field.js";
import { type InputReader, isAbsent, type Path } from "../read/input-reader.js";
import { APPROVAL, type Approval, type ApprovalInput } from "./approval.js";
import { CALLBACK, type Callback } from "./callback.js";
import { OUTCOME_KINDS, type OutcomeKind } from "./kinds.js";
import { NOTIFY_STEP, type NotifyStep } from "./notify.js";
import { type DeliveredOutcome, OUTCOME, type Outcome } from "./outcome.js";
import { QUESTION, type Question, type QuestionInput } from "./question.js";

/** What happens when the deadline passes. */
export const DEADLINE_POLICIES = ["expire", "recommended", "wait"] as const;
export type DeadlinePolicy = (typeof DEADLINE_POLICIES)[number];

/**
 * A parsed ask that is not stored yet. Has either questions or an approval: if `approval` is set, `questions` is empty.
 * Times are milliseconds since the epoch.
 */
export interface AskRequest {
  /** The questions to ask. Not together with approval. */
  readonly questions: readonly Question[];
  /** Actions to approve. Not together with questions. */
  readonly approval?: Approval;
  /** Background for the person, as Markdown; not part of any answer. */
  readonly context?: string;
  /** The conversation of the agent that the ask belongs to; empty by default. */
  readonly session: string;
  /** Usually the tool-call id. Asking again with the same key in the same session returns the same ask. */
  readonly key?: string;
  /** What the agent calls itself. */
  readonly agentId?: string;
  /** The agents that called this subagent, outermost first. */
  readonly agentPath?: readonly string[];
  /** Ids of the people who may answer; everyone if it is empty. */
  readonly recipients: readonly string[];
  /** Data for the agent's own use, stored with the ask. */
  readonly metadata?: JsonObject;
  /** When the ask expires. Not together with timeoutMs. */
  readonly deadline?: number;
  /** A deadline in milliseconds from now. */
  readonly timeoutMs?: number;
  /** What happens at the deadline; expire by default. */
  readonly onDeadline: DeadlinePolicy;
  /** A person's activity moves the deadline to at least this many milliseconds later. */
  readonly extendOnActivity?: number;
  /** Activity does not move the deadline beyond this time. Must not be before the deadline. */
  readonly latest?: number;
  /** Whether questions may be left blank, which skips them. */
  readonly allowPartial: boolean;
  /** Whether the ask ends as unavailable at once if nobody can be reached. */
  readonly requireSurface: boolean;
  /** When people are notified; the server's setting by default. */
  readonly notify?: readonly NotifyStep[];
  /** Where the outcome is sent. Never shown again. */
  readonly callback?: Callback;
}

export type AskStatus = "pending" | OutcomeKind;

/** A stored ask. It has `outcome` and `settledAt` exactly when `status` is not `pending`. */
export interface Ask extends Omit<AskRequest, "timeoutMs" | "callback"> {
  readonly id: string;
  readonly status: AskStatus;
  readonly createdAt: number;
  readonly asker?: string;
  readonly owner?: string;
  readonly transcript?: string;
  readonly overdue?: true;
  readonly settledAt?: number;
  readonly outcome?: Outcome;
}

/** An ask as a caller gets it: its outcome has the answers in words too. */
export interface DeliveredAsk extends Ask {
  readonly outcome?: DeliveredOutcome;
}

/** What a caller may write for an ask; `parseAsk` turns it into an {@link AskRequest}. */
export type AskInput = InputOf<
  AskRequest,
  never,
  {
    /** The questions to ask. Not together with approval. */
    readonly questions?: readonly QuestionInput[];
    /** Actions to approve. Not together with questions. */
    readonly approval?: ApprovalInput;
    /** When the ask expires: milliseconds since the epoch, or an ISO 8601 date with a time zone. Not with timeoutMs. */
    readonly deadline?: number | string;
    /** Activity does not move the deadline beyond this time: milliseconds since the epoch, or an ISO 8601 date. */
    readonly latest?: number | string;
    /** When people are notified; the server's setting by default. */
    readonly notify?: readonly {
      readonly id?: string;
      readonly after: string;
      readonly to?: readonly string[];
    }[];
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
    about: "The questions to ask. Not together with approval.",
    tool: { about: ({ min, max }) => `The questions to ask, ${min} to ${max} of them.`, required: true },
  },
  approval: { kind: "object", of: APPROVAL, about: "Actions to approve. Not together with questions." },
  context: {
    kind: "text",
    max: LIMITS.contextLength,
    about: "Background for the person, as Markdown; not part of any answer.",
    tool: { about: "What the person needs to know to decide, as Markdown. Only the person sees it." },
  },
  session: {
    kind: "id",
    max: LIMITS.sessionLength,
    default: "",
    about: "The conversation of the agent that the ask belongs to; empty by default.",
  },
  key: {
    kind: "id",
    max: LIMITS.keyLength,
    about:
      "Usually the tool-call id. Asking again with the same key in the same session returns the same ask.",
  },
  agentId: { ...OPTIONAL_NAME, about: "What the agent calls itself." },
  agentPath: {
    kind: "ids",
    max: LIMITS.agentPathItems,
    about: "The agents that called this subagent, outermost first.",
  },
  recipients: {
    kind: "ids",
    max: LIMITS.recipients,
    unique: true,
    default: [],
    about: "Ids of the people who may answer; everyone if it is empty.",
  },
  metadata: {
    kind: "json",
    max: LIMITS.metadataLength,
    about: "Data for the agent's own use, stored with the ask.",
  },
  deadline: { kind: "time", about: "When the ask expires. Not together with timeoutMs." },
  timeoutMs: { ...DURATION, about: "A deadline in milliseconds from now." },
  onDeadline: {
    kind: "choice",
    choices: DEADLINE_POLICIES,
    default: "expire",
    about: "What happens at the deadline; expire by default.",
  },
  extendOnActivity: {
    ...DURATION,
    about: "A person's activity moves the deadline to at least this many milliseconds later.",
  },
  latest: {
    kind: "time",
    about: "Activity does not move the deadline beyond this time. Must not be before the deadline.",
  },
  allowPartial: {
    kind: "flag",
    default: "allowPartial",
    about: "Whether questions may be left blank, which skips them.",
  },
  requireSurface: {
    kind: "flag",
    default: false,
    about: "Whether the ask ends as unavailable at once if nobody can be reached.",
  },
  notify: {
    kind: "list",
    of: NOTIFY_STEP,
    about: "When people are notified; the server's setting by default.",
  },
  callback: { kind: "object", of: CALLBACK, about: "Where the outcome is sent. Never shown again." },
};

export const ASK_REQUEST: Model<AskRequest> = {
  must: "an object with questions or an approval",
  fields: REQUEST,
  check: checkAsk,
};

const { timeoutMs: _timeout, callback: _callback, ...KEPT } = REQUEST;

export const ASK: Model<Ask> = {
  name: "Ask",
  must: "an ask",
  fields: {
    id: {
      kind: "id",
      max: LIMITS.idLength,
      pattern: /^[\w.:-]+$/,
      required: true,
      stored: true,
      about: "`ask_…`; new asks sort after older ones.",
    },
    status: {
      kind: "choice",
      choices: ["pending", ...OUTCOME_KINDS],
      required: true,
      stored: true,
      about: "`pending`, then the kind of its outcome.",
    },
    createdAt: { kind: "time", required: true, stored: true, about: "When it was stored." },
    ...KEPT,
    asker: {
      ...OPTIONAL_NAME,
      stored: true,
      about: "The name of the credential that asked; a request cannot set it.",
    },
    owner: {
      ...OPTIONAL_NAME,
      stored: true,
      about: "The person that the agent works for; a request cannot set it.",
    },
    transcript: {
      kind: "id",
      max: LIMITS.sessionLength * 2,
      stored: true,
      about: "The log of its session, where its start and end are written too.",
    },
    overdue: { kind: "mark", stored: true, about: "The deadline passed and onDeadline is wait." },
    settledAt: { kind: "time", stored: true, about: "When it ended." },
    outcome: { kind: "object", of: OUTCOME, stored: true, about: "How it ended." },
  },
};

function checkAsk(ask: Unfinished<AskRequest>, given: Fields, _path: Path, reader: InputReader): void {
  const { deadline, timeoutMs, latest } = ask;
  if (!isAbsent(given.approval) && !isAbsent(given.questions) && !isEmptyArray(given.questions)) {
    reader.add("conflict", ["approval"], "an ask has either questions or an approval, not both");
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

/** The ids that an ask may have; also safe as a part of a path. */
export const ASK_ID: RegExp = /^[\w.:-]{1,128}$/;
