import type { IssueCode } from "../kit/issue.js";

/** The numbers and facts of an issue, such as `{ max: 3, count: 4 }`. */
export type IssueValues = Readonly<Record<string, number | boolean>>;

export type Words = string | ((values: IssueValues) => string);

/** Every issue of core, and those of the form alone. One without words does not compile. */
export type IssueWord = IssueCode | "edit_unused" | "rule_unused" | "not_shown";
export type IssueWords = Readonly<Record<IssueWord, Words>>;

/** An issue in the words of one table. */
export function wordsOfIssue(
  table: Partial<IssueWords>,
  { code, values = {} }: { readonly code: IssueWord; readonly values?: IssueValues },
): string {
  const words = table[code] ?? table.invalid_value ?? code;
  return typeof words === "string" ? words : words(values);
}
