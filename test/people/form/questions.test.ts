import { describe, expect, it } from "vitest";
import { viewForm } from "../../../src/people/form/view.js";
import { AUTH, drive, LANGUAGES, lines, open, press, problems, sent, type, WHY } from "./drive.ts";

describe("a single choice", () => {
  it("shows the options, then the text field, the note and what else can be done", () => {
    expect(lines(open({ questions: [AUTH] }))).toEqual([
      ">  option:o1 (recommended)",
      "   option:o2",
      "   text",
      "   note",
      "   submit",
      "   reply",
      "   decline",
    ]);
  });

  it("is answered by one move and Enter", () => {
    expect(sent(press(open({ questions: [AUTH] }), "down", "enter"))).toEqual({
      type: "answer",
      answers: [{ question: "q1", selected: ["o2"] }],
    });
  });

  it("is answered by a digit and Enter, and not by the digit alone", () => {
    const picked = press(open({ questions: [AUTH] }), "2");
    expect(picked.phase.kind).toBe("open");
    expect(lines(picked)).toContain(">x option:o2");
    expect(sent(press(picked, "enter")).type).toBe("answer");
  });

  it("is answered by one pick where the surface wants that", () => {
    const form = open({ questions: [AUTH] }, { answerOnPick: true });
    expect(sent(drive(form, { type: "pick", row: "option:o1" }))).toMatchObject({
      answers: [{ selected: ["o1"] }],
    });
    expect(drive(form, { type: "pick", row: "text" }).phase.kind).toBe("open");
  });

  it("is not answered by moving the cursor", () => {
    const moved = press(open({ questions: [AUTH] }), "down", "up", "j");
    expect(lines(moved)).toContain(">  option:o2");
    expect(drive(moved, { type: "submit" }).phase.kind).toBe("open");
    expect(problems(drive(moved, { type: "submit" }))).toEqual(["missing_answer at choice"]);
  });

  it("stops moving at the first and the last row", () => {
    const form = open({ questions: [AUTH] });
    expect(press(form, "up").cursor).toBe("option:o1");
    expect(press(form, "end").cursor).toBe("decline");
    expect(drive(form, { type: "move", by: Number.NaN }).cursor).toBe("option:o1");
  });

  it("keeps the text of the text field while another option is picked, and brings it back", () => {
    const typed = type(press(open({ questions: [AUTH] }), "3"), "SAML");
    expect(lines(typed)).toContain('>x text "SAML" (typing)');
    const other = drive(typed, { type: "pick", row: "option:o1" });
    expect(lines(other)).toContain('   text "SAML" (unused)');
    expect(sent(drive(other, { type: "submit" }))).toMatchObject({
      answers: [{ question: "q1", selected: ["o1"] }],
    });
    const back = drive(other, { type: "pick", row: "text" });
    expect(sent(drive(back, { type: "submit" }))).toEqual({
      type: "answer",
      answers: [{ question: "q1", selected: [], text: "SAML" }],
    });
  });

  it("keeps the pick when the text field is opened by mistake and left empty", () => {
    const picked = press(open({ questions: [AUTH] }), "2");
    const opened = press(picked, "3");
    expect(lines(opened)).toContain(">x text (typing)");
    expect(lines(opened)).toContain("   option:o2");
    expect(lines(press(opened, "escape"))).toContain(" x option:o2");
    expect(lines(press(opened, "up"))).toContain(">x option:o2");
    expect(lines(press(type(type(opened, "x"), ""), "up"))).toContain(">x option:o2");
  });

  it("asks for text where the text field is chosen and empty", () => {
    const opened = press(open({ questions: [AUTH] }), "3");
    const tried = drive(opened, { type: "submit" });
    expect(lines(tried)).toContain(">x text (typing, text_required)");
  });

  it("takes back what was chosen, and leaves what was typed", () => {
    const form = type(press(open({ questions: [AUTH] }), "3"), "SAML");
    const cleared = drive(form, { type: "clear" });
    expect(lines(cleared)).toContain('>  text "SAML" (typing, unused)');
    expect(lines(drive(form, { type: "clear", field: "text" }))).toContain(">  text (typing)");
  });

  it("picks what is recommended", () => {
    expect(lines(press(open({ questions: [AUTH] }), "r"))).toContain(">x option:o1 (recommended)");
  });
});

describe("an option that stands for the text field", () => {
  const question = { question: "Where?", options: ["Here", { label: "Elsewhere", input: true }, "Nowhere"] };

  it("is the text field, in its place, and there is no second one", () => {
    const form = open({ questions: [question] });
    expect(lines(form).slice(0, 4)).toEqual([">  option:o1", "   text", "   option:o3", "   note"]);
    expect(viewForm(form).rows[1]).toMatchObject({ kind: "text", number: 2, option: { label: "Elsewhere" } });
  });

  it("answers with the text alone", () => {
    const form = open({ questions: [question] });
    const typed = type(drive(form, { type: "pick", row: "option:o2" }), "there");
    expect(sent(press(typed, "enter"))).toMatchObject({
      answers: [{ selected: [], text: "there" }],
    });
  });

  it("is absent where only options are allowed", () => {
    const form = open({ questions: [{ ...AUTH, freeText: false }] });
    expect(lines(form).some((line) => line.includes("text"))).toBe(false);
    expect(drive(form, { type: "type", field: "text", text: "x" })).toBe(form);
    expect(drive(form, { type: "pick", row: "text" })).toBe(form);
  });
});

describe("a question without options", () => {
  it("is a text field that takes keys at once", () => {
    const form = open({ questions: [WHY] });
    expect(lines(form)[0]).toBe(">  text (typing)");
    expect(sent(press(type(form, "because"), "enter"))).toMatchObject({
      answers: [{ question: "q1", selected: [], text: "because" }],
    });
  });

  it("is not answered by white space, nor declined by Enter", () => {
    const tried = press(type(open({ questions: [WHY] }), " \n"), "enter");
    expect(tried.phase.kind).toBe("open");
    expect(lines(tried)[0]).toContain("missing_answer");
    expect(viewForm(tried).issues[0]?.values).toEqual({ options: false, text: true });
  });
});

describe("several choices", () => {
  const form = open({ questions: [LANGUAGES] });

  it("are toggled with space, and sent in the order of the options", () => {
    const picked = press(form, "down", "down", "space", "up", "space", "up", "space", "space");
    expect(lines(picked).slice(0, 4)).toEqual([
      ">  option:o1",
      " x option:o2",
      " x option:o3",
      "   option:o4",
    ]);
    expect(sent(press(picked, "enter"))).toMatchObject({
      answers: [{ selected: ["o2", "o3"] }],
    });
  });

  it("say how many are needed, once a person wants to go on", () => {
    const one = press(form, "1");
    expect(problems(one)).toEqual([]);
    expect(viewForm(one).picks).toEqual({ min: 2, max: 3, count: 1 });
    const tried = press(one, "enter");
    expect(viewForm(tried).issues).toEqual([
      { code: "too_few_picks", id: "q1", field: "choice", values: { min: 2, count: 1 } },
    ]);
    expect(problems(press(tried, "2"))).toEqual([]);
  });

  it("stop at the most there may be, and say why", () => {
    const full = press(form, "1", "2", "3");
    expect(lines(full)[3]).toBe("   option:o4 (disabled)");
    const tried = drive(full, { type: "toggle", row: "option:o4" });
    expect(viewForm(tried).issues).toEqual([
      { code: "too_many_picks", id: "q1", field: "choice", values: { max: 3, count: 3 } },
    ]);
    expect(tried.parts).toBe(full.parts);
    expect(problems(press(tried, "up"))).toEqual([]);
  });

  it("are picked all at once where that many may be, and taken back so", () => {
    expect(viewForm(form).can.all).toBe(false);
    expect(drive(form, { type: "all" })).toBe(form);
    const free = open({ questions: [{ ...LANGUAGES, minPicks: 1, maxPicks: 4 }] });
    const all = press(free, "*");
    expect(viewForm(all).picks).toEqual({ min: 1, max: 4, count: 4 });
    expect(viewForm(press(all, "*")).picks?.count).toBe(0);
  });

  it("have text beside them, which counts as a pick", () => {
    const typed = type(press(form, "1", "5"), "Zig");
    expect(viewForm(typed).picks).toEqual({ min: 2, max: 3, count: 2 });
    expect(sent(press(typed, "enter"))).toMatchObject({
      answers: [{ selected: ["o1"], text: "Zig" }],
    });
  });

  it("never lose text that is typed when all picks are taken", () => {
    const full = drive(press(form, "1", "2", "3"), { type: "focus", row: "text" });
    const typed = type(full, "Zig");
    expect(problems(typed)).toEqual(["too_many_picks at choice"]);
    expect(sent(drive(typed, { type: "toggle", row: "option:o1" }, { type: "submit" }))).toMatchObject({
      answers: [{ selected: ["o2", "o3"], text: "Zig" }],
    });
  });

  it("take the text field's choice back by a second toggle", () => {
    const typed = type(press(form, "1", "2", "5"), "Zig");
    const without = drive(typed, { type: "toggle", row: "text" });
    expect(lines(without)).toContain('>  text "Zig" (typing, unused)');
    expect(sent(drive(without, { type: "submit" }))).toMatchObject({
      answers: [{ selected: ["o1", "o2"] }],
    });
  });
});
