import { expect, it } from "vitest";
import { CARD_LANGUAGES, cardLanguage } from "../../src/words/index.ts";

it("speaks the language of a locale, or English", () => {
  const { en, vi } = CARD_LANGUAGES;
  expect(cardLanguage("vi-VN")).toBe(vi);
  expect(cardLanguage("de")).toBe(en);
  expect(en.words.settled("Answered", "ana", "Friday")).toBe("Answered by ana on Friday");
  expect(en.words.approvalTitle(2)).toBe("Approve these 2 actions?");
});
