import { expect, it } from "vitest";
import { approvalWords } from "../../src/words/approval.ts";
import { CARD_LANGUAGES, cardLanguage } from "../../src/words/index.ts";

it("speaks the language of a locale, or English", () => {
  const { en, vi } = CARD_LANGUAGES;
  expect(cardLanguage("vi-VN")).toBe(vi);
  expect(cardLanguage("de")).toBe(en);
  expect(en.words.settled("Answered", "ana", "Friday")).toBe("Answered by ana on Friday");
  expect(approvalWords("de").approvalTitle(2)).toBe("Approve these 2 actions?");
  expect(approvalWords("vi-VN").remembers.always).toBe("Luôn luôn");
});
