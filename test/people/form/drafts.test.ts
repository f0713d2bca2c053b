import { describe, expect, it } from "vitest";
import { parseDraft } from "../../../src/core/model/draft.js";
import { createHub, memoryStore } from "../../../src/hub/index.js";
import { type AskInput, requireAsk } from "../../../src/index.js";
import { createForm } from "../../../src/people/form/create-form.js";
import { draftOf, needsSave } from "../../../src/people/form/draft.js";
import type { FormState } from "../../../src/people/form/state.js";
import { updateForm } from "../../../src/people/form/update.js";
import { viewForm } from "../../../src/people/form/view.js";
import {
  AUTH,
  drive,
  LANGUAGES,
  lines,
  MAIL,
  MAIL_AND_DROP,
  open,
  press,
  START,
  type,
  WHY,
} from "./drive.ts";

const questions: AskInput = { questions: [AUTH, LANGUAGES, WHY], allowPartial: true };

/** What another surface makes of a form's draft, for the same ask or another. */
function passOn(
  state: FormState,
  input: AskInput,
  change: (draft: object) => unknown = (draft) => draft,
): FormState {
  const json = JSON.parse(JSON.stringify(change(draftOf(state))));
  return createForm(requireAsk(input), { surface: "page", draft: json });
}

describe("a draft", () => {
  const filled = drive(
    type(press(type(press(open(questions), "3"), "SAML"), "escape", "n"), "staff"),
    { type: "pick", row: "option:o1" },
    { type: "pick", row: "option:o2", id: "q2" },
    { type: "skip", id: "q3" },
    { type: "type", field: "overall", text: "all in all" },
    { type: "type", field: "reply", text: "well" },
    { type: "type", field: "reason", text: "busy" },
    { type: "go", step: 1 },
  );

  it("is one JSON, as documented", () => {
    expect(draftOf(filled)).toEqual({
      version: 1,
      answers: [
        {
          question: "q1",
          shown: expect.stringMatching(/^[0-9a-f]{16}$/),
          selected: ["o1"],
          own: false,
          text: "SAML",
          note: "staff",
          at: START + 4_000,
          surface: "terminal",
        },
        expect.objectContaining({ question: "q2", selected: ["o2"], own: false }),
        expect.objectContaining({ question: "q3", selected: [], skipped: true }),
      ],
      decisions: [],
      note: { text: "all in all", at: expect.any(Number), surface: "terminal" },
      reply: { text: "well", at: expect.any(Number), surface: "terminal" },
      reason: { text: "busy", at: expect.any(Number), surface: "terminal" },
      step: { kind: "question", id: "q2" },
    });
  });

  it("is taken by core as it is", () => {
    expect(parseDraft(draftOf(filled))).toEqual({ ok: true, draft: draftOf(filled) });
  });

  it("restores on another surface what was chosen, typed and left unused, at the same step", () => {
    const restored = passOn(filled, questions);
    expect(restored.parts).toEqual(filled.parts);
    expect(restored.step).toBe(1);
    expect(draftOf(restored)).toEqual(draftOf(filled));
    expect(viewForm(restored).from).toBe("terminal");
    expect(needsSave(restored)).toBe(false);
  });

  it("restores decisions, with arguments that are not JSON yet", () => {
    const editing = drive(
      type(press(open(MAIL_AND_DROP), "e"), '{"to": '),
      { type: "reject", id: "a2" },
      { type: "type", field: "message", text: "never", id: "a2" },
    );
    expect(draftOf(editing).decisions).toMatchObject([
      { action: "a1", kind: "edit", argsText: '{"to": ' },
      { action: "a2", kind: "reject", message: "never" },
    ]);
    expect(passOn(editing, MAIL_AND_DROP).parts).toEqual(editing.parts);
  });

  it("leaves out what nobody has touched, and the agent's own arguments", () => {
    expect(draftOf(open(questions))).toEqual({
      version: 1,
      answers: [],
      decisions: [],
      step: { kind: "question", id: "q1" },
    });
    expect(draftOf(drive(open(MAIL), { type: "edit" })).decisions[0]).not.toHaveProperty("argsText");
  });

  it("goes through a hub", async () => {
    const hub = await createHub({ store: memoryStore() });
    try {
      const ask = await hub.post(questions);
      const by = { kind: "person", id: "ana", surface: "terminal" } as const;
      const form = drive(createForm(ask, { surface: "terminal" }), { type: "pick", row: "option:o2" });
      await hub.saveDraft(ask.id, draftOf(form), { by });
      const restored = createForm(ask, { surface: "page", draft: await hub.draft(ask.id, { by }) });
      expect(lines(restored)[1]).toBe(">x option:o2");
    } finally {
      await hub.close();
    }
  });
});

describe("a draft that does not quite fit", () => {
  const filled = drive(type(press(open({ questions: [AUTH] }), "3"), "SAML"), {
    type: "pick",
    row: "option:o1",
  });

  it("gives its texts, but no picks, to a question that has changed under the same id", () => {
    const changed = { questions: [{ ...AUTH, options: ["Delete everything", "API key"] }] };
    const restored = passOn(filled, changed);
    expect(lines(restored).slice(0, 3)).toEqual([">  option:o1", "   option:o2", '   text "SAML" (unused)']);
  });

  it("gives no decision to an action whose arguments have changed", () => {
    const decided = drive(type(press(open(MAIL), "x"), "too late"), { type: "approve" });
    const changed = { approval: { actions: [{ name: "send_mail", args: { to: "everybody" } }] } };
    const restored = passOn(decided, changed);
    expect(restored.parts[0]).toMatchObject({ decision: null, message: "too late" });
  });

  it("is taken without the questions that are gone", () => {
    expect(passOn(filled, { questions: [{ ...WHY, id: "other" }] }).parts[0]).toMatchObject({
      at: 0,
      text: "",
    });
    expect(passOn(filled, MAIL).parts[0]).toMatchObject({ kind: "decision", at: 0 });
  });

  it("is taken from a later version as far as it can be read", () => {
    const restored = passOn(filled, { questions: [AUTH] }, (draft) => ({
      ...draft,
      version: 7,
      mood: "good",
      step: { kind: "stage", act: 2 },
    }));
    expect(restored.parts).toEqual(filled.parts);
    expect(restored.step).toBe(0);
  });

  it("is taken from before there was a version", () => {
    const restored = open(
      { questions: [AUTH, WHY] },
      { draft: { q1: { selected: ["o2"], text: "" }, q2: { text: "so" } } },
    );
    expect(restored.parts[0]).toMatchObject({ selected: ["o2"], own: false });
    expect(restored.parts[1]).toMatchObject({ text: "so", own: true });
  });

  it("is taken without what the question does not allow", () => {
    const draft = {
      version: 1,
      answers: [
        { question: "q1", selected: ["o2", "o1", "o9", 7, "o2"], own: true, text: "x", skipped: true, at: 5 },
      ],
    };
    const fixed = open({ questions: [{ ...AUTH, freeText: false }] }, { draft });
    expect(fixed.parts[0]).toMatchObject({ selected: ["o1"], own: false, text: "", skipped: false });
    const decided = open(MAIL_AND_DROP, {
      draft: { version: 1, decisions: [{ action: "a2", kind: "edit", argsText: "{}", at: 5 }] },
    });
    expect(decided.parts[1]).toMatchObject({ decision: null, args: '{\n  "table": "users"\n}' });
  });

  it("is taken with the latest of two entries about one question", () => {
    const draft = {
      version: 1,
      answers: [
        { question: "q1", selected: ["o1"], at: 9, surface: "a" },
        { question: "q1", selected: ["o2"], at: 8, surface: "b" },
      ],
    };
    expect(open({ questions: [AUTH] }, { draft }).parts[0]).toMatchObject({ selected: ["o1"], at: 9 });
  });

  it("leaves room to change what claims to come from the end of time", () => {
    const draft = { version: 1, answers: [{ question: "q1", selected: ["o1"], at: Number.MAX_VALUE }] };
    const form = open({ questions: [AUTH] }, { draft });
    const changed = drive(form, { type: "pick", row: "option:o2" });
    expect(changed.parts[0]?.at).toBeGreaterThan(form.parts[0]?.at ?? 0);
    expect(passOn(changed, { questions: [AUTH] }).parts[0]).toMatchObject({ selected: ["o2"] });
  });

  it.each([null, 7, "draft", [], { version: 1, answers: {}, decisions: 1, note: [], step: "x" }])(
    "is a blank form where nothing fits: %j",
    (draft) => {
      expect(open(questions, { draft }).parts).toEqual(open(questions).parts);
    },
  );
});

describe("two surfaces at once", () => {
  const ask: AskInput = { questions: [WHY, { ...WHY, question: "And then?" }] };
  const draft = (state: FormState): unknown => JSON.parse(JSON.stringify(draftOf(state)));
  const typeHere = (state: FormState, text: string, id = "q1"): FormState =>
    drive(state, { type: "type", field: "text", text, id });

  it("take the later version of each question", () => {
    const terminal = typeHere(open(ask), "first");
    const page = typeHere(typeHere(open(ask, { surface: "page" }), "x", "q2"), "second", "q2");
    const merged = drive(terminal, { type: "merge", draft: draft(page) });
    expect(merged.parts).toMatchObject([{ text: "first" }, { text: "second" }, {}, {}, {}]);
    expect(needsSave(merged)).toBe(true);
    const back = drive(page, { type: "merge", draft: draft(merged) });
    expect(back.parts).toEqual(merged.parts);
    expect(needsSave(back)).toBe(false);
    expect(needsSave(drive(merged, { type: "saved", draft: draft(merged) }))).toBe(false);
  });

  it("show what came later, and keep their own text at hand", () => {
    const terminal = typeHere(open(ask), "mine");
    const page = typeHere(typeHere(open(ask, { surface: "page" }), "their"), "theirs");
    const merged = drive(terminal, { type: "merge", draft: draft(page) });
    expect(viewForm(merged)).toMatchObject({ from: "page", kept: [{ index: 0, part: { text: "mine" } }] });
    expect(lines(merged)[0]).toBe('>x text "theirs" (typing)');
    const taken = drive(merged, { type: "recall", kept: 0 });
    expect(lines(taken)[0]).toBe('>x text "mine" (typing)');
    expect(viewForm(taken).kept).toMatchObject([{ part: { text: "theirs" } }]);
    expect(needsSave(taken)).toBe(true);
    const seen = drive(page, { type: "merge", draft: draft(taken) });
    expect(seen.parts[0]).toMatchObject({ text: "mine", surface: "terminal" });
    expect(viewForm(drive(taken, { type: "forget", kept: 0 })).kept).toEqual([]);
  });

  it("do not keep what only came from the other surface", () => {
    const watching = open(ask);
    const page = typeHere(open(ask, { surface: "page" }), "the");
    const first = drive(watching, { type: "merge", draft: draft(page) });
    const second = drive(first, { type: "merge", draft: draft(typeHere(page, "theirs")) });
    expect(second.kept).toEqual([]);
    expect(second.parts[0]).toMatchObject({ text: "theirs" });
  });

  it("keep several versions where both go on typing, and no more than five", () => {
    let form = open(ask);
    let page = open(ask, { surface: "page" });
    for (let turn = 0; turn < 8; turn += 1) {
      form = typeHere(form, `mine ${turn}`);
      page = drive(page, { type: "merge", draft: draft(form) });
      page = typeHere(page, `theirs ${turn}`);
      form = drive(form, { type: "merge", draft: draft(page) });
    }
    expect(form.kept.map((part) => ("text" in part ? part.text : ""))).toEqual(
      [7, 6, 5, 4, 3].map((turn) => `mine ${turn}`),
    );
  });

  it("change later than what they saw, also where the other clock is ahead", () => {
    const ahead = open(ask, {
      surface: "page",
      draft: {
        version: 1,
        answers: [{ question: "q1", text: "from tomorrow", at: START + 1e9, surface: "x" }],
      },
    });
    const changed = typeHere(ahead, "now");
    expect(drive(ahead, { type: "merge", draft: draft(changed) }).parts[0]).toMatchObject({ text: "now" });
  });

  it("agree also where two of the same name change a question in the same millisecond", () => {
    const event = (text: string) => ({ type: "type", field: "text", text, id: "q1" }) as const;
    const one = updateForm(open(ask), event("one"), START);
    const other = updateForm(open(ask), event("other"), START);
    const merged = drive(one, { type: "merge", draft: draft(other) });
    expect(drive(other, { type: "merge", draft: draft(one) }).parts).toEqual(merged.parts);
    expect(merged.parts[0]).toMatchObject({ at: START, surface: "terminal" });
  });

  it("leave no row under the cursor when the other surface changes the decision", () => {
    const rejecting = press(open(MAIL), "x");
    const page = drive(open(MAIL, { surface: "page", draft: draft(rejecting) }), { type: "approve" });
    const merged = drive(rejecting, { type: "merge", draft: draft(page) });
    expect(lines(merged).slice(0, 4)).toEqual([" x approve", "   edit", "   reject", "   overall"]);
    expect(merged.typing).toBe(false);
  });

  it("do not move each other from step to step", () => {
    const page = press(typeHere(open(ask, { surface: "page" }), "x"), "tab");
    expect(drive(open(ask), { type: "merge", draft: draft(page) }).step).toBe(0);
  });

  it("may save while one of them sends", () => {
    const sending = drive(typeHere(typeHere(open(ask), "a"), "b", "q2"), { type: "submit" });
    expect(sending.phase.kind).toBe("sending");
    const saved = drive(sending, { type: "saved", draft: draft(sending) });
    expect(needsSave(saved)).toBe(false);
  });
});
