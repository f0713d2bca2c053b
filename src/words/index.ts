export { type FreeTextWords, freeTextOption } from "./free-text-option.js";
export { LANGUAGES, type Language, languageOf } from "./languages.js";
