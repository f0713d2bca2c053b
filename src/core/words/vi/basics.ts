import { type BasicWords, isRefusedAsWrong, roundedTime } from "../basics.js";

export const BASICS: BasicWords = {
  next: "Tiếp theo",
  send: "Gửi",
  skip: "Bỏ qua câu hỏi này",
  reply: "Nói điều khác thay vì trả lời",
  decline: "Từ chối trả lời",
  back: "Quay lại",
  approve: "Chấp thuận",
  edit: "Chấp thuận kèm thay đổi",
  reject: "Bác bỏ",
  answer: "Câu trả lời",
  note: "Ghi chú",
  overall: "Ghi chú chung",
  args: "Tham số",
  message: "Lý do",
  replyField: "Tin nhắn",
  reason: "Lý do (không bắt buộc)",
  review: "Xem lại",
  recommended: "khuyên dùng",
  skipped: "bỏ qua",
  notAnswered: "chưa trả lời",
  unused: "không gửi",
  replyTitle: "Nói điều khác thay vì trả lời",
  declineTitle: "Từ chối trả lời",
  picks: (min, max, count) => {
    const wanted =
      max === undefined
        ? min > 1
          ? `Chọn ít nhất ${min}`
          : "Chọn một hoặc nhiều"
        : min === max
          ? `Chọn đúng ${max}`
          : `Chọn từ ${min} đến ${max}`;
    return `${wanted} (đã chọn ${count})`;
  },
  sending: "Đang gửi…",
  refused: (code) =>
    isRefusedAsWrong(code)
      ? `Chưa được chấp nhận (${code}). Không mất gì: hãy sửa và gửi lại.`
      : `Chưa gửi được (${code}). Không mất gì: hãy gửi lại.`,
  notSaved: "Không kết nối được máy chủ. Nội dung được giữ ở đây và sẽ lưu sau.",
  from: (surface) => `Thay đổi gần nhất tại: ${surface}`,
  timeLeft: (milliseconds) => {
    const { count, unit } = roundedTime(milliseconds);
    return `Còn khoảng ${count} ${{ second: "giây", minute: "phút", hour: "giờ", day: "ngày" }[unit]}`;
  },
  reportedBy: (agent) => `do ${agent} báo lại`,
  outcomes: {
    answered: "Đã trả lời",
    decided: "Đã quyết định",
    declined: "Đã từ chối",
    replied: "Đã phản hồi",
    expired: "Hết hạn trước khi có ai trả lời",
    withdrawn: "Tác tử đã rút lại",
    unavailable: "Không liên lạc được với ai",
  },
};
