import type { OutcomeWord } from "../basics.js";
import { freeTextOption } from "../free-text-option.js";
import type { PageTimeUnit, PageWords } from "../pages.js";
import { APPROVAL } from "./approval.js";
import { CARD } from "./card.js";
import { SETTLED } from "./settled.js";

const ENDED: Readonly<Record<OutcomeWord, string>> = {
  answered: "Đã trả lời",
  decided: "Đã quyết định",
  declined: "Đã từ chối",
  replied: "Đã phản hồi",
  expired: "Hết hạn trước khi có ai trả lời",
  withdrawn: "Tác tử đã rút lại câu hỏi này",
  unavailable: "Kết thúc vì không liên lạc được với ai",
};

const UNITS: Readonly<Record<PageTimeUnit, string>> = { minute: "phút", hour: "giờ", day: "ngày" };

export const PAGES: PageWords = {
  language: "vi",
  signedInAs: "Đăng nhập với tên",
  signOut: "Đăng xuất",
  refresh: "Tải lại",
  asOf: "lúc",
  nothing: "Không có câu hỏi nào đang chờ bạn.",
  nothingHint: "Khi một tác tử hỏi bạn, câu hỏi sẽ hiện ở đây sau khi tải lại.",
  keepLooking: "Tải lại mỗi 30 giây",
  looking: "Trang này tải lại mỗi 30 giây cho đến khi có câu hỏi.",
  stopLooking: "Ngừng tải lại",
  noFurther: "Không còn câu hỏi nào đang chờ.",
  noneHere: "Trang này không có câu hỏi cho bạn; trang sau có thể còn.",
  more: "Thêm câu hỏi",
  first: "Về trang đầu",
  awaited: "một tác tử đang chờ",
  overdue: "quá hạn",
  recommended: CARD.recommended,
  preview: CARD.preview,
  ownAnswer: freeTextOption("vi").label,
  ownAnswerField: CARD.ownAnswer,
  typeAnswer: CARD.answer,
  skip: CARD.skip,
  mayBeBlank: "có thể để trống",
  chooseOne: "chọn một",
  addNote: CARD.addNote,
  noteOnThis: "Ghi chú cho câu hỏi này",
  noteOnAll: CARD.overall,
  send: CARD.send,
  instead: "Từ chối, hoặc nói điều khác",
  reply: CARD.replyTitle,
  sendReply: "Gửi phản hồi",
  declineReason: "Lý do từ chối (không bắt buộc)",
  decline: CARD.decline,
  approve: CARD.approve,
  edit: CARD.edit,
  reject: CARD.reject,
  args: CARD.args,
  noArguments: APPROVAL.noArguments,
  emptyText: APPROVAL.emptyText,
  changedArgs: "Tham số đã sửa (JSON)",
  rejectReason: "Lý do bác bỏ (không bắt buộc)",
  tooLongForList: "Câu hỏi này dài.",
  open: "Mở câu hỏi",
  allQuestions: "Mọi câu hỏi",
  tooLate: "Câu trả lời của bạn chưa được lưu: câu hỏi này đã kết thúc trước đó.",
  youSent: "Nội dung bạn đã gửi",
  youTyped: "Nội dung bạn đã gõ",
  note: CARD.note,
  sentReply: CARD.replyField,
  sentReason: "Lý do từ chối",
  failed: "Không thực hiện được",
  formOnly: "Địa chỉ này chỉ nhận biểu mẫu; ở đây không có trang nào.",
  sendAgain: "Gửi lại",
  openQuestion: "Mở câu hỏi",
  notTaken: "Chưa lưu",
  notSent: "Chưa gửi: bên dưới còn thiếu thông tin.",
  openInbox: "Mở hộp thư",
  openInboxHint: "Liên kết này dùng được một lần, trong mười phút.",
  signIn: "Đăng nhập",
  signInHint:
    "Hãy mở liên kết mà máy chủ đã in ra khi khởi động. Liên kết dùng được một lần. Để lấy liên kết mới, chạy askline link trên máy của máy chủ. Nếu đã đăng nhập, hãy mở hộp thư từ dấu trang hoặc lịch sử: địa chỉ của hộp thư khác với địa chỉ trang này.",
  needsScript: "Trang này cần JavaScript. Danh sách câu hỏi vẫn dùng được khi không có JavaScript.",
  reasonButNotRejected: "Bạn đã ghi lý do bác bỏ nhưng chưa chọn “Bác bỏ”.",
  editCountsOnce: "Tham số đã sửa chỉ có hiệu lực lần này: hãy chọn như vậy, hoặc chấp thuận không thay đổi.",
  notJson: "Tham số phải là một đối tượng JSON. Hãy sửa lại, hoặc chọn “Chấp thuận”.",
  onlyOne: "Hãy chọn một lựa chọn hoặc câu trả lời của riêng bạn, không phải cả hai.",
  blankReply: "Phản hồi không được để trống.",
  someone: "ai đó",
  decided: SETTLED.decisions,
  waiting: (count, more, further) =>
    `${more ? "Hơn " : ""}${count} câu hỏi ${further ? "khác " : ""}đang chờ`,
  picks: (min, max) => {
    if (min !== undefined && max !== undefined) {
      return min === max ? `chọn ${min}` : `chọn từ ${min} đến ${max}`;
    }
    if (min !== undefined && min > 1) return `chọn ít nhất ${min}`;
    return max === undefined ? "chọn tùy ý" : `chọn tối đa ${max}`;
  },
  runAction: (name, others) => `Chạy ${name}${others > 0 ? ` và ${others} hành động khác` : ""}?`,
  questions: (count, subject) => `${count} câu hỏi: ${subject}`,
  fromAgent: (name) => `từ ${name}`,
  inSession: (name) => `trong ${name}`,
  policy: (name, rule, madeBy) => {
    const about = [
      rule === undefined ? "quy tắc" : `quy tắc ${rule}`,
      ...(madeBy === undefined ? [] : [`do ${madeBy} đặt`]),
    ];
    return `chính sách ${name}${rule === undefined && madeBy === undefined ? "" : ` (${about.join(", ")})`}`;
  },
  reportedBy: CARD.reportedBy,
  ended: ENDED,
  endedBy: (outcome, by) => `${ENDED[outcome]} bởi ${by}`,
  endedByYou: (outcome, surface) => `Bạn ${ENDED[outcome].toLowerCase()} câu hỏi này (${surface})`,
  ago: (amount, unit) => (amount === 0 ? "vừa xong" : `${amount} ${UNITS[unit]} trước`),
  deadline: (amount, unit, ends) =>
    `${ends ? "kết thúc" : "đến hạn"} ${amount === 0 ? "trong một phút nữa" : `sau ${amount} ${UNITS[unit]}`}`,
  thenRecommended: "khi đó các mục khuyên dùng sẽ được chọn",
  errors: {
    unauthorized: "Chưa gửi: bạn đã đăng xuất. Hãy đăng nhập ở thẻ khác, rồi gửi lại từ đây.",
    invalid_code: "Mã này không tồn tại, đã hết hạn hoặc đã dùng. Hãy lấy liên kết mới.",
    invalid_link: "Liên kết này không hợp lệ. Hãy xin liên kết mới.",
    link_expired: "Liên kết này đã hết hạn. Hãy xin liên kết mới.",
    not_found: "Ở đây không có gì, hoặc không dành cho bạn.",
    forbidden: "Bạn không được phép làm việc này.",
    host_not_allowed: "Không truy cập được máy chủ này bằng tên này. Hãy dùng địa chỉ mà máy chủ đã in ra.",
    origin_not_allowed: "Biểu mẫu được gửi từ trang khác nên không được nhận. Hãy mở câu hỏi tại đây.",
    invalid_request: "Máy chủ không hiểu nội dung này. Hãy mở lại câu hỏi.",
    unsupported_media_type: "Máy chủ không hiểu nội dung này. Hãy mở lại câu hỏi.",
    wrong_kind: "Không thể kết thúc câu hỏi theo cách này. Hãy mở lại câu hỏi.",
    already_settled: "Câu hỏi này đã kết thúc.",
    too_large: "Nội dung quá lớn. Hãy rút ngắn và gửi lại.",
    rate_limited: "Quá nhiều yêu cầu. Hãy chờ một lát rồi thử lại.",
    request_timeout: "Yêu cầu đến quá chậm. Hãy thử lại.",
    closed: "Máy chủ đang tắt. Hãy thử lại sau giây lát.",
    overloaded: "Máy chủ đang bận. Hãy thử lại sau giây lát.",
    other: "Máy chủ gặp sự cố. Chưa lưu gì cả; hãy thử lại sau.",
  },
};
