/** The languages of surfaces, as ISO 639-1 codes. */
export const LANGUAGES = ["en", "vi", "de", "fr", "es", "pt", "it", "ru", "ja", "zh", "ko"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of a locale such as `vi`, `vi-VN` or `pt_BR`; English if we do not have it. */
export function languageOf(locale: string | undefined): Language {
  const code = locale?.toLowerCase().split(/[-_]/, 1)[0];
  return LANGUAGES.find((language) => language === code) ?? "en";
}
