import { expect, it } from "vitest";
import type { IssueCode } from "../../../src/core/kit/issue.ts";
import { ISSUE_WORDS, issueText } from "../../../src/core/words/issues.ts";
import { FORM_ISSUE_CODES } from "../../../src/people/form/state.ts";

it.each(["en", "vi"] as const)("has words in %s for every issue, and no others", (language) => {
  expect(Object.keys(ISSUE_WORDS[language]).sort()).toEqual([...FORM_ISSUE_CODES].sort());
});

it.each(["en", "vi"] as const)(
  "makes a sentence in %s of every issue, with its values and without",
  (language) => {
    const values = { min: 2, max: 3, count: 4, line: 5, column: 6, options: true, text: true };
    for (const code of FORM_ISSUE_CODES) {
      for (const issue of [{ code }, { code, values }]) {
        expect(issueText(issue, language)).toMatch(/^\p{Lu}.*\.$/u);
        expect(issueText(issue, language)).not.toMatch(/undefined/);
      }
    }
  },
);

it("says what the question accepts", () => {
  const text = (values: { options: boolean; text: boolean }) =>
    issueText({ code: "missing_answer", values }, "en");
  expect(text({ options: true, text: true })).toBe("Choose an option or type an answer.");
  expect(text({ options: true, text: false })).toBe("Choose an option.");
  expect(text({ options: false, text: true })).toBe("Type an answer.");
});

it("uses the language of a locale, or English", () => {
  const issue = { code: "too_many_picks", values: { max: 3, count: 4 } } as const;
  expect(issueText(issue, "vi-VN")).toBe("Chỉ được chọn tối đa 3.");
  expect(issueText(issue, "de")).toBe("Choose at most 3.");
  expect(issueText({ code: "of a later version" as IssueCode }, undefined)).toBe("This value is invalid.");
});
