import { type Language, languageOf } from "./languages.js";

export interface FreeTextWords {
  /** The label of the option that opens the text field. Core recognises it by this label, so the lists must agree. */
  readonly label: string;
  readonly description: string;
}

const WORDS: Readonly<Record<Language, FreeTextWords>> = {
  en: { label: "Other", description: "Type your own answer" },
  vi: { label: "Khác", description: "Nhập giá trị tùy chỉnh" },
  de: { label: "Andere", description: "Eine eigene Antwort eingeben" },
  fr: { label: "Autre", description: "Saisir votre propre réponse" },
  es: { label: "Otro", description: "Escribir su propia respuesta" },
  pt: { label: "Outro", description: "Digitar a sua própria resposta" },
  it: { label: "Altro", description: "Scrivere una risposta propria" },
  ru: { label: "Другое", description: "Ввести свой ответ" },
  ja: { label: "その他", description: "回答を入力する" },
  zh: { label: "其他", description: "输入自己的回答" },
  ko: { label: "기타", description: "직접 입력하기" },
};

/** The free-text option's words in the language of a locale. */
export function freeTextOption(locale: string | undefined): FreeTextWords {
  return WORDS[languageOf(locale)];
}
