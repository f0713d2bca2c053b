export { freeTextOption } from "./free-text-option.js";
export { ISSUE_WORDS, type IssueValues, issueText } from "./issues.js";
export { LANGUAGES, languageOf } from "./languages.js";
