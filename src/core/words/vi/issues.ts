import { answerWanted } from "../answer-wanted.js";
import type { IssueWords } from "../issue-words.js";

const ANSWER_WANTED = answerWanted(
  "Hãy chọn hoặc nhập câu trả lời.",
  "Hãy chọn một câu trả lời.",
  "Hãy nhập câu trả lời.",
  "Nếu không có ý kiến, hãy bỏ qua câu hỏi.",
);

export const ISSUES: IssueWords = {
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
  missing_answer: ANSWER_WANTED,
  empty_answer: ANSWER_WANTED,
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
  rule_unused: "Chỉ khi chấp thuận thì quy tắc của tác nhân mới được tạo. Hãy chọn thời hạn cho việc bác bỏ.",
  not_shown: "Vẫn còn phần chưa hiện trên màn hình. Hãy đọc hết các tham số rồi mới chấp thuận.",
};
