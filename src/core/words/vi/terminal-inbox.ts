import { type RoundedTime, roundedAge, roundedTime } from "../basics.js";
import type { InboxWords } from "../terminal-inbox.js";

const UNITS = { second: "giây", minute: "phút", hour: "giờ", day: "ngày" };

function time({ count, unit }: RoundedTime): string {
  return `${count} ${UNITS[unit]}`;
}

export const INBOX: InboxWords = {
  title: "Hộp thư",
  waiting: (count) => (count === 0 ? "không có gì đang chờ" : `${count} câu hỏi đang chờ`),
  matching: (count, total) => `hiện ${count} trên ${total}`,
  nothing: "Không có câu hỏi nào đang chờ bạn. Câu hỏi mới sẽ tự hiện ở đây.",
  noMatch: "Không có câu hỏi nào khớp.",
  loading: "Đang tải…",
  search: "Tìm",
  filters: { all: "tất cả", awaited: "có tác tử đang chờ", due: "có hạn chót" },
  approve: (names) => `Chấp thuận ${names}?`,
  severalQuestions: (count, first) => `${count} câu hỏi: ${first}`,
  age: (milliseconds) => (milliseconds < 10_000 ? "vừa xong" : `${time(roundedAge(milliseconds))} trước`),
  from: (agent) => `từ ${agent}`,
  session: (name) => `phiên ${name}`,
  project: (name) => `dự án ${name}`,
  awaited: "tác tử đang chờ",
  notAwaited: "tác tử không chờ",
  unknown: (people) => `máy chủ không biết: ${people}`,
  due: (milliseconds) =>
    milliseconds <= 0 ? "kết thúc ngay" : `kết thúc sau ${time(roundedTime(milliseconds))}`,
  overdue: "quá hạn",
  draft: "bản nháp",
  moreOf: (count, agent) => `thêm ${count} của ${agent}`,
  mutedOf: (count, agent) => `${count} câu hỏi của ${agent}, đã tắt tiếng`,
  declineAll: (count, agent) => `Từ chối ${count} câu hỏi của ${agent}?`,
  outage: (url, since) => `Mất kết nối với ${url} từ ${since}. Đang thử lại; không mất gì cả.`,
  endedTitle: (ended, title) => `${ended} ${title}`,
  arrived: (title) => `Mới: ${title}`,
  muted: (agent) => `Đã tắt tiếng ${agent}: không gửi thông báo, các câu hỏi gộp thành một dòng.`,
  unmuted: (agent) => `Đã bỏ tắt tiếng ${agent}.`,
  declinedAll: (declined, count, agent) =>
    declined === count
      ? `Đã từ chối ${count} câu hỏi của ${agent}.`
      : `Đã từ chối ${declined} trên ${count} câu hỏi của ${agent}; số còn lại đã kết thúc hoặc chưa gửi được.`,
  failed: (reason) => `Không thực hiện được: ${reason}`,
  cannotOpen: (reason) => `Hiện không mở được: ${reason}`,
  unsaved: "Chưa lưu được nội dung vì mất kết nối với máy chủ. Hãy mở lại câu hỏi để viết tiếp.",
  keys: {
    open: "mở",
    move: "di chuyển",
    page: "lên hoặc xuống một trang",
    search: "tìm",
    filter: "lọc",
    decline: "từ chối",
    reply: "nói điều khác",
    mute: "tắt hoặc bật tiếng tác tử",
    declineAll: "từ chối tất cả của tác tử",
    keep: "giữ lại",
    leave: "rời đi",
    help: "mọi phím",
    keepSearch: "giữ kết quả tìm",
    endSearch: "thôi tìm",
    suspend: "tạm dừng",
  },
  plain: {
    prompt: "Gõ số để mở câu hỏi (? trợ giúp): ",
    confirm: "Gõ yes để từ chối: ",
    kept: "Không từ chối câu hỏi nào.",
    notUnderstood: (typed) => `Không hiểu "${typed}". Gõ ? để xem trợ giúp.`,
    wholeNumber: (last) =>
      last === 0 ? "Không có câu hỏi nào trong danh sách." : `Hãy gõ một số từ 1 đến ${last}.`,
    help: {
      number: "mở câu hỏi có số này",
      list: "liệt kê lại các câu hỏi",
      search: "chỉ liệt kê câu hỏi có những từ này; search không kèm từ nào thì liệt kê tất cả",
      filter: "liệt kê tất cả, những câu có tác tử đang chờ, hoặc những câu có hạn chót",
      mute: "tắt tiếng tác tử của câu hỏi này, hoặc bật lại",
      declineAll: "từ chối mọi câu hỏi của tác tử đó; hỏi lại trước",
      quit: "rời hộp thư; câu hỏi và bản nháp vẫn còn",
    },
  },
};
