import { LIMITS } from "../kit/limits.js";
import { profiles } from "../kit/profiles.js";
import { is, type Model, type ObjectField, type TextField, type Variants } from "../read/field.js";
import { DECISION, type Decision } from "./approval.js";

/** A person who may answer. */
export interface Person {
  readonly id: string;
  readonly name?: string;
}

/** Who ended an ask: a person at a surface, or a policy. Never unknown. */
export type Answerer =
  | {
      readonly kind: "person";
      readonly id: string;
      readonly surface: string;
      /** The agent whose process reported the ending. Absent if the person sent it with a credential of their own. */
      readonly via?: string;
    }
  | {
      readonly kind: "policy";
      readonly name: string;
      /** The id of the rule that decided. */
      readonly rule?: string;
      /** The person who made the rule. */
      readonly madeBy?: string;
    };

/** The answer to one question. An answered ask has exactly one for each question, in their order. */
export interface Answer {
  readonly question: string;
  readonly selected: readonly string[];
  readonly text?: string;
  readonly note?: string;
  readonly skipped?: true;
}

/** The answer to one question in words: the labels of the chosen options, in the order of the options. */
export interface Choice {
  /** The question's id. */
  readonly question: string;
  /** Empty if only text was typed, or if the question was skipped. */
  readonly labels: readonly string[];
  readonly text?: string;
  readonly note?: string;
}

/** How an ask ended, as it is stored. Only `answered` and `decided` contain what a person or a policy chose. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly answers: readonly Answer[];
      readonly note?: string;
      readonly by: Answerer;
    }
  | {
      readonly kind: "decided";
      readonly decisions: readonly Decision[];
      readonly note?: string;
      readonly by: Answerer;
    }
  | { readonly kind: "declined"; readonly reason?: string; readonly by: Answerer }
  | { readonly kind: "replied"; readonly text: string; readonly by: Answerer }
  | { readonly kind: "expired" }
  | { readonly kind: "withdrawn"; readonly reason?: string }
  | { readonly kind: "unavailable"; readonly reason?: string };

type Answered = Extract<Outcome, { readonly kind: "answered" }>;

/** How an ask ended, as a caller gets it: with the answers in words too. `choices` is derived, and never stored. */
export type DeliveredOutcome =
  | Exclude<Outcome, Answered>
  | (Answered & {
      /** One for each question, in their order. */
      readonly choices: readonly Choice[];
    });

export const ANSWERER: Variants<Answerer> = {
  name: "Answerer",
  variants: {
    person: {
      kind: is("person"),
      id: { kind: "id", max: LIMITS.idLength, known: true, about: "The person's id." },
      surface: {
        kind: "id",
        max: LIMITS.idLength,
        known: true,
        about: "Where they answered, such as `page` or `terminal`.",
      },
      via: { kind: "id", max: LIMITS.idLength, about: "The agent whose process reported the ending." },
    },
    policy: {
      kind: is("policy"),
      name: {
        kind: "id",
        max: LIMITS.idLength,
        known: true,
        about: "What decided, such as `recommended`.",
      },
      rule: { kind: "id", max: LIMITS.idLength, about: "The id of the rule that decided." },
      madeBy: { kind: "id", max: LIMITS.idLength, about: "The person who made the rule." },
    },
  },
};

const NOTE = {
  kind: "text",
  max: LIMITS.noteLength,
  about: "A note beside the answer.",
} as const satisfies TextField;

export const ANSWER: Model<Answer> = {
  name: "Answer",
  must: "an object with question and selected",
  fields: {
    question: { kind: "id", max: LIMITS.idLength, known: true, about: "The question's id." },
    selected: {
      kind: "ids",
      max: profiles.open.options.max,
      known: true,
      about: "Option ids, in the order of the options. Input may also use exact labels, in any order.",
    },
    text: { kind: "text", max: LIMITS.textLength, about: "The typed text." },
    note: NOTE,
    skipped: { kind: "mark", about: "The question was left blank, which the ask allows." },
  },
};

const BY = {
  kind: "object",
  of: ANSWERER,
  known: true,
  about: "Who ended it.",
} as const satisfies ObjectField<Answerer>;
const REASON = {
  kind: "text",
  max: LIMITS.reasonLength,
  about: "The reason, as text.",
} as const satisfies TextField;
const OVERALL_NOTE = { ...NOTE, about: "An overall note." };

export const OUTCOME: Variants<Outcome> = {
  name: "Outcome",
  about: "How an ask ended.",
  variants: {
    answered: {
      kind: is("answered"),
      answers: { kind: "list", of: ANSWER, known: true, about: "One for each question." },
      note: OVERALL_NOTE,
      by: BY,
    },
    decided: {
      kind: is("decided"),
      decisions: { kind: "list", of: DECISION, known: true, about: "One for each action." },
      note: OVERALL_NOTE,
      by: BY,
    },
    declined: { kind: is("declined"), reason: REASON, by: BY },
    replied: {
      kind: is("replied"),
      text: {
        kind: "text",
        max: LIMITS.textLength,
        blank: ["empty_answer", "a reply must not be blank"],
        about: "What the person wrote.",
      },
      by: BY,
    },
    expired: { kind: is("expired") },
    withdrawn: { kind: is("withdrawn"), reason: REASON },
    unavailable: { kind: is("unavailable"), reason: REASON },
  },
};
