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
  decisionFor: (action) => `Quyết định về ${action}`,
  rejectWithReason: "Bác bỏ kèm lý do",
  editArguments: "Sửa tham số",
  undoChanges: "Hoàn tác thay đổi",
  remember: "Quyết định này có hiệu lực",
  remembers: { once: "Chỉ lần này", session: "Trong phiên này", always: "Luôn luôn" },
  notWithChanges: "nếu đổi tham số thì chỉ lần này",
  agentRules: "Nếu chấp thuận, quy tắc riêng của tác nhân",
};
