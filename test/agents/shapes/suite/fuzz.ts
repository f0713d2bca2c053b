// Broken documents through a dialect: nothing throws, nothing hangs, and what is accepted is valid.

import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { parseAsk, validateAnswers } from "../../../../src/index.js";
import { BY } from "../../../support/arbitraries.js";
import { mutateJson } from "../../../support/mutate-json.js";
import { type DialectCase, decodedAsk } from "./dialects.js";

/** Returns how many of the documents were accepted. */
export function fuzz({ dialect, golden }: DialectCase, numRuns: number): { asked: number; ended: number } {
  const accepted = { asked: 0, ended: 0 };
  const inputs = golden.map(({ input }) => input);
  const answerable = golden
    .filter(({ outputs }) => outputs.length > 0)
    .map(({ input, outputs }) => ({ ask: decodedAsk(dialect, input), outputs }));
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(...answerable), (seed, { ask, outputs }) => {
      const decoded = dialect.decodeAsk(mutateJson(inputs, seed));
      if (decoded.ok) {
        accepted.asked += 1;
        // The core accepts what a dialect accepts, and changes nothing.
        deepStrictEqual(parseAsk(decoded.ask), decoded);
      } else expectIssues(decoded.issues);
      const ended = dialect.decodeOutcome(ask, mutateJson(outputs, seed), { by: BY });
      if (ended.ok) {
        accepted.ended += 1;
        if (ended.outcome.kind === "answered") {
          const { answers } = ended.outcome;
          deepStrictEqual(validateAnswers(ask, answers), { ok: true, answers });
        }
      } else expectIssues(ended.issues);
    }),
    { numRuns },
  );
  ok(!("label" in Object.prototype));
  return accepted;
}

function expectIssues(issues: readonly { readonly message: string }[]): void {
  ok(issues.length > 0);
  ok(issues.every(({ message }) => message !== "could not be read"));
}
