import type { ApprovalWords } from "../approval.js";

export const APPROVAL: ApprovalWords = {
  approvalTitle: (count) =>
    count === 1 ? "Chấp thuận hành động này?" : `Chấp thuận ${count} hành động này?`,
  actionOf: (number, count) => `Hành động ${number} trên ${count}`,
  command: "Lệnh",
  removed: "xóa",
  added: "thêm",
  noArguments: "Không có tham số.",
  emptyText: "văn bản trống",
  formatted: "Có định dạng",
  difference: (before, after) => `Khác biệt giữa ${before} và ${after}`,
  unread: "Trước khi chấp thuận, toàn bộ nội dung phải hiện trên màn hình. Chưa hiện: một phần của",
  showRest: "Hiện phần còn lại",
  decisionFor: (action) => `Quyết định về ${action}`,
  rejectWithReason: "Bác bỏ kèm lý do",
  editArguments: "Sửa tham số",
  undoChanges: "Hoàn tác thay đổi",
  remember: "Quyết định này có hiệu lực",
  remembers: { once: "Chỉ lần này", session: "Trong phiên này", always: "Luôn luôn" },
  exactly: (folder) => `Đúng lệnh gọi này${folder === undefined ? "" : ` trong ${folder}`}`,
  notCompared: (names) => `không so sánh: ${names}`,
  notWithChanges: "nếu đổi tham số thì chỉ lần này",
  agentRules: "Nếu chấp thuận, quy tắc riêng của tác nhân",
};
