import type { BasicWords } from "./basics.js";
import { BASICS as ENGLISH_BASICS } from "./en/basics.js";
import { languageOf } from "./languages.js";
import { BASICS as VIETNAMESE_BASICS } from "./vi/basics.js";

/** What a form says to a person, on every surface that has no words of its own. */
export interface FormWords extends BasicWords {
  readonly kept: (key: string) => string;
  readonly moreLines: (count: number, key: string) => string;
  readonly moreAbove: (count: number) => string;
  readonly moreBelow: (count: number) => string;
  readonly tooMuch: (count: number) => string;
  readonly noTextHere: string;
  readonly editorMissing: string;
  readonly editorFailed: (command: string, reason: string) => string;
  readonly leaving: string;
  readonly leavingPending: string;
  // Keys, as a footer and the list of keys name what they do.
  readonly keys: Readonly<Record<KeyWord, string>>;
  readonly plain: PlainWords;
}

/** What plain mode says and asks, line by line. The commands that a person types are the same in every language. */
export interface PlainWords {
  readonly place: (position: number, count: number) => string;
  readonly choose: string;
  readonly chooseSeveral: string;
  readonly decide: string;
  readonly reviewPrompt: string;
  readonly chosen: (text: string) => string;
  readonly previewHint: (number: number) => string;
  readonly noPreview: string;
  readonly notUnderstood: (typed: string) => string;
  readonly wholeNumber: (last: number) => string;
  readonly blank: string;
  readonly argsPrompt: string;
  readonly help: Readonly<Record<PlainCommand, string>>;
}

export type PlainCommand =
  | "number"
  | "label"
  | "other"
  | "text"
  | "preview"
  | "note"
  | "skip"
  | "back"
  | "next"
  | "review"
  | "approve"
  | "edit"
  | "reject"
  | "send"
  | "reply"
  | "decline"
  | "repeat";

/** What a key does. */
export type KeyWord =
  | "move"
  | "pick"
  | "toggle"
  | "choose"
  | "goOn"
  | "sendNow"
  | "open"
  | "write"
  | "steps"
  | "note"
  | "skip"
  | "all"
  | "recommended"
  | "recommendedAll"
  | "clear"
  | "approve"
  | "edit"
  | "reject"
  | "review"
  | "reply"
  | "decline"
  | "read"
  | "scroll"
  | "recall"
  | "newLine"
  | "editor"
  | "leaveField"
  | "close"
  | "leave"
  | "suspend"
  | "interrupt"
  | "help"
  | "stay"
  | "top"
  | "deleteWord"
  | "undo"
  | "lineEnds";

const ENGLISH: FormWords = {
  ...ENGLISH_BASICS,
  kept: (key) => `Another surface has replaced your text. Press ${key} to take yours back.`,
  moreLines: (count, key) => `${count} more ${count === 1 ? "line" : "lines"} (${key})`,
  moreAbove: (count) => `${count} more above`,
  moreBelow: (count) => `${count} more below`,
  tooMuch: (count) => `There was no room for the last ${count} ${count === 1 ? "character" : "characters"}.`,
  noTextHere: "This question takes no text: the paste was left out.",
  editorMissing: "No editor is set: give EDITOR a command, such as nano.",
  editorFailed: (command, reason) => `The editor (${command}) failed: ${reason}. Your text is as it was.`,
  leaving: "Leave without an answer?",
  leavingPending: "Leave? The question stays open, and your draft is saved.",
  keys: {
    move: "move",
    pick: "pick",
    toggle: "pick or unpick",
    choose: "choose",
    goOn: "go on",
    sendNow: "send",
    open: "open",
    write: "write",
    steps: "switch question",
    note: "note",
    skip: "skip",
    all: "pick all",
    recommended: "pick recommended",
    recommendedAll: "pick recommended everywhere",
    clear: "take back",
    approve: "approve",
    edit: "approve with changes",
    reject: "reject",
    review: "review",
    reply: "say something else",
    decline: "decline",
    read: "read in full",
    scroll: "scroll",
    recall: "take back your text",
    newLine: "new line",
    editor: "open your editor",
    leaveField: "leave the field",
    close: "close",
    leave: "leave",
    suspend: "suspend",
    interrupt: "cancel",
    help: "all keys",
    stay: "stay",
    top: "beginning and end",
    deleteWord: "delete a word, a line",
    undo: "undo",
    lineEnds: "beginning and end of the line",
  },
  plain: {
    place: (position, count) => `Question ${position} of ${count}`,
    choose: "Your choice (? for help): ",
    chooseSeveral: "Choices, with commas (? for help): ",
    decide: "Your decision (? for help): ",
    reviewPrompt: "send, or a number to change (? for help): ",
    chosen: (text) => `Chosen so far: ${text}`,
    previewHint: (number) => `type: preview ${number}`,
    noPreview: "This option has no preview.",
    notUnderstood: (typed) => `"${typed}" means nothing here. Type ? for help.`,
    wholeNumber: (last) => `Type a number from 1 to ${last}.`,
    blank: "An empty line changes nothing. Type ? for help, or decline if you do not want to answer.",
    argsPrompt: "The new arguments, as JSON: ",
    help: {
      number: "choose an option by its number; several with commas: 1,3",
      label: "choose an option by its exact label",
      other: "answer in your own words; also after numbers: 1,3,other …",
      text: "any other line is your answer",
      preview: "show the preview of an option",
      note: "add a note to this answer; in the review, to all of them",
      skip: "leave this question out",
      back: "go back to the question before",
      next: "go on with what is chosen",
      review: "show all answers",
      approve: "approve the action as it is",
      edit: "approve it with other arguments",
      reject: "reject it, perhaps with a reason",
      send: "send the answers",
      reply: "say something else instead of answering",
      decline: "decline to answer, perhaps with a reason",
      repeat: "show this question again",
    },
  },
};

const VIETNAMESE: FormWords = {
  ...VIETNAMESE_BASICS,
  kept: (key) => `Nơi khác đã thay nội dung của bạn. Nhấn ${key} để lấy lại.`,
  moreLines: (count, key) => `còn ${count} dòng (${key})`,
  moreAbove: (count) => `còn ${count} mục ở trên`,
  moreBelow: (count) => `còn ${count} mục ở dưới`,
  tooMuch: (count) => `Không đủ chỗ cho ${count} ký tự cuối.`,
  noTextHere: "Câu hỏi này không nhận văn bản: nội dung dán đã bị bỏ.",
  editorMissing: "Chưa đặt trình soạn thảo: hãy gán EDITOR một lệnh, ví dụ nano.",
  editorFailed: (command, reason) =>
    `Trình soạn thảo (${command}) gặp lỗi: ${reason}. Nội dung của bạn vẫn giữ nguyên.`,
  leaving: "Rời đi mà không trả lời?",
  leavingPending: "Rời đi? Câu hỏi vẫn mở và bản nháp được lưu.",
  keys: {
    move: "di chuyển",
    pick: "chọn",
    toggle: "chọn hoặc bỏ chọn",
    choose: "chọn",
    goOn: "tiếp tục",
    sendNow: "gửi",
    open: "mở",
    write: "viết",
    steps: "đổi câu hỏi",
    note: "ghi chú",
    skip: "bỏ qua",
    all: "chọn tất cả",
    recommended: "chọn mục khuyên",
    recommendedAll: "chọn mục khuyên dùng cho mọi câu",
    clear: "hoàn lại",
    approve: "chấp thuận",
    edit: "chấp thuận kèm thay đổi",
    reject: "bác bỏ",
    review: "xem lại",
    reply: "nói điều khác",
    decline: "từ chối",
    read: "đọc đầy đủ",
    scroll: "cuộn",
    recall: "lấy lại nội dung của bạn",
    newLine: "xuống dòng",
    editor: "mở trình soạn thảo",
    leaveField: "rời ô nhập",
    close: "đóng",
    leave: "rời đi",
    suspend: "tạm dừng",
    interrupt: "hủy",
    help: "mọi phím",
    stay: "ở lại",
    top: "đầu và cuối",
    deleteWord: "xóa một từ, một dòng",
    undo: "hoàn tác",
    lineEnds: "đầu và cuối dòng",
  },
  plain: {
    place: (position, count) => `Câu hỏi ${position} trên ${count}`,
    choose: "Lựa chọn của bạn (? trợ giúp): ",
    chooseSeveral: "Các lựa chọn, cách bằng dấu phẩy (? trợ giúp): ",
    decide: "Quyết định của bạn (? trợ giúp): ",
    reviewPrompt: "send, hoặc số cần sửa (? trợ giúp): ",
    chosen: (text) => `Đã chọn: ${text}`,
    previewHint: (number) => `gõ: preview ${number}`,
    noPreview: "Lựa chọn này không có bản xem trước.",
    notUnderstood: (typed) => `Không hiểu "${typed}". Gõ ? để xem trợ giúp.`,
    wholeNumber: (last) => `Hãy gõ một số từ 1 đến ${last}.`,
    blank: "Dòng trống không thay đổi gì. Gõ ? để xem trợ giúp, hoặc decline nếu bạn không muốn trả lời.",
    argsPrompt: "Tham số mới, dạng JSON: ",
    help: {
      number: "chọn theo số; nhiều lựa chọn cách nhau bằng dấu phẩy: 1,3",
      label: "chọn theo đúng nhãn",
      other: "trả lời bằng lời của bạn; cũng dùng sau các số: 1,3,other …",
      text: "dòng bất kỳ khác là câu trả lời của bạn",
      preview: "xem trước một lựa chọn",
      note: "thêm ghi chú cho câu trả lời này; ở bước xem lại, cho tất cả",
      skip: "bỏ qua câu hỏi này",
      back: "quay lại câu hỏi trước",
      next: "tiếp tục với những gì đã chọn",
      review: "xem mọi câu trả lời",
      approve: "chấp thuận nguyên trạng",
      edit: "chấp thuận với tham số khác",
      reject: "bác bỏ, có thể kèm lý do",
      send: "gửi các câu trả lời",
      reply: "nói điều khác thay vì trả lời",
      decline: "từ chối trả lời, có thể kèm lý do",
      repeat: "xem lại câu hỏi này",
    },
  },
};

/** The tables by language; the other languages have only the word for Other so far. */
export const FORM_WORDS: Readonly<Record<"en" | "vi", FormWords>> = { en: ENGLISH, vi: VIETNAMESE };

/** The words of a form in the language of a locale; English where there is no translation. */
export function formWords(locale: string | undefined): FormWords {
  return FORM_WORDS[languageOf(locale) === "vi" ? "vi" : "en"];
}
