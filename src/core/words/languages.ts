/** The languages of surfaces, as ISO 639-1 codes. */
export const LANGUAGES = ["en", "vi", "de", "fr", "es", "pt", "it", "ru", "ja", "zh", "ko"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Where there is no translation, and until one has been loaded. */
export const ENGLISH = "en";

/** The language of a locale such as `vi`, `vi-VN` or `pt_BR`; English if we do not have it. */
export function languageOf(locale: string | undefined): Language {
  const code = locale?.toLowerCase().split(/[-_]/, 1)[0];
  return LANGUAGES.find((language) => language === code) ?? ENGLISH;
}

/** The languages that have every word; the others have only the word for Other so far. */
export const FULL_LANGUAGES = ["en", "vi"] as const;
export type FullLanguage = (typeof FULL_LANGUAGES)[number];
export type Translation = Exclude<FullLanguage, typeof ENGLISH>;

/** The language with every word that serves a locale best. */
export function fullLanguageOf(locale: string | undefined): FullLanguage {
  const language = languageOf(locale);
  return FULL_LANGUAGES.find((full) => full === language) ?? ENGLISH;
}

/** The language with every word that a browser prefers, by its `Accept-Language`; English if it names none of them. */
export function acceptedLanguage(header: string | null | undefined): FullLanguage {
  const ranges = (header ?? "")
    .slice(0, 1_000)
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return { code: tag.split("-", 1)[0], weight: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  for (const { code } of ranges) {
    const found = FULL_LANGUAGES.find((language) => language === code);
    if (found !== undefined) return found;
  }
  return ENGLISH;
}
