/** The numbers and facts of an issue, such as `{ max: 3, count: 4 }`. */
export type IssueValues = Readonly<Record<string, number | boolean>>;

export type Words = string | ((values: IssueValues) => string);

/** Words for every issue code of core and the form. This folder imports nothing, so a test compares the lists. */
export type IssueWords = Readonly<Record<string, Words>>;

/** An issue in the words of one table. */
export function wordsOfIssue(
  table: IssueWords,
  { code, values = {} }: { readonly code: string; readonly values?: IssueValues },
): string {
  const words = table[code] ?? table.invalid_value ?? code;
  return typeof words === "string" ? words : words(values);
}
