import type { SettledWords } from "../settled.js";

export const SETTLED: SettledWords = {
  decisions: { approve: "Đã chấp thuận", edit: "Đã chấp thuận kèm thay đổi", reject: "Đã bác bỏ" },
  settled: (outcome, by, time) =>
    `${outcome}${by === "" ? "" : ` bởi ${by}`}${time === "" ? "" : ` lúc ${time}`}`,
  you: "bạn",
  rule: (name) => `quy tắc “${name}”`,
  onSurface: (person, surface) => `${person} (${surface})`,
  notYours: "Yêu cầu đã kết thúc trước khi câu trả lời của bạn được gửi.",
  yourText: "Những gì bạn đã nhập không được gửi:",
};
