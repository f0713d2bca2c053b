// The free-text option in other languages than English, which a card loads at once (en/free-text.ts).

import type { FreeTextWords } from "./free-text-option.js";
import type { Language } from "./languages.js";

export const FREE_TEXTS: Readonly<Record<Exclude<Language, "en">, FreeTextWords>> = {
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
