import { expect, it } from "vitest";
import { isBlank } from "../../src/core/kit/fold.js";
import { requireAsk, validateEnding } from "../../src/index.js";

const ask = requireAsk({ questions: [{ question: "Why?" }] });
const reply = (text: string) => validateEnding(ask, { type: "reply", text });

const BLANK = [
  "",
  " \t\r\n",
  "\u00a0\u1680\u2003\u202f\u3000",
  "\u2028\u2029\u0085",
  "\u200b",
  "\u200c\u200d\u2060\ufeff",
  "\u00ad",
  "\u034f",
  "\u061c\u200e\u202e\u2066",
  "\u115f\u1160\u3164\uffa0",
  "\u17b4\u180e",
  "\u2800",
  "\ufe0f",
  "\ufff9\ufffb",
  "\u{1d159}\u{1d173}",
  "\u{e0001}\u{e0041}\u{e0100}",
  "\u0000\u001b",
];

it.each(BLANK)("%j looked like an answer", (text) => {
  expect(isBlank(text)).toBe(true);
  expect(reply(text)).toMatchObject({ ok: false, issues: [{ code: "empty_answer" }] });
  expect(validateEnding(ask, { type: "decline", reason: text })).toEqual({
    ok: true,
    ending: { type: "decline" },
  });
});

it.each([
  "x",
  "0",
  " .",
  "\u200bno",
  "\u0301",
  "\u{1f469}\u200d\u{1f680}",
  "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}",
  "\u2764\ufe0f",
  "\u0600",
  "\u2801",
  "\ufffd",
  "Được",
  // Unassigned in this version of Unicode; a newer one may have a letter there.
  "\u{2fffd}",
])("%j is something to see", (text) => {
  expect(isBlank(text)).toBe(false);
  expect(reply(text)).toEqual({ ok: true, ending: { type: "reply", text } });
});
