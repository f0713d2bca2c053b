export { freeTextOption } from "./free-text-option.js";
export { LANGUAGES, languageOf } from "./languages.js";
