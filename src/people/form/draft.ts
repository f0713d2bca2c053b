// A draft is a form's parts as JSON, the same for every surface: see docs/form.md. It is read leniently, since
// it may come from another version of this program or from another program, and may be about questions that
// have changed since. What fits is taken, and nothing that it holds can make reading it fail.

import { isBlank } from "../../core/kit/fold.js";
import { canonicalJson, isRecord, type Json } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import type { Action } from "../../core/model/approval.js";
import { DECISION_KINDS, type DecisionKind } from "../../core/model/kinds.js";
import type { Question } from "../../core/model/question.js";
import { boundedJson } from "../../core/read/input-reader.js";
import { argsText } from "./json-text.js";
import { blankParts, compareParts, fitAnswer, fitDecision, MOST_AT } from "./parts.js";
import {
  type AnswerPart,
  type DecisionPart,
  type FormAsk,
  type FormState,
  type Part,
  stepsOf,
  type TextPart,
  takesText,
} from "./state.js";

export const DRAFT_VERSION = 1;

type DraftStamp = {
  /** When it was last changed, in milliseconds since the epoch, and where. The later change wins. */
  readonly at: number;
  readonly surface: string;
};

export type DraftAnswer = DraftStamp & {
  readonly question: string;
  /** A fingerprint of the question; where it differs, only texts are taken. */
  readonly shown: string;
  readonly selected: readonly string[];
  /** Whether `text` is chosen as (a part of) the answer. */
  readonly own: boolean;
  readonly text?: string;
  readonly note?: string;
  readonly skipped?: boolean;
};

export type DraftDecision = DraftStamp & {
  readonly action: string;
  /** A fingerprint of the action; where it differs, no decision is taken. */
  readonly shown: string;
  readonly kind?: DecisionKind;
  /** Edited arguments as text, which need not be valid JSON yet. */
  readonly argsText?: string;
  readonly message?: string;
  /** `session`, `always` or one of the action's own rules; only this time if omitted. */
  readonly remember?: string;
};

export type DraftText = DraftStamp & { readonly text: string };

/** A form's unfinished answers: what `PUT /v1/asks/{id}/draft` and `inbox.saveDraft` take. */
export type FormDraft = {
  readonly version: typeof DRAFT_VERSION;
  readonly answers: readonly DraftAnswer[];
  readonly decisions: readonly DraftDecision[];
  readonly note?: DraftText;
  readonly reply?: DraftText;
  readonly reason?: DraftText;
  readonly step: DraftStep;
};

/** Where the person was; only used to open a form, never to move an open one. */
export type DraftStep =
  | { readonly kind: "question"; readonly id: string }
  | { readonly kind: "action"; readonly id: string }
  | { readonly kind: "review" };

/** The draft of a form; parts that nobody has touched are left out. */
export function draftOf({ ask, parts, step }: FormState): FormDraft {
  const touched = parts.filter(({ at }) => at > 0);
  const text = (kind: TextPart["kind"]): DraftText | undefined => {
    const part = touched.find((one): one is TextPart => one.kind === kind);
    return part && { text: part.text, at: part.at, surface: part.surface };
  };
  const [note, reply, reason] = [text("note"), text("reply"), text("reason")];
  const current = stepsOf(ask)[step];
  return {
    version: DRAFT_VERSION,
    answers: ask.questions.flatMap((question) => {
      const part = touched.find((one) => one.kind === "answer" && one.id === question.id);
      return part?.kind === "answer" ? [draftAnswer(part, question)] : [];
    }),
    decisions: (ask.approval?.actions ?? []).flatMap((action) => {
      const part = touched.find((one) => one.kind === "decision" && one.id === action.id);
      return part?.kind === "decision" ? [draftDecision(part, action)] : [];
    }),
    ...(note && { note }),
    ...(reply && { reply }),
    ...(reason && { reason }),
    step:
      current === undefined || current.kind === "review"
        ? { kind: "review" }
        : { kind: current.kind, id: current.id },
  };
}

/** The parts and the step that a draft gives to an ask. Never throws. */
export function readDraft(
  ask: FormAsk,
  value: unknown,
): { readonly parts: readonly Part[]; readonly step: number } {
  const draft = fieldsOf(value);
  // What surfaces saved before there was a version: answers by the id of their question.
  const answers = draft.version === undefined && draft.answers === undefined ? byId(draft) : draft.answers;
  const parts = blankParts(ask).map((blank): Part => {
    switch (blank.kind) {
      case "answer": {
        const question = ask.questions.find(({ id }) => id === blank.id);
        const read = (fields: Fields): Part =>
          question === undefined ? blank : readAnswer(ask, question, blank, fields);
        return latest(blank, answers, "question", read);
      }
      case "decision": {
        const action = ask.approval?.actions.find(({ id }) => id === blank.id);
        const read = (fields: Fields): Part =>
          action === undefined ? blank : readDecision(action, blank, fields);
        return latest(blank, draft.decisions, "action", read);
      }
      default: {
        const fields = draft[blank.kind];
        if (!isRecord(fields)) return blank;
        const text = textIn(fields.text) ?? "";
        return stamped({ ...blank, text }, fields, text === "");
      }
    }
  });
  return { parts, step: readStep(ask, draft.step) };
}

/** Whether the form holds something that the server is not known to have. */
export function needsSave({ parts, saved }: FormState): boolean {
  return parts.some((part, index) => {
    const known = saved[index];
    return part.at > 0 && (known === undefined || compareParts(part, known) > 0);
  });
}

type Fields = Readonly<Record<string, unknown>>;

function draftAnswer(part: AnswerPart, question: Question): DraftAnswer {
  return {
    question: part.id,
    shown: fingerprint(questionContent(question)),
    selected: part.selected,
    own: part.own,
    ...(part.text !== "" && { text: part.text }),
    ...(part.note !== "" && { note: part.note }),
    ...(part.skipped && { skipped: true }),
    at: part.at,
    surface: part.surface,
  };
}

function draftDecision(part: DecisionPart, action: Action): DraftDecision {
  return {
    action: part.id,
    shown: fingerprint(actionContent(action)),
    ...(part.decision !== null && { kind: part.decision }),
    ...(part.args !== argsText(action.args) && { argsText: part.args }),
    ...(part.message !== "" && { message: part.message }),
    ...(part.remember !== "" && { remember: part.remember }),
    at: part.at,
    surface: part.surface,
  };
}

function readAnswer(ask: FormAsk, question: Question, blank: AnswerPart, fields: Fields): AnswerPart {
  // Ids such as q1 and o1 are given by position, so under the same ids there may now be other options.
  const same = fields.shown === undefined || fields.shown === fingerprint(questionContent(question));
  const listed = Array.isArray(fields.selected) ? fields.selected : [];
  const selected = same ? listed.filter((id): id is string => typeof id === "string") : [];
  const text = textIn(fields.text) ?? "";
  const input = question.options.find((option) => option.input);
  const typedOnly = takesText(question) && !isBlank(text) && (question.multiSelect || selected.length === 0);
  const own =
    typeof fields.own === "boolean"
      ? fields.own && (same || !isBlank(text))
      : typedOnly || (input !== undefined && selected.includes(input.id));
  const part: AnswerPart = {
    ...blank,
    selected,
    own,
    text,
    note: textIn(fields.note) ?? "",
    skipped: same && fields.skipped === true,
  };
  return stamped(fitAnswer(part, question, ask.allowPartial ?? false), fields);
}

function readDecision(action: Action, blank: DecisionPart, fields: Fields): DecisionPart {
  // A decision about other arguments is not one about these.
  const same = fields.shown === undefined || fields.shown === fingerprint(actionContent(action));
  const decision = same ? (DECISION_KINDS.find((kind) => kind === fields.kind) ?? null) : null;
  const args = textIn(fields.argsText) ?? blank.args;
  const message = textIn(fields.message) ?? "";
  const remember = (same && textIn(fields.remember)) || "";
  return stamped(fitDecision({ ...blank, decision, args, message, remember }, action), fields);
}

/** The latest of the items about a part. */
function latest(
  blank: AnswerPart | DecisionPart,
  items: unknown,
  name: "question" | "action",
  read: (fields: Fields) => Part,
): Part {
  if (!Array.isArray(items)) return blank;
  return items
    .filter((item): item is Fields => isRecord(item) && item[name] === blank.id)
    .map(read)
    .reduce((best, part) => (compareParts(part, best) > 0 ? part : best), blank as Part);
}

/** A part with the stamp of its fields. What carries none is older than any that does. */
function stamped<P extends Part>(part: P, { at, surface }: Fields, untouched = false): P {
  const time = typeof at === "number" && at >= 1 ? Math.min(Math.floor(at), MOST_AT) : untouched ? 0 : 1;
  return { ...part, at: time, surface: textIn(surface) ?? "" };
}

function readStep(ask: FormAsk, value: unknown): number {
  if (!isRecord(value)) return 0;
  const index = stepsOf(ask).findIndex(
    (step) => step.kind === value.kind && (step.kind === "review" || step.id === value.id),
  );
  return Math.max(0, index);
}

/** A copy of plain JSON; nothing of anything else. */
function fieldsOf(value: unknown): Fields {
  try {
    return (isRecord(value) ? boundedJson(value, LIMITS.draftLength).copy : undefined) ?? {};
  } catch {
    // A getter of it throws.
    return {};
  }
}

function byId(draft: Fields): readonly unknown[] {
  return Object.entries(draft).flatMap(([question, fields]) =>
    isRecord(fields) ? [{ ...fields, question }] : [],
  );
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function questionContent({ question, multiSelect, options }: Question): Json {
  return [question, multiSelect, options.map(({ id, label }) => [id, label])];
}

function actionContent({ name, args }: Action): Json {
  return [name, args];
}

/** FNV-1a over UTF-16 code units, twice with different offsets: enough to notice a change. */
function fingerprint(content: Json): string {
  const text = canonicalJson(content);
  return [0x811c9dc5, 0x01000193].map((offset) => hash(text, offset)).join("");
}

function hash(text: string, offset: number): string {
  let value = offset;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value >>> 0).toString(16).padStart(8, "0");
}
