import { describe, expect, it } from "vitest";
import { createHub, memoryStore } from "../../../src/hub/index.js";
import { AsklineError, type Outcome } from "../../../src/index.js";
import { createForm } from "../../../src/people/form/create-form.js";
import { viewForm } from "../../../src/people/form/view.js";
import { AUTH, drive, lines, MAIL, open, press, problems, sent, type, WHY } from "./drive.ts";

const ana = { kind: "person", id: "ana", surface: "terminal" } as const;
const ben = { kind: "person", id: "ben", surface: "inbox page" } as const;

describe("saying something else", () => {
  it("is a row, opens a field, and replies", () => {
    const opened = drive(open({ questions: [AUTH] }), { type: "pick", row: "reply" });
    expect(lines(opened)).toEqual([">  reply (typing)", "   submit", "   back"]);
    expect(sent(press(type(opened, "Let us talk"), "enter"))).toEqual({ type: "reply", text: "Let us talk" });
  });

  it("is not blank", () => {
    const tried = press(open({ questions: [AUTH] }), "c", "enter");
    expect(problems(tried)).toEqual(["empty_answer at reply"]);
    expect(problems(press(open({ questions: [AUTH] }), "c"))).toEqual([]);
  });

  it("keeps its text when the person goes back to the questions", () => {
    const typed = type(press(open({ questions: [AUTH] }), "c"), "Let us");
    const back = press(typed, "escape", "escape");
    expect(lines(back)[0]).toBe(">  option:o1 (recommended)");
    expect(lines(press(back, "c"))[0]).toBe('>  reply "Let us" (typing)');
    expect(sent(press(back, "1", "enter")).type).toBe("answer");
  });
});

describe("declining", () => {
  it("takes a reason, or none", () => {
    const opened = press(open(MAIL), "d");
    expect(sent(press(opened, "enter", "enter"))).toEqual({ type: "decline" });
    expect(sent(press(type(opened, "not mine"), "enter"))).toEqual({ type: "decline", reason: "not mine" });
  });

  it("is not what a stray key and an empty line do", () => {
    const tried = press(open(MAIL), "d", "enter");
    expect(tried).toMatchObject({ phase: { kind: "open" }, cursor: "submit" });
  });
});

describe("sending", () => {
  const sending = press(open({ questions: [AUTH] }), "enter");

  it("holds the form still until it is known what became of it", () => {
    expect(viewForm(sending).phase).toBe("sending");
    expect(Object.values(viewForm(sending).can).every((can) => !can)).toBe(true);
    expect(drive(sending, { type: "pick", row: "option:o2" })).toBe(sending);
  });

  it("opens it again where the server refuses, with everything in place", () => {
    const refused = drive(sending, {
      type: "refused",
      error: new AsklineError("invalid_answer", "no", {
        issues: [
          { code: "unknown_option", path: ["answers", 0, "selected", 0], message: "must be one of these" },
        ],
      }),
    });
    expect(viewForm(refused)).toMatchObject({ phase: "open", refused: "invalid_answer" });
    expect(lines(refused)[0]).toBe(">x option:o1 (recommended)");
    expect(problems(refused)).toEqual(["unknown_option at choice"]);
    expect(viewForm(press(refused, "2")).refused).toBeUndefined();
  });

  it("opens the step that the server objects to", () => {
    const both = press(type(press(open({ questions: [AUTH, WHY] }), "enter"), "so"), "enter", "enter");
    const issues = [{ code: "too_long" as const, path: ["answers", 1, "text"], message: "is too long" }];
    const refused = drive(both, { type: "refused", error: { code: "invalid_answer", issues } });
    expect(refused.step).toBe(1);
    expect(lines(refused)[0]).toBe('>x text "so" (typing, too_long)');
  });

  it("can be tried again after an outage", () => {
    const unreachable = drive(sending, { type: "refused", error: { code: "unreachable" } });
    expect(viewForm(unreachable).refused).toBe("unreachable");
    expect(sent(drive(unreachable, { type: "submit" }))).toEqual(sent(sending));
  });

  it("knows its own outcome, also by the stream", () => {
    const answers = [{ question: "q1", selected: ["o1"] }];
    const settled = drive(sending, { type: "settled", outcome: { kind: "answered", answers, by: ana } });
    expect(viewForm(settled).ended).toMatchObject({ ours: true });
  });
});

describe("settled elsewhere", () => {
  const outcome: Outcome = { kind: "answered", answers: [{ question: "q1", selected: ["o2"] }], by: ben };

  it("closes the form, says who and where, and leaves what was typed to be read", () => {
    const typed = type(press(open({ questions: [AUTH] }), "3"), "SAML");
    const settled = drive(typed, { type: "settled", outcome });
    expect(viewForm(settled)).toMatchObject({
      phase: "settled",
      ended: { ours: false, outcome: { by: { id: "ben", surface: "inbox page" } } },
    });
    expect(lines(settled)).toContain('>x text "SAML"');
    expect(drive(settled, { type: "submit" }, { type: "type", field: "text", text: "" })).toBe(settled);
  });

  it("before the form was opened, it opens closed", () => {
    const form = createForm({ ...open({ questions: [AUTH] }).ask, outcome }, { surface: "card" });
    expect(viewForm(form)).toMatchObject({ phase: "settled", ended: { outcome, ours: false } });
    expect(drive(form, { type: "pick", row: "option:o1" })).toBe(form);
  });

  it("is what the loser of a race learns", () => {
    const sending = press(open({ questions: [AUTH] }), "enter");
    const error = new AsklineError("already_settled", "ben was faster", { outcome });
    expect(viewForm(drive(sending, { type: "refused", error })).ended).toEqual({ outcome, ours: false });
  });

  it.each<Outcome>([{ kind: "expired" }, { kind: "withdrawn", reason: "no longer needed" }])(
    "also by nobody: $kind",
    (ended) => {
      const sending = press(open({ questions: [AUTH] }), "enter");
      expect(viewForm(drive(sending, { type: "settled", outcome: ended })).ended?.ours).toBe(false);
    },
  );
});

it.each([
  ["answer", { questions: [AUTH, WHY] }, "answered"],
  ["decide", MAIL, "decided"],
  ["decline", MAIL, "declined"],
  ["reply", { questions: [WHY] }, "replied"],
] as const)("a hub takes what the form sends: %s", async (kind, input, ending) => {
  const hub = await createHub({ store: memoryStore() });
  try {
    const ask = await hub.post(input);
    let form = createForm(ask, { surface: "terminal" });
    if (kind === "answer") form = press(type(press(form, "enter"), "so"), "enter", "enter");
    if (kind === "decide") form = press(form, "a", "enter");
    if (kind === "decline") form = press(form, "d", "enter", "enter");
    if (kind === "reply") form = press(type(press(form, "escape", "c"), "hm"), "enter");
    const settled = await hub.settle(ask.id, sent(form), { by: ana });
    expect(settled.outcome?.kind).toBe(ending);
    if (settled.outcome === undefined) return;
    expect(viewForm(drive(form, { type: "settled", outcome: settled.outcome })).ended?.ours).toBe(true);
  } finally {
    await hub.close();
  }
});
