// Turns a sent form into a submission for the hub. If fields contradict each other, the form is shown again; nothing
// is guessed.

import {
  type Action,
  type Ask,
  canonicalJson,
  type DecisionSubmission,
  type Issue,
  isRecord,
  type JsonObject,
  type Question,
  type Submission,
  type SubmittedAnswer,
  type SubmittedDecision,
} from "../../core/index.js";
import { defined } from "../../core/kit/tools.js";
import { issueText, type PageWords } from "../../words/index.js";
import { FIELD, type FormState, fieldId, indexOf, OWN_ANSWER, SKIP, textIn } from "./form-values.js";
import { issueWords } from "./words.js";

/** One answer per question in order, so that the index in an issue is the question's. */
export function readAnswers({ questions }: Ask, values: URLSearchParams): Submission {
  const note = textIn(values, "note");
  return {
    answers: questions.map((question) => readAnswer(question, values)),
    ...(note !== undefined && { note }),
  };
}

function readAnswer({ id, options }: Question, values: URLSearchParams): SubmittedAnswer {
  const text = textIn(values, FIELD.text(id));
  const note = textIn(values, FIELD.note(id));
  return {
    question: id,
    selected: values
      .getAll(FIELD.pick(id))
      .filter((pick) => pick !== OWN_ANSWER && pick !== SKIP)
      .map((pick) => options.find((option) => fieldId(option.id) === pick)?.id ?? pick),
    ...defined({ text, note }),
  };
}

/** One decision per action, and what is wrong with the form. */
export function readDecisions(
  { approval }: Ask,
  values: URLSearchParams,
  words: PageWords,
): { readonly submission: DecisionSubmission; readonly issues: FormState["issues"] } {
  const issues = new Map<number, readonly string[]>();
  const decisions = (approval?.actions ?? []).map((action, index) => {
    const read = readDecision(action, values, words);
    if (typeof read !== "string") return read;
    issues.set(index, [read]);
    return { action: action.id, kind: "reject" as const };
  });
  const note = textIn(values, "note");
  return { submission: { decisions, ...(note !== undefined && { note }) }, issues };
}

/** The decision, or what is wrong with it. */
function readDecision(action: Action, values: URLSearchParams, words: PageWords): SubmittedDecision | string {
  const { id } = action;
  const remember = values.get(FIELD.remember(id)) || undefined;
  const message = textIn(values, FIELD.message(id));
  const typed = values.get(FIELD.args(id));
  const args = typed === null ? action.args : parseArgs(typed);
  const changed = args === undefined || canonicalJson(args) !== canonicalJson(action.args);
  switch (values.get(FIELD.kind(id))) {
    case "approve":
      if (message !== undefined) return words.reasonButNotRejected;
      return changed
        ? issueText({ code: "edit_unused" }, words.language)
        : { action: id, kind: "approve", ...defined({ remember }) };
    case "edit":
      if (message !== undefined) return words.reasonButNotRejected;
      if (remember !== undefined) return words.editCountsOnce;
      return args === undefined ? words.notJson : { action: id, kind: "edit", args };
    case "reject":
      if (remember !== undefined && action.rules?.includes(remember))
        return issueText({ code: "rule_unused" }, words.language);
      return { action: id, kind: "reject", ...defined({ message, remember }) };
    default:
      return issueText({ code: "missing_decision" }, words.language);
  }
}

function parseArgs(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** The hub's issues that are not about a question, such as with a reply. */
export function generalIssues(
  issues: readonly Issue[],
  words: PageWords,
): Pick<FormState, "issues" | "general"> {
  return {
    issues: new Map(),
    general: issues.map((issue) =>
      issue.code === "empty_answer" ? words.blankReply : issueWords(issue, undefined, words),
    ),
  };
}

/** The hub's issues with answers, by question. */
export function issuesByIndex(
  { questions, allowPartial }: Ask,
  values: URLSearchParams,
  issues: readonly Issue[],
  words: PageWords,
): Pick<FormState, "issues" | "general"> {
  const found = new Map<number, string[]>();
  const general: string[] = [];
  const add = (index: number, text: string): void =>
    void found.set(index, [...(found.get(index) ?? []), text]);
  for (const issue of issues) {
    const index = indexOf(issue);
    const question = index === undefined ? undefined : questions[index];
    const answered = question && { question, answer: readAnswer(question, values) };
    if (index !== undefined) add(index, issueWords(issue, answered, words));
    // About the answers as a whole: the loop below finds the blank ones.
    else if (issue.code !== "empty_answer") general.push(issueWords(issue, undefined, words));
  }
  questions.forEach((question, index) => {
    const { selected = [], text } = readAnswer(question, values);
    const blank = selected.length === 0 && text === undefined;
    if (blank && !allowPartial && !found.has(index)) add(index, whatIsMissing(question, values, words));
  });
  return { issues: found, general };
}

function whatIsMissing(
  { id, options, freeText }: Question,
  values: URLSearchParams,
  { language }: PageWords,
): string {
  const typesOwn = values.getAll(FIELD.pick(id)).includes(OWN_ANSWER);
  const code = typesOwn ? "text_required" : "missing_answer";
  return issueText({ code, values: { options: options.length > 0, text: freeText } }, language);
}
