import { answerWanted } from "../answer-wanted.js";
import type { IssueWords } from "../issue-words.js";

const ANSWER_WANTED = answerWanted(
  "Choose an option or type an answer.",
  "Choose an option.",
  "Type an answer.",
  "If you have no preference, skip the question.",
);

export const ISSUES: IssueWords = {
  invalid_json: ({ line, column }) =>
    line === undefined
      ? "This is not valid JSON."
      : `This is not valid JSON: see line ${line}, column ${column}.`,
  wrong_type: 'This must be a JSON object, such as { "name": "value" }.',
  invalid_value: "This value is invalid.",
  too_long: ({ max, count }) =>
    max === undefined
      ? "This is too long."
      : `This is too long: ${count} characters; at most ${max} are allowed.`,
  too_large: ({ max }) =>
    max === undefined ? "This is too large." : `This is too large: at most ${max} characters are allowed.`,
  conflict: "Two parts of this contradict each other.",
  no_questions: "There is no question.",
  too_many_questions: "There are too many questions.",
  blank_question: "A question has no text.",
  blank_header: "A question has no header.",
  option_count: "A question has too few or too many options.",
  blank_label: "An option has no label.",
  duplicate_label: "Two options have the same label.",
  duplicate_id: "The same id is used twice.",
  duplicate_question: "Two questions have the same text.",
  secret_refused: "Secrets cannot be asked for.",
  no_actions: "There is no action to approve.",
  too_many_actions: "There are too many actions.",
  blank_name: "An action has no name.",
  unknown_question: "This question is not part of what was asked.",
  unknown_option: "This option is not one of the question's.",
  missing_answer: ANSWER_WANTED,
  empty_answer: ANSWER_WANTED,
  duplicate_answer: "This question is answered twice.",
  duplicate_pick: "This option is chosen twice.",
  too_few_picks: ({ min, count }) =>
    min === undefined ? "Choose more options." : `Choose at least ${min}; you have chosen ${count}.`,
  too_many_picks: ({ max }) => (max === undefined ? "Choose fewer options." : `Choose at most ${max}.`),
  text_not_allowed: "This question cannot be answered with text. Choose an option.",
  text_required: "Type your own answer, or choose another option.",
  unknown_action: "This action is not part of what was asked.",
  missing_decision: "Approve or reject this action.",
  duplicate_decision: "This action is decided twice.",
  decision_not_allowed: "This decision is not possible for this action.",
  edit_unused:
    "The arguments were changed, but “Approve” sends them unchanged. Approve with changes, or undo the changes.",
  rule_unused: "Only an approval makes the agent’s own rule. Choose for how long your rejection counts.",
  not_shown: "Not all of this has been on the screen yet. Read the arguments to the end, then approve.",
};
