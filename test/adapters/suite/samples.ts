import type { Answerer } from "../../../src/core/index.ts";

export const ANA: Answerer = { kind: "person", id: "ana", surface: "test" };
export const BEN: Answerer = { ...ANA, id: "ben" };

export const SINGLE = question("Which colour?", ["Red", "Green"]);

/** A question as a model writes it in a call. */
export function question(text: string, labels: readonly string[]) {
  return {
    question: text,
    header: "Choice",
    multiSelect: false,
    options: labels.map((label) => ({ label, description: `takes ${label.length} days` })),
  };
}
