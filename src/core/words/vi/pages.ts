import type { PageWords } from "../pages.js";
import { INBOX } from "./terminal-inbox.js";

export const PAGES: PageWords = {
  language: "vi",
  signedInAs: "Đăng nhập với tên",
  signOut: "Đăng xuất",
  allQuestions: "Mọi câu hỏi",
  failed: "Không thực hiện được",
  openQuestion: "Mở câu hỏi",
  openInbox: "Mở hộp thư",
  openInboxHint: "Liên kết này dùng được một lần, trong mười phút.",
  signIn: "Đăng nhập",
  signInHint:
    "Hãy mở liên kết mà máy chủ đã in ra khi khởi động. Liên kết dùng được một lần. Để lấy liên kết mới, chạy askline link trên máy của máy chủ. Nếu đã đăng nhập, hãy mở hộp thư từ dấu trang hoặc lịch sử: địa chỉ của hộp thư khác với địa chỉ trang này.",
  howToAnswer:
    "Để trả lời, hãy mở câu hỏi trong trình duyệt có JavaScript, hoặc chạy askline inbox trong terminal.",
  needsScript:
    "Để xem trang này, hãy mở nó trong trình duyệt có JavaScript, hoặc chạy askline inbox trong terminal để trả lời câu hỏi.",
  ended: "Câu hỏi này đã kết thúc.",
  approve: INBOX.approve,
  severalQuestions: INBOX.severalQuestions,
  fromAgent: (name) => `từ ${name}`,
  errors: {
    invalid_code: "Mã này không tồn tại, đã hết hạn hoặc đã dùng. Hãy lấy liên kết mới.",
    invalid_link: "Liên kết này không hợp lệ. Hãy xin liên kết mới.",
    link_expired: "Liên kết này đã hết hạn. Hãy xin liên kết mới.",
    not_found: "Ở đây không có gì, hoặc không dành cho bạn.",
    forbidden: "Bạn không được phép làm việc này.",
    host_not_allowed: "Không truy cập được máy chủ này bằng tên này. Hãy dùng địa chỉ mà máy chủ đã in ra.",
    method_not_allowed: "Địa chỉ này chỉ nhận biểu mẫu; ở đây không có trang nào.",
    origin_not_allowed: "Biểu mẫu được gửi từ trang khác nên không được nhận.",
    invalid_request: "Máy chủ không hiểu yêu cầu này.",
    unsupported_media_type: "Máy chủ không hiểu yêu cầu này.",
    too_large: "Nội dung quá lớn.",
    rate_limited: "Quá nhiều yêu cầu. Hãy chờ một lát rồi thử lại.",
    request_timeout: "Yêu cầu đến quá chậm. Hãy thử lại.",
    closed: "Máy chủ đang tắt. Hãy thử lại sau giây lát.",
    overloaded: "Máy chủ đang bận. Hãy thử lại sau giây lát.",
    other: "Máy chủ gặp sự cố. Chưa lưu gì cả; hãy thử lại sau.",
  },
};
