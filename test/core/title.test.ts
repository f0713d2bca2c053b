import { describe, expect, it } from "vitest";
import { titleOf } from "../../src/core/text/title.js";
import { INBOX_WORDS } from "../../src/core/words/terminal-inbox.ts";
import { requireAsk } from "../../src/index.js";

const options = ["A", "B"];

function title(input: object): string {
  return titleOf(requireAsk(input), INBOX_WORDS.en);
}

describe("a title", () => {
  it("is the question", () => {
    expect(title({ questions: [{ question: "  Which one? ", options }] })).toBe("Which one?");
  });

  it("says how many questions there are", () => {
    const questions = ["First?", "Second?"].map((question) => ({ question, options }));
    expect(title({ questions })).toBe("2 questions: First?");
  });

  it("names all actions of an approval", () => {
    expect(title({ approval: { actions: [{ name: "deploy" }, { name: "publish" }] } })).toBe(
      "Approve deploy, publish?",
    );
  });

  it("is one line, whether a line break is real or written out", () => {
    expect(title({ questions: [{ question: "One\ntwo", options }] })).not.toContain("\n");
    expect(title({ questions: [{ question: "One\\ntwo", options }] })).toBe("One two");
  });

  it("shows no invisible characters", () => {
    expect(title({ approval: { actions: [{ name: "rm\u202Ef" }] } })).toBe("Approve rm\uFFFDf?");
  });
});
