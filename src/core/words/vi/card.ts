import type { CardWords } from "../card.js";
import { BASICS } from "./basics.js";

export const CARD: CardWords = {
  ...BASICS,
  questionOf: (number, count) => `Câu hỏi ${number} trên ${count}`,
  reviewTitle: "Xem lại các câu trả lời",
  steps: "Các câu hỏi",
  chooseOne: "Chọn một",
  context: "Bối cảnh",
  askedBy: (asker) => `Người hỏi: ${asker}`,
  preview: (label) => `Xem trước: ${label}`,
  addNote: "Thêm ghi chú",
  ownAnswer: "Câu trả lời của bạn",
  change: (subject) => `Sửa: ${subject}`,
  marks: {
    done: "đã trả lời",
    skipped: "đã bỏ qua",
    blank: "có thể để trống",
    open: "chưa trả lời",
    problem: "cần xem lại",
  },
  replaced: "Nội dung này đã được sửa trên thiết bị khác khi bạn đang nhập. Nội dung của bạn vẫn được giữ:",
  takeBack: "Dùng bản của tôi",
  forget: "Bỏ bản của tôi",
  overdue: "Quá hạn",
  deadlineRecommended: "Sau đó, các lựa chọn khuyên dùng sẽ được chọn.",
  clickAgain: "Chưa gửi gì: nội dung này vừa mới hiện ra. Hãy nhấn lại.",
  loading: "Đang tải câu hỏi…",
  failed: "Không hiển thị được câu hỏi.",
  tryAgain: "Thử lại",
};
