import { describe, expect, it } from "vitest";
import { displayAsker, displayJson, displayLabel } from "../../src/core/text/display.js";
import { displayHeader, displayLine, displayText, parseAsk, profiles } from "../../src/index.js";

describe("what is shown", () => {
  it("has no control character or bidi override in it; newlines and tabs stay", () => {
    expect(displayText("a\u001b[2Jb\u0007\u202Ec\u2066d\r\n\te\u009b")).toBe(
      "a\uFFFD[2Jb\uFFFD\uFFFDc\uFFFDd\n\te\uFFFD",
    );
    expect(displayLine("a\r\nb\tc\u2028d")).toBe("a b c\uFFFDd");
  });

  it("shows invisible characters, which could hide a difference", () => {
    const hidden = [
      "\u00ad",
      "\u200b",
      "\u2060",
      "\u2063",
      "\u3164",
      "\ufeff",
      "\u{e0041}",
      "\u{e0100}",
      "\u200d",
    ];
    for (const character of hidden) expect(displayText(`pass${character}word`)).toBe("pass\uFFFDword");
    expect(displayText("a\ufe00\ufe01\ufe0f")).toBe("a\ufe00\uFFFD\uFFFD");
  });

  it("keeps joiners, selectors and tags where a script or an emoji is written with them", () => {
    const texts = ["👨‍👩‍👧‍👦", "❤️‍🔥", "👩🏽‍🚀", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "می‌خواهم", "क्‍ष", "葛󠄀", "1️⃣", "🇻🇳"];
    for (const text of texts) expect(displayText(text)).toBe(text);
  });

  it("cuts a header by what a person sees as characters", () => {
    expect(displayHeader("Auth")).toBe("Auth");
    expect(displayHeader("Twelve chars")).toBe("Twelve chars");
    expect(displayHeader("Thirteen char")).toBe("Thirteen ch…");
    const family = "👨‍👩‍👧‍👦";
    expect(displayHeader(family.repeat(12))).toBe(family.repeat(12));
    expect(displayHeader(family.repeat(13))).toBe(`${family.repeat(11)}…`);
    expect(displayHeader("Kỳ hạn đầu tư")).toBe("Kỳ hạn đầu …");
  });

  it("names who asks by what the server has checked, whatever the agent calls itself", () => {
    expect(displayAsker({ asker: "ci", agentId: "local" })).toBe("ci › local");
    expect(displayAsker({ asker: "ci", agentPath: ["planner"], agentId: "coder\u001b" })).toBe(
      "ci › planner › coder\uFFFD",
    );
    expect(displayAsker({ asker: "ci", agentId: "ci" })).toBe("ci");
    expect(displayAsker({ agentId: "coder" })).toBe("coder");
    expect(displayAsker({})).toBe("");
  });
});

it("writes what cannot be seen in JSON as escapes that read back as the same", () => {
  const value = { a: "1\u200b0", b: "x\u202ey", c: "\u{e0041}\u0007", d: "👩\u200d👩 \n", "\u2066": "é" };
  for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
    const shown = displayJson(json);
    expect(displayText(shown)).toBe(shown);
    expect(shown).toContain("1\\u200b0");
    expect(shown).toContain("👩\\u200d👩");
    expect(JSON.parse(shown)).toEqual(value);
  }
});

it("joiners, selectors, blanks and fillers hid in arguments that a person approves", () => {
  const hidden = [
    "\u200c",
    "\u200d",
    "\ufe0f",
    "\u{e0041}",
    "\u3164",
    "\u2800",
    "\u00a0",
    "\u3000",
    "\u2028",
    "\u061c",
  ];
  for (const character of hidden) {
    for (const text of [`rm${character}-rf`, `م${character}ی`, `❤${character}`]) {
      const json = JSON.stringify({ [text]: text }, null, 2);
      const shown = displayJson(json);
      expect(shown).not.toContain(character);
      expect(shown).toContain("\\u");
      expect(JSON.parse(shown)).toEqual({ [text]: text });
    }
  }
  expect(displayJson('{\n  "a": "é 😀 日本"\n}')).toBe('{\n  "a": "é 😀 日本"\n}');
});

it("labels that look alike, as a dialect may accept them, were shown without a difference", () => {
  const options = ["Café", "Cafe\u0301", "Yes", "Yes ", "Yes\u200b", "No"].map((label) => ({
    label,
    description: "d",
  }));
  const profile = { ...profiles.canonical, options: { min: 2, max: 6 } };
  const parsed = parseAsk({ questions: [{ question: "Q?", header: "H", options }] }, { profile });
  const parsedOptions = parsed.ok ? (parsed.ask.questions[0]?.options ?? []) : [];
  expect(parsedOptions.map((option) => displayLabel(option, parsedOptions))).toEqual([
    "Café (option 1)",
    "Cafe\\u0301 (option 2)",
    "Yes (option 3)",
    "Yes\\u0020 (option 4)",
    "Yes\\u200b (option 5)",
    "No",
  ]);
});
