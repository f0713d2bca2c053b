// The tables of what is derived for callers: for documents only, nothing is read by them.

import { profiles } from "../kit/profiles.js";
import type { Model, Variants } from "../read/field.js";
import { ANSWER, type Choice, type DeliveredOutcome, OUTCOME } from "./outcome.js";

export const CHOICE: Model<Choice> = {
  name: "Choice",
  must: "an object with question and labels",
  fields: {
    question: ANSWER.fields.question,
    labels: {
      kind: "ids",
      max: profiles.open.options.max,
      known: true,
      about: "The labels of the chosen options, in the order of the options.",
    },
    text: ANSWER.fields.text,
    note: ANSWER.fields.note,
  },
};

export const DELIVERED_OUTCOME: Variants<DeliveredOutcome> = {
  ...OUTCOME,
  variants: {
    ...OUTCOME.variants,
    answered: {
      ...OUTCOME.variants.answered,
      choices: {
        kind: "list",
        of: CHOICE,
        known: true,
        about: "The answers with the labels of the options, one for each question. Derived from the ask.",
      },
    },
  },
};
