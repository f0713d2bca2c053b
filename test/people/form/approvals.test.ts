import { describe, expect, it } from "vitest";
import { type AskInput, displayText } from "../../../src/index.js";
import { draftOf } from "../../../src/people/form/draft.js";
import { argsText } from "../../../src/people/form/json-text.js";
import { eventForKey } from "../../../src/people/form/keys.js";
import { type FormState, remembersOf } from "../../../src/people/form/state.js";
import { viewForm } from "../../../src/people/form/view.js";
import { drive, lines, MAIL, MAIL_AND_DROP, marks, open, press, problems, sent, type } from "./drive.ts";

describe("a decision that is remembered", () => {
  const [mail] = MAIL.approval?.actions ?? [];
  const place = { session: "s1", metadata: { project: "/home/ana/shop" } };
  const input = { approval: { actions: [{ ...mail, rules: ["Allow mail to ana"] }] }, ...place } as AskInput;
  const form = open(input, { remembers: true });
  const decided = (state: FormState) => sent(drive(state, { type: "submit" }));
  const remember = (as: string, kind: "approve" | "edit" | "reject", from = form) =>
    decided(drive(from, { type: "remember", remember: as }, { type: kind }));
  const decision = (more: object) => ({
    type: "decide",
    decisions: [{ action: "a1", ...more }],
  });

  it("is for only this time, this session, always, or by the agent's own rule", () => {
    expect(remembersOf(form)).toEqual(["session", "always", "Allow mail to ana"]);
    expect(remember("", "approve")).toEqual(decision({ kind: "approve" }));
    expect(remember("session", "reject")).toEqual(decision({ kind: "reject", remember: "session" }));
    for (const as of remembersOf(form)) {
      expect(remember(as, "approve")).toEqual(decision({ kind: "approve", remember: as }));
    }
  });

  it("makes no rule of what core would refuse: an edit, an unknown word", () => {
    expect(remember("always", "edit")).toMatchObject(decision({ kind: "edit" }));
    expect(JSON.stringify(remember("always", "edit"))).not.toContain("remember");
    expect(remember("for ever", "approve")).toEqual(decision({ kind: "approve" }));
    const once = { approval: { actions: [{ ...mail, once: true }] }, ...place } as AskInput;
    expect(remember("always", "approve", open(once, { remembers: true }))).toEqual(
      decision({ kind: "approve" }),
    );
    expect(remembersOf(open(MAIL_AND_DROP, { remembers: true }))).toEqual([]);
  });

  it("is not a rejection by the agent's own rule, which is refused at once rather than dropped", () => {
    const rule = { type: "remember", remember: "Allow mail to ana" } as const;
    const rejected = drive(form, rule, { type: "reject" });
    expect(problems(rejected)).toEqual(["rule_unused at choice"]);
    expect(drive(rejected, { type: "submit" }).phase.kind).toBe("open");
    expect(press(rejected, "enter").phase.kind).toBe("open");
    expect(decided(drive(rejected, { type: "remember", remember: "" }))).toEqual(
      decision({ kind: "reject" }),
    );
    // A surface that does not show the rule cannot have meant it.
    expect(decided(drive(open(input), rule, { type: "reject" }))).toEqual(decision({ kind: "reject" }));
  });

  it("is kept in the draft, but not sent by a surface that does not show it", () => {
    const draft = draftOf(drive(form, { type: "remember", remember: "always" }));
    expect(draft.decisions).toMatchObject([{ action: "a1", remember: "always" }]);
    const approve = { type: "approve" } as const;
    expect(decided(drive(open(input, { remembers: true, draft }), approve))).toEqual(
      decision({ kind: "approve", remember: "always" }),
    );
    const terminal = drive(open(input, { draft }), approve);
    expect(decided(terminal)).toEqual(decision({ kind: "approve" }));
    expect(draftOf(terminal).decisions).toMatchObject([{ kind: "approve", remember: "always" }]);
    const changed = { approval: { actions: [{ ...mail, args: { to: "eve" } }] } } as AskInput;
    expect(decided(drive(open(changed, { remembers: true, draft }), approve))).toEqual(
      decision({ kind: "approve" }),
    );
  });
});

describe("one action", () => {
  const form = open(MAIL);

  it("is approved by one key and sent by another", () => {
    expect(sent(press(form, "down", "enter"))).toEqual({
      type: "decide",
      decisions: [{ action: "a1", kind: "approve" }],
    });
    expect(sent(press(form, "a", "enter")).type).toBe("decide");
    expect(press(form, "a").phase.kind).toBe("open");
    expect(sent(press(form, "a", "ctrl+enter")).type).toBe("decide");
  });

  it("is approved by one event where the surface wants that", () => {
    const quick = open(MAIL, { answerOnPick: true });
    expect(sent(drive(quick, { type: "approve" })).type).toBe("decide");
    expect(drive(quick, { type: "reject" }).phase.kind).toBe("open");
  });

  it("shows the fields of a decision once it is made", () => {
    expect(lines(form)).toEqual([
      "   approve",
      "   edit",
      "   reject",
      "   overall",
      "   submit",
      "   reply",
      "   decline",
    ]);
    expect(lines(press(form, "x")).slice(0, 4)).toEqual([
      "   approve",
      "   edit",
      " x reject",
      ">  message (typing)",
    ]);
  });

  it("is rejected with a reason, or without", () => {
    expect(sent(press(type(press(form, "x"), "too late"), "enter"))).toMatchObject({
      decisions: [{ action: "a1", kind: "reject", message: "too late" }],
    });
    expect(sent(press(form, "x", "enter"))).toEqual({
      type: "decide",
      decisions: [{ action: "a1", kind: "reject" }],
    });
  });

  it("is not decided by nothing", () => {
    expect(problems(drive(form, { type: "submit" }))).toEqual(["missing_decision at choice"]);
  });

  it("is approved with changed arguments", () => {
    const editing = press(form, "e");
    expect(lines(editing)[2]).toBe(
      `>  args ${JSON.stringify('{\n  "to": "ana",\n  "text": "hi"\n}')} (typing)`,
    );
    expect(sent(press(type(editing, '{"to":"ben"}'), "ctrl+enter"))).toEqual({
      type: "decide",
      decisions: [{ action: "a1", kind: "edit", args: { to: "ben" } }],
    });
  });

  it("is not approved by a line break in its arguments", () => {
    expect(eventForKey(press(form, "e"), "enter")).toBeUndefined();
  });

  it("says where the arguments stop being JSON, while they are typed", () => {
    const typed = type(press(form, "e"), '{\n  "to": ana\n}');
    expect(viewForm(typed).issues).toEqual([
      { code: "invalid_json", id: "a1", field: "args", values: { line: 2, column: 9 } },
    ]);
    expect(drive(typed, { type: "submit" }).phase.kind).toBe("open");
    expect(problems(type(typed, "[]"))).toEqual(["wrong_type at args"]);
    expect(problems(type(typed, `{"a":"${"x".repeat(70_000)}"}`))).toEqual(["too_large at args"]);
    expect(problems(type(typed, `{"a":${"[".repeat(9_000)}${"]".repeat(9_000)}}`))).toEqual([
      "wrong_type at args",
    ]);
  });

  it("is never approved as it was while changed arguments lie beside it", () => {
    const approved = drive(type(press(form, "e"), '{"to":"ben"}'), { type: "approve" }, { type: "submit" });
    expect(approved.phase.kind).toBe("open");
    expect(problems(approved)).toEqual(["edit_unused at args"]);
    const undone = drive(approved, { type: "clear", field: "args" }, { type: "submit" });
    expect(sent(undone)).toMatchObject({ decisions: [{ kind: "approve" }] });
  });

  it("may be approved where only the layout of its arguments was changed", () => {
    const approved = drive(type(press(form, "e"), '{"text":"hi","to":"ana"}'), { type: "approve" });
    expect(sent(drive(approved, { type: "submit" }))).toMatchObject({
      decisions: [{ kind: "approve" }],
    });
  });

  it("keeps the reason while it is approved after all, and brings it back", () => {
    const approved = drive(type(press(form, "x"), "too late"), { type: "approve" });
    expect(lines(approved)).toContain('   message "too late" (unused)');
    expect(sent(drive(approved, { type: "submit" }))).toMatchObject({
      decisions: [{ action: "a1", kind: "approve" }],
    });
    expect(sent(drive(approved, { type: "reject" }, { type: "submit" }))).toMatchObject({
      decisions: [{ message: "too late" }],
    });
  });

  it("has the overall note at hand", () => {
    const noted = type(press(form, "n"), "fine");
    expect(sent(press(noted, "escape", "a", "ctrl+enter"))).toMatchObject({ note: "fine" });
  });
});

describe("several actions", () => {
  const form = open(MAIL_AND_DROP);

  it("are a step each, and a review at the end", () => {
    const decided = press(type(press(form, "a", "enter", "x"), "never"), "enter");
    expect(marks(decided)).toBe("done done [done]");
    expect(viewForm(decided).chips.map(({ label }) => label)).toEqual(["send_mail", "drop_table", undefined]);
    expect(sent(press(decided, "enter"))).toMatchObject({
      decisions: [
        { action: "a1", kind: "approve" },
        { action: "a2", kind: "reject", message: "never" },
      ],
    });
  });

  it("take only the decisions that they allow", () => {
    const second = press(form, "tab");
    expect(viewForm(second).can).toMatchObject({ approve: true, edit: false, reject: true });
    expect(drive(second, { type: "edit" }).parts).toBe(second.parts);
    expect(drive(second, { type: "type", field: "args", text: "{}" }).parts).toBe(second.parts);
    expect(drive(second, { type: "pick", row: "edit", id: "a2" }).parts).toBe(second.parts);
  });

  it("are decided by id where a page shows all of them", () => {
    const decided = drive(form, { type: "approve", id: "a2" }, { type: "reject", id: "a1" });
    expect(decided.step).toBe(0);
    expect(sent(drive(decided, { type: "submit" }))).toMatchObject({
      decisions: [{ kind: "reject" }, { kind: "approve" }],
    });
  });
});

it("shows arguments with everything invisible written out, and takes them back as they were", () => {
  const args = {
    to: "a\u202eb",
    control: "\u0007",
    line: "x\ny",
    tag: "\u{e0041}",
    hidden: "1\u200b0",
    family: "👩\u200d👩",
    deep: [{ "\u2066": null }],
  };
  const text = argsText(args);
  expect(displayText(text)).toBe(text);
  expect(text).toContain('"hidden": "1\\u200b0"');
  expect(text).toContain("👩\\u200d👩");
  expect(JSON.parse(text)).toEqual(args);
});
