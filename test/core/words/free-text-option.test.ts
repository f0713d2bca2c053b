import { expect, it } from "vitest";
import { CATCH_ALL_LABELS } from "../../../src/core/model/option.js";
import { freeTextOption } from "../../../src/core/words/free-text-option.ts";
import { LANGUAGES, languageOf } from "../../../src/core/words/languages.ts";

it("uses the labels that core recognises, in every language", () => {
  const labels = LANGUAGES.map((language) => freeTextOption(language).label);
  expect([...labels].sort()).toEqual([...CATCH_ALL_LABELS].sort());
});

it.each([
  ["vi", "Khác"],
  ["vi-VN", "Khác"],
  ["PT_br", "Outro"],
  ["en-GB", "Other"],
  ["zh-Hant", "其他"],
  ["xx", "Other"],
  [undefined, "Other"],
])("%s gives %s", (locale, label) => {
  expect(freeTextOption(locale).label).toBe(label);
});

it("finds a language by any of its locales", () => {
  expect(languageOf("ja-JP")).toBe("ja");
});
