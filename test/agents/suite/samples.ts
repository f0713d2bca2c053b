import type { Answerer } from "../../../src/index.ts";

export const ANA: Answerer = { kind: "person", id: "ana", surface: "test" };
export const BEN: Answerer = { ...ANA, id: "ben" };

/** A label that no separator can split. */
export const AWKWARD = 'Red, "bright"\nand warm';

export const SINGLE = question("Which colour?", ["Red", "Green"]);
export const MULTI = { ...question("Which parts?", ["Roof", "Door", "Wall"]), multiSelect: true };

/** A question as a model writes it in a call. */
export function question(text: string, labels: readonly string[]) {
  return {
    question: text,
    header: "Choice",
    multiSelect: false,
    options: labels.map((label) => ({ label, description: `takes ${label.length} days` })),
  };
}

/** A choice as a property of a form by JSON schema. */
export const COLOUR = {
  type: "string",
  title: "Colour",
  description: "Which colour?",
  oneOf: [
    { const: "r", title: AWKWARD, description: "warm" },
    { const: "g", title: "Green" },
  ],
};

/** The JSON schema of a form; every property is required by default. */
export function formSchema(properties: object, required: readonly string[] = Object.keys(properties)) {
  return { type: "object", properties, required };
}
