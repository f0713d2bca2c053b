import { expect, it } from "vitest";
import { parseAsk } from "../../src/index.js";

it("does not count an option that opens the text field beside the text itself", () => {
  const question = { question: "Q?", multiSelect: true, options: ["A", "B", "Other"] };
  expect(parseAsk({ questions: [{ ...question, minPicks: 3 }] }).ok).toBe(true);
  const parsed = parseAsk({ questions: [{ ...question, minPicks: 4 }] });
  expect(parsed).toMatchObject({ ok: false, issues: [{ code: "conflict" }] });
});
