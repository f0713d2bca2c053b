/** One validation problem: what is wrong, where, and what to do about it. */
export interface Issue {
  readonly code: IssueCode;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export const ISSUE_CODES = [
  // any input
  "invalid_json",
  "wrong_type",
  "invalid_value",
  "too_long",
  "too_large",
  "conflict",
  // asks
  "no_questions",
  "too_many_questions",
  "blank_question",
  "blank_header",
  "option_count",
  "blank_label",
  "duplicate_label",
  "duplicate_id",
  "duplicate_question",
  "secret_refused",
  "no_actions",
  "too_many_actions",
  "blank_name",
  // answers and decisions
  "unknown_question",
  "unknown_option",
  "missing_answer",
  "empty_answer",
  "duplicate_answer",
  "duplicate_pick",
  "too_few_picks",
  "too_many_picks",
  "text_not_allowed",
  "text_required",
  "unknown_action",
  "missing_decision",
  "duplicate_decision",
  "decision_not_allowed",
] as const;
export type IssueCode = (typeof ISSUE_CODES)[number];

/** `questions[0].options[1].label`, as a person or a model reads it. */
function formatPath(path: Issue["path"]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text === "" ? part : `${text}.${part}`),
    "",
  );
}

/** One line per issue: its path and its message. */
export function formatIssues(issues: readonly Issue[]): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${formatPath(path)}: ${message}`))
    .join("\n");
}
