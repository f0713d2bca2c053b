import type { NotifyWords } from "../notify.js";

export const NOTIFY: NotifyWords = {
  title: "Thông báo",
  bellOn: "Thông báo trên thiết bị này: bật. Mở cài đặt",
  bellOff: "Thông báo cho tôi trên thiết bị này",
  isOn: "Thiết bị này nhận thông báo khi có câu hỏi mới.",
  isOff: "Thiết bị này không nhận thông báo.",
  turnOn: "Bật",
  turnOff: "Tắt",
  hints: {
    denied:
      "Trình duyệt đang chặn thông báo của trang này. Hãy cho phép trong cài đặt của trang rồi tải lại.",
    unsupported:
      "Trình duyệt này không nhận được thông báo ở đây. Trên iPhone hoặc iPad, hãy thêm trang vào màn hình chính và mở từ đó; ở nơi khác, địa chỉ phải bắt đầu bằng https.",
    "not-sent": "Máy chủ này không gửi thông báo đẩy. Người vận hành có thể bật bằng --push-contact.",
  },
  shows: "Thông báo hiện những gì",
  privacy: { everything: "Tất cả", title: "Chỉ tiêu đề", minimal: "Có câu hỏi đang chờ" },
  privacyHints: {
    everything: "Câu hỏi, và nút để trả lời câu hỏi ngắn",
    title: "Ai hỏi, hoặc hỏi về việc gì",
    minimal: "Không có gì về câu hỏi",
  },
  quiet: "Giờ yên tĩnh",
  quietHint: "Trên mọi thiết bị của bạn. Những gì đến trong lúc đó được gửi khi hết giờ.",
  from: "Từ",
  to: "Đến",
};
