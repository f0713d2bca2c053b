import { describe, expect, it } from "vitest";
import { decodeTextAnswer, encodeTextAnswer } from "../../src/core/text/text-answer.js";
import { type Answer, type Question, requireAsk } from "../../src/index.js";

function question(
  labels: readonly string[],
  more: Partial<{ multiSelect: boolean; freeText: boolean }> = {},
): Question {
  const [first] = requireAsk({
    questions: [{ question: "Q", options: labels, multiSelect: true, ...more }],
  }).questions;
  if (first === undefined) throw new Error("no question");
  return first;
}

const picks = (...selected: string[]): Omit<Answer, "question"> => ({ selected });
const text = (typed: string, ...selected: string[]): Omit<Answer, "question"> => ({ selected, text: typed });

describe("a text answer is read against the labels", () => {
  const cases: readonly [string, Question, string, Omit<Answer, "question">][] = [
    ["a whole label", question(["A", "B"]), "B", picks("o2")],
    ["a whole label that holds a comma", question(["A", "A, B", "B"]), "A, B", picks("o2")],
    ["two labels", question(["A", "B", "C"]), "C, A", picks("o1", "o3")],
    ["labels that hold commas", question(["Red, dark", "Blue"]), "Red, dark, Blue", picks("o1", "o2")],
    ["two ways to split", question(["A", "B", "A, B", "C"]), "A, B, C", text("A, B, C")],
    ["a label twice", question(["A", "B"]), "A, A", text("A, A")],
    ["labels, then text", question(["A", "B"]), "A, B, and more", text("and more", "o1", "o2")],
    ["labels, then text with commas", question(["A", "B"]), "A, this, that", text("this, that", "o1")],
    ["text before a label", question(["A", "B"]), "this, A", text("this, A")],
    ["two ways before the text", question(["A", "B", "A, B"]), "A, B, more", text("A, B, more")],
    ["a label twice before the text", question(["A", "B"]), "A, A, more", text("A, A, more")],
    ["no space after the comma", question(["A", "B"]), "A,B", text("A,B")],
    ["another case", question(["A", "B"]), "a, b", text("a, b")],
    ["labels of a single-select", question(["A", "B"], { multiSelect: false }), "A, B", text("A, B")],
    ["text where none is taken", question(["A", "B"], { freeText: false }), "A, more", text("A, more")],
    ["the word of the text field", question(["A", "Other"]), "Other", text("Other")],
    ["nothing", question(["A", "B"]), " ", { selected: [], skipped: true }],
  ];
  it.each(cases)("%s", (_name, asked, given, expected) => {
    expect(decodeTextAnswer(asked, given)).toEqual({ question: "q1", ...expected });
  });

  it("gives up on labels that could be split in endless ways, and keeps the text", () => {
    const labels = Array.from({ length: 40 }, (_, index) =>
      Array(index + 1)
        .fill("a")
        .join(", "),
    );
    const given = `${Array(800).fill("a").join(", ")}, b`;
    expect(decodeTextAnswer(question(labels), given)).toEqual({ question: "q1", selected: [], text: given });
  });
});

describe("an answer as one text", () => {
  it("has the labels in the order of the options, then the text; nothing for a skip", () => {
    const asked = question(["A", "B"]);
    expect(encodeTextAnswer(asked, { question: "q1", selected: ["o2", "o1"], text: "more" })).toBe(
      "A, B, more",
    );
    expect(encodeTextAnswer(asked, { question: "q1", selected: [], skipped: true })).toBe("");
  });
});
