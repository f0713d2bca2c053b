export { CARD_LANGUAGES } from "./card.js";
export { FORM_WORDS, type FormWords, formWords, type KeyWord, type PlainCommand } from "./form.js";
export { freeTextOption } from "./free-text-option.js";
export { ISSUE_WORDS, issueText } from "./issues.js";
export {
  acceptedLanguage,
  LANGUAGES,
  languageOf,
} from "./languages.js";
export { type NotificationWords, notificationWords } from "./notifications.js";
export { errorText, PAGE_WORDS, type PageWords, pageWords } from "./pages.js";
export {
  INBOX_WORDS,
  type InboxCommand,
  type InboxFilter,
  type InboxKeyWord,
  type InboxWords,
  inboxWords,
} from "./terminal-inbox.js";
