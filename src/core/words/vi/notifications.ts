import type { NotificationWords } from "../notifications.js";

export const NOTIFICATIONS: NotificationWords = {
  questionWaits: "Có một câu hỏi đang chờ bạn",
  questionFrom: (agent) => `Câu hỏi từ ${agent}`,
  moreFrom: (count, agent) => `Thêm ${count} câu hỏi từ ${agent}`,
  approvalFrom: (agent) => `${agent} cần bạn phê duyệt`,
  anAgent: "một tác nhân",
  moreQuestions: (count) => `và ${count} câu hỏi khác`,
  approve: "Phê duyệt",
  reject: "Từ chối",
  answeredBy: (person) => `${person} đã trả lời`,
  answeredByRule: "Đã được trả lời theo quy tắc",
  declinedBy: (person) => `${person} đã từ chối trả lời`,
  expired: "Đã hết hạn trước khi có người trả lời",
  withdrawn: "Đã được rút lại: không cần trả lời nữa",
  reminder: "Vẫn đang chờ",
};
