import type { FreeTextWords } from "../free-text-option.js";

export const FREE_TEXT: FreeTextWords = { label: "Other", description: "Type your own answer" };
