import { describe, expect, it } from "vitest";
import { issueText } from "../../../src/core/words/issues.ts";
import { validateEnding } from "../../../src/index.js";
import { stepsOf } from "../../../src/people/form/state.js";
import { viewForm, viewStep } from "../../../src/people/form/view.js";
import {
  AUTH,
  drive,
  LANGUAGES,
  lines,
  MAIL,
  marks,
  open,
  press,
  problems,
  sent,
  type,
  WHY,
} from "./drive.ts";

describe("several questions", () => {
  const form = open({ questions: [AUTH, LANGUAGES, WHY] });

  it("are a step each, and a review at the end", () => {
    expect(stepsOf(form.ask).map(({ kind }) => kind)).toEqual(["question", "question", "question", "review"]);
    expect(marks(form)).toBe("[open] open open open");
    expect(viewForm(form).chips.map(({ label }) => label)).toEqual(["Auth", "SDKs", "Why", undefined]);
  });

  it("are answered one after the other, reviewed and sent", () => {
    const filled = press(type(press(form, "enter", "1", "2", "enter"), "speed"), "enter");
    expect(marks(filled)).toBe("done done done [done]");
    expect(lines(filled)).toEqual([
      "   step:0",
      "   step:1",
      "   step:2",
      "   overall",
      ">  submit",
      "   reply",
      "   decline",
    ]);
    const noted = type(press(filled, "n"), "Ask me again.");
    expect(sent(press(noted, "enter", "enter"))).toEqual({
      type: "answer",
      answers: [
        { question: "q1", selected: ["o1"] },
        { question: "q2", selected: ["o1", "o2"] },
        { question: "q3", selected: [], text: "speed" },
      ],
      note: "Ask me again.",
    });
  });

  it("show in the review what would be sent", () => {
    const filled = press(form, "enter", "1", "2", "v");
    expect(viewForm(filled).rows.slice(0, 3)).toMatchObject([
      { kind: "step", step: 0, mark: "done", answer: { question: "q1", selected: ["o1"] } },
      { kind: "step", step: 1, mark: "done", answer: { question: "q2", selected: ["o1", "o2"] } },
      { kind: "step", step: 2, mark: "open" },
    ]);
  });

  it("can be passed unanswered, in both directions", () => {
    const passed = press(form, "tab", "right", "tab", "tab");
    expect(marks(passed)).toBe("open open open [open]");
    expect(marks(press(passed, "left", "shift+tab"))).toBe("open [open] open open");
    expect(marks(press(form, "v"))).toBe("open open open [open]");
  });

  it("are not sent while one is missing: the first such step opens", () => {
    const tried = press(press(form, "enter"), "v", "ctrl+enter");
    expect(marks(tried)).toBe("done [problem] problem open");
    expect(problems(tried)).toEqual(["missing_answer at choice"]);
    expect(viewForm(tried).progress).toEqual({ done: 1, total: 3 });
  });

  it("are sent from anywhere", () => {
    const filled = press(type(press(form, "enter", "1", "2", "enter"), "speed"), "shift+tab", "ctrl+s");
    expect(sent(filled).type).toBe("answer");
  });

  it("return to the review after one was changed from there", () => {
    const filled = press(type(press(form, "enter", "1", "2", "enter"), "speed"), "enter");
    const changing = press(filled, "1");
    expect(changing.step).toBe(0);
    expect(lines(changing)[0]).toBe(">x option:o1 (recommended)");
    const changed = press(changing, "down", "enter", "enter");
    expect(marks(changed)).toBe("done done done [done]");
    expect(press(changed, "2", "left", "enter").step).toBe(1);
  });

  it("keep everything on the way back and forth", () => {
    const filled = type(press(type(press(form, "3"), "SAML"), "escape", "n"), "only for staff");
    const around = press(filled, "tab", "tab", "shift+tab", "shift+tab");
    expect(around.parts).toEqual(filled.parts);
    expect(lines(around)[2]).toBe('>x text "SAML" (typing)');
  });

  it("put the cursor on the step that is not done when the review opens", () => {
    expect(press(form, "enter", "v").cursor).toBe("step:1");
  });

  it("answer with all that is recommended at once, and leave what is answered", () => {
    const both = open({ questions: [AUTH, { ...AUTH, question: "And then?" }, WHY] });
    const filled = press(press(both, "2"), "R");
    expect(filled.parts.map((part) => (part.kind === "answer" ? part.selected : []))).toEqual([
      ["o2"],
      ["o1"],
      [],
      [],
      [],
      [],
    ]);
  });
});

describe("notes", () => {
  it("go with a question and are no answer", () => {
    const noted = type(press(open({ questions: [AUTH] }), "n"), "not sure");
    expect(problems(drive(noted, { type: "submit" }))).toEqual(["empty_answer at choice"]);
    expect(sent(press(noted, "escape", "1", "enter"))).toMatchObject({
      answers: [{ selected: ["o1"], note: "not sure" }],
    });
  });

  it("lead back to the choice by Enter, so that the next Enter goes on", () => {
    const noted = press(type(press(open({ questions: [AUTH] }), "2", "n"), "sure"), "enter");
    expect(noted.cursor).toBe("option:o2");
    expect(sent(press(noted, "enter"))).toMatchObject({ answers: [{ note: "sure" }] });
  });

  it("do not lead to a choice that nobody has made", () => {
    const noted = press(type(press(open(MAIL), "n"), "hm"), "enter");
    expect(lines(noted)).toContain('>  overall "hm"');
    expect(press(noted, "enter", "enter").phase.kind).toBe("open");
  });

  it("that are too long are shown so at their field, with the bound", () => {
    const noted = type(press(open({ questions: [AUTH] }), "n"), "x".repeat(8_001));
    expect(viewForm(noted).rows.find(({ key }) => key === "note")?.issues).toEqual([
      { code: "too_long", id: "q1", field: "note", values: { max: 8_000, count: 8_001 } },
    ]);
    expect(drive(press(noted, "escape", "1"), { type: "submit" }).phase.kind).toBe("open");
  });

  it("on the whole have a row of their own in a form of one question only once there is one", () => {
    const form = open({ questions: [AUTH] });
    const noted = drive(form, { type: "type", field: "overall", text: "hm" });
    expect(lines(noted)).toContain('>  overall "hm" (typing)');
  });
});

describe("skipping", () => {
  const form = open({ questions: [AUTH, WHY], allowPartial: true });

  it("leaves a question out and goes on", () => {
    const skipped = press(form, "s");
    expect(marks(skipped)).toBe("skipped [blank] done");
    expect(sent(press(type(skipped, "so"), "enter", "enter"))).toMatchObject({
      answers: [
        { question: "q1", selected: [], skipped: true },
        { question: "q2", selected: [], text: "so" },
      ],
    });
  });

  it("keeps what was chosen and typed, for when the question is answered after all", () => {
    const skipped = press(type(press(form, "3"), "SAML"), "escape", "s");
    const back = drive(skipped, { type: "back" });
    expect(lines(back)).toContain(">x skip");
    expect(lines(drive(back, { type: "toggle", row: "skip" }))).toContain(' x text "SAML"');
    expect(lines(drive(back, { type: "pick", row: "option:o1" }))).toContain(">x option:o1 (recommended)");
  });

  it("brings a pick of several back by a toggle, and does not take it away", () => {
    const several = open({ questions: [{ ...LANGUAGES, minPicks: 1 }, WHY], allowPartial: true });
    const back = drive(press(several, "1", "s"), { type: "back" });
    const toggled = drive(back, { type: "toggle", row: "option:o1" });
    expect(toggled.parts[0]).toMatchObject({ selected: ["o1"], skipped: false });
  });

  it("does not send by itself where it is the only question", () => {
    const skipped = press(open({ questions: [AUTH], allowPartial: true }), "s");
    expect(skipped).toMatchObject({ phase: { kind: "open" }, cursor: "submit" });
    expect(sent(press(skipped, "enter"))).toMatchObject({ answers: [{ skipped: true }] });
  });

  it("is what a question left blank becomes beside one that was answered", () => {
    const picked = drive(form, { type: "pick", row: "option:o2", id: "q1" });
    expect(sent(drive(picked, { type: "submit" }))).toMatchObject({
      answers: [{ selected: ["o2"] }, { skipped: true }],
    });
  });

  it("is not what Send does with nothing chosen: it says what to do", () => {
    const tried = drive(form, { type: "review" }, { type: "submit" });
    expect(tried).toMatchObject({ phase: { kind: "open" }, step: 0 });
    expect(problems(tried)).toEqual(["empty_answer at choice"]);
    const [issue] = viewForm(tried).issues;
    expect(issueText({ code: "empty_answer", values: issue?.values ?? {} }, "en")).toBe(
      "Choose an option or type an answer. If you have no preference, skip the question.",
    );
    for (const event of [
      { type: "skip", id: "q2" },
      { type: "type", field: "note", text: "ask Bo", id: "q2" },
      { type: "type", field: "overall", text: "ask Bo" },
    ] as const) {
      expect(sent(drive(tried, event, { type: "submit" }))).toMatchObject({ type: "answer" });
    }
  });

  it.each(["\u200b", "\u00ad\u2800", "\u3164"])("is not what a text of %j does", (text) => {
    const typed = drive(form, { type: "type", field: "text", text, id: "q2" });
    expect(problems(drive(typed, { type: "submit" }))).toEqual(["empty_answer at choice"]);
  });

  it("is not possible where the ask wants all answers", () => {
    const all = open({ questions: [AUTH] });
    expect(viewForm(all).can.skip).toBe(false);
    expect(drive(all, { type: "skip" })).toBe(all);
    expect(lines(all).some((line) => line.includes("skip"))).toBe(false);
  });
});

it("takes events for steps that are not shown, as a page with all of them does", () => {
  const form = open({ questions: [AUTH, WHY] });
  const filled = drive(
    form,
    { type: "type", field: "text", text: "so", id: "q2" },
    { type: "type", field: "note", text: "hm", id: "q2" },
    { type: "pick", row: "option:o2", id: "q1" },
    { type: "submit" },
  );
  expect(filled.step).toBe(0);
  expect(sent(filled)).toMatchObject({
    answers: [{ selected: ["o2"] }, { text: "so", note: "hm" }],
  });
  expect(drive(form, { type: "pick", row: "option:o1", id: "q9" }).parts).toBe(form.parts);
});

it("shows any step to a page that has several at once", () => {
  const form = drive(open({ questions: [AUTH, LANGUAGES] }), { type: "pick", row: "option:o2", id: "q2" });
  const other = viewStep(form, 1);
  expect(other.step).toMatchObject({ id: "q2" });
  expect(other.rows.some(({ cursor }) => cursor)).toBe(false);
  expect(other.rows[1]).toMatchObject({ key: "option:o2", picked: true });
  expect(other.picks).toEqual({ min: 2, max: 3, count: 1 });
  expect(viewStep(form, 0).rows).toEqual(viewForm(form).rows);
  const tried = drive(form, { type: "submit" });
  expect(viewStep(tried, 1).issues).toMatchObject([{ code: "too_few_picks" }]);
});

it("sends what core takes as it is", () => {
  const filled = press(type(press(open({ questions: [AUTH, WHY] }), "enter"), "so"), "enter", "enter");
  const ending = sent(filled);
  if (ending.type !== "answer") throw new Error(ending.type);
  expect(validateEnding(filled.ask, ending)).toEqual({ ok: true, ending });
});
