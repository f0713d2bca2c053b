import { languageOf } from "./languages.js";

/** The numbers and facts of an issue, such as `{ max: 3, count: 4 }`. */
export type IssueValues = Readonly<Record<string, number | boolean>>;

type Words = string | ((values: IssueValues) => string);

/** Every issue code of core and the form. This folder imports nothing, so a test compares the lists. */
const ENGLISH: Readonly<Record<string, Words>> = {
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
  missing_answer: answerWanted("Choose an option or type an answer.", "Choose an option.", "Type an answer."),
  empty_answer: answerWanted("Choose an option or type an answer.", "Choose an option.", "Type an answer."),
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
};

const VIETNAMESE: Readonly<Record<string, Words>> = {
  invalid_json: ({ line, column }) =>
    line === undefined ? "JSON không hợp lệ." : `JSON không hợp lệ: xem dòng ${line}, cột ${column}.`,
  wrong_type: 'Cần một đối tượng JSON, ví dụ { "name": "value" }.',
  invalid_value: "Không dùng được giá trị này.",
  too_long: ({ max, count }) =>
    max === undefined ? "Nội dung quá dài." : `Nội dung quá dài: ${count} ký tự, tối đa ${max}.`,
  too_large: ({ max }) =>
    max === undefined ? "Nội dung quá lớn." : `Nội dung quá lớn: tối đa ${max} ký tự.`,
  conflict: "Có hai phần mâu thuẫn với nhau.",
  no_questions: "Không có câu hỏi nào.",
  too_many_questions: "Có quá nhiều câu hỏi.",
  blank_question: "Có câu hỏi không có nội dung.",
  blank_header: "Có câu hỏi không có tiêu đề.",
  option_count: "Có câu hỏi có quá ít hoặc quá nhiều lựa chọn.",
  blank_label: "Có lựa chọn không có nhãn.",
  duplicate_label: "Có hai lựa chọn trùng nhãn.",
  duplicate_id: "Một mã được dùng hai lần.",
  duplicate_question: "Có hai câu hỏi trùng nội dung.",
  secret_refused: "Không được hỏi thông tin bí mật.",
  no_actions: "Không có hành động nào để quyết định.",
  too_many_actions: "Có quá nhiều hành động.",
  blank_name: "Có hành động không có tên.",
  unknown_question: "Câu hỏi này không nằm trong yêu cầu.",
  unknown_option: "Lựa chọn này không thuộc câu hỏi.",
  missing_answer: answerWanted(
    "Hãy chọn hoặc nhập câu trả lời.",
    "Hãy chọn một câu trả lời.",
    "Hãy nhập câu trả lời.",
  ),
  empty_answer: answerWanted(
    "Hãy chọn hoặc nhập câu trả lời.",
    "Hãy chọn một câu trả lời.",
    "Hãy nhập câu trả lời.",
  ),
  duplicate_answer: "Câu hỏi này được trả lời hai lần.",
  duplicate_pick: "Lựa chọn này được chọn hai lần.",
  too_few_picks: ({ min, count }) =>
    min === undefined ? "Hãy chọn thêm." : `Hãy chọn ít nhất ${min}; hiện đã chọn ${count}.`,
  too_many_picks: ({ max }) => (max === undefined ? "Hãy chọn ít hơn." : `Chỉ được chọn tối đa ${max}.`),
  text_not_allowed: "Câu hỏi này không nhận câu trả lời tự nhập. Hãy chọn một lựa chọn.",
  text_required: "Hãy nhập câu trả lời của bạn hoặc chọn một lựa chọn khác.",
  unknown_action: "Hành động này không nằm trong yêu cầu.",
  missing_decision: "Hãy quyết định về hành động này.",
  duplicate_decision: "Hành động này được quyết định hai lần.",
  decision_not_allowed: "Không thể quyết định như vậy cho hành động này.",
  edit_unused:
    "Tham số đã được sửa, nhưng “Chấp thuận” sẽ gửi tham số gốc. Hãy chấp thuận kèm thay đổi hoặc hoàn tác thay đổi.",
};

/** The tables by language. Other languages have only the word for Other so far. */
export const ISSUE_WORDS: Readonly<Record<"en" | "vi", Readonly<Record<string, Words>>>> = {
  en: ENGLISH,
  vi: VIETNAMESE,
};

/**
 * An issue in words for the person who can fix it, in the language of a locale (English if there is no translation).
 * Core's own messages are for models and logs.
 */
export function issueText(
  { code, values = {} }: { readonly code: string; readonly values?: IssueValues },
  locale: string | undefined,
): string {
  const table = ISSUE_WORDS[languageOf(locale) === "vi" ? "vi" : "en"];
  const words = table[code] ?? table.invalid_value ?? code;
  return typeof words === "string" ? words : words(values);
}

/** Words for what the question accepts; both if that is unknown. */
function answerWanted(both: string, options: string, text: string): Words {
  return (values) => (values.text === false ? options : values.options === false ? text : both);
}
