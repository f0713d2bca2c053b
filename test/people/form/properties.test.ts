import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDraft } from "../../../src/core/model/draft.js";
import { type AskInput, type Json, requireAsk, validateEnding } from "../../../src/index.js";
import { checkForm } from "../../../src/people/form/check.js";
import { createForm } from "../../../src/people/form/create-form.js";
import { draftOf, needsSave } from "../../../src/people/form/draft.js";
import type { FormEvent } from "../../../src/people/form/event.js";
import { eventForKey, KEY_BINDINGS } from "../../../src/people/form/keys.js";
import {
  type FormAsk,
  type FormState,
  type Part,
  stepsOf,
  type TextField,
} from "../../../src/people/form/state.js";
import { updateForm } from "../../../src/people/form/update.js";
import { viewForm } from "../../../src/people/form/view.js";
import { arbitraryAsk, BY, nastyText } from "../../support/arbitraries.ts";
import { mutateJson } from "../../support/mutate-json.ts";
import { START } from "./drive.ts";

const FIELDS: readonly TextField[] = ["text", "note", "args", "message", "overall", "reply", "reason"];

function arbitraryApproval(): fc.Arbitrary<FormAsk> {
  const action = fc.record({
    name: nastyText(),
    args: fc.dictionary(nastyText(10), fc.jsonValue({ maxDepth: 2 })).map(withSafeNumbers),
    allow: fc.subarray(["approve", "edit", "reject"] as const, { minLength: 1 }),
  });
  const actions = fc.array(action, { minLength: 1, maxLength: 3 });
  return actions.map((list) => requireAsk({ approval: { actions: list } } as AskInput));
}

const anyAsk: fc.Arbitrary<FormAsk> = fc.oneof(
  { weight: 3, arbitrary: arbitraryAsk() },
  { weight: 2, arbitrary: arbitraryApproval() },
);

/** Space presses a button under the cursor. */
const SENDING_KEYS = ["enter", "space", "ctrl+enter", "ctrl+s"];

/** The same, without whole numbers that arguments must not contain. */
function withSafeNumbers(args: Record<string, unknown>): Record<string, Json> {
  const text = JSON.stringify(args, (_key, value: unknown) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : value,
  );
  return JSON.parse(text);
}

/** An event by dice: mostly about rows and ids that are there, at times about others. */
type Dice = readonly [kind: number, choice: number, id: number, text: string, later: number];
const dice: fc.Arbitrary<Dice> = fc.tuple(
  fc.nat({ max: 999 }),
  fc.nat({ max: 99 }),
  fc.nat({ max: 9 }),
  fc.oneof(nastyText(), fc.constantFrom("", " ", "{}", '{"a":1}', '{"a"')),
  fc.integer({ min: -2_000, max: 5_000 }),
);
const script = fc.array(dice, { maxLength: 30 });

const MOVING = [
  "move",
  "focus",
  "go",
  "next",
  "back",
  "review",
  "leave",
  "reply",
  "decline",
  "note",
] as const;
const CHOOSING = ["confirm", "pick", "toggle", "skip", "recommended", "approve", "edit", "reject"] as const;

function eventOf(state: FormState, [kind, choice, idDice, text]: Dice): FormEvent {
  const { rows } = viewForm(state);
  const row = choice === 0 ? "nowhere" : (rows[choice % rows.length]?.key ?? "");
  const ids = stepsOf(state.ask).flatMap((step) => (step.kind === "review" ? [] : [step.id]));
  // Mostly the current step.
  const id = idDice < 6 ? {} : { id: idDice === 9 ? "nobody" : (ids[choice % ids.length] ?? "") };
  const field = FIELDS[choice % FIELDS.length] ?? "text";
  const types = [...MOVING, ...CHOOSING, "type", "type", "type", "type", "clear", "clear"] as const;
  const type = types[kind % types.length] ?? "next";
  switch (type) {
    case "move":
      return { type, by: choice - 50 };
    case "focus":
      return { type, row };
    case "go":
      return { type, step: (choice % 8) - 1 };
    case "pick":
    case "toggle":
      return { type, ...id, ...(choice % 2 === 0 && { row }) };
    case "type": {
      const own = rows.find((one) => one.cursor);
      return {
        type,
        text,
        ...id,
        field: own !== undefined && "field" in own && choice > 20 ? own.field : field,
      };
    }
    case "clear":
      return { type, ...id, ...(choice % 2 === 0 && { field }) };
    case "recommended":
      return { type, ...id, all: choice % 2 === 0 };
    case "skip":
    case "approve":
    case "edit":
    case "reject":
      return { type, ...id };
    default:
      return { type };
  }
}

/** Runs a script; what was sent comes back as refused, so that the form stays open. */
function play(
  start: FormState,
  throws: readonly Dice[],
  visit: (before: FormState, event: FormEvent, after: FormState) => void = () => undefined,
): FormState {
  let now = START;
  return throws.reduce((state, one) => {
    now += one[4];
    const event = eventOf(state, one);
    const after = updateForm(state, event, now);
    visit(state, event, after);
    if (after.phase.kind !== "sending") return after;
    return updateForm(after, { type: "refused", error: { code: "unreachable" } }, now);
  }, start);
}

function textsOf(part: Part): readonly string[] {
  switch (part.kind) {
    case "answer":
      return [part.text, part.note];
    case "decision":
      return [part.args, part.message];
    default:
      return [part.text];
  }
}

function expectLegal(state: FormState): void {
  const { ask, parts, phase } = state;
  const { rows, chips, step } = viewForm(state);
  const keys = rows.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  // At an action, and nowhere else, the cursor may stand on no row.
  const none = state.cursor === "" && step.kind === "action" && state.panel === "steps";
  expect(rows.filter(({ cursor }) => cursor).map(({ key }) => key)).toEqual(none ? [] : [state.cursor]);
  const under = rows.find(({ cursor }) => cursor);
  if (state.typing) expect(under).toHaveProperty("value");
  expect(stepsOf(ask)[state.step]).toEqual(step);
  expect(chips.filter(({ current }) => current).length).toBe(state.panel === "steps" ? 1 : 0);
  expect(parts.length).toBe(ask.questions.length + (ask.approval?.actions.length ?? 0) + 3);
  parts.forEach((part, index) => {
    if (part.kind === "answer") {
      const question = ask.questions[index];
      const choices = question?.options.filter(({ input }) => !input).map(({ id }) => id) ?? [];
      expect(part.id).toBe(question?.id);
      expect(part.selected).toEqual(choices.filter((id) => part.selected.includes(id)));
      if (!question?.multiSelect) expect(part.selected.length).toBeLessThan(2);
      if (part.skipped) expect(ask.allowPartial).toBe(true);
      if (part.own) expect(question?.freeText).toBe(true);
    }
    if (part.kind === "decision" && part.decision !== null) {
      expect(ask.approval?.actions[index]?.allow).toContain(part.decision);
    }
  });
  if (phase.kind !== "sending") return;
  const { ending } = phase;
  expect(validateEnding(ask, ending)).toEqual({ ok: true, ending });
}

function restore(state: FormState, surface = "page"): FormState {
  return createForm(state.ask, { surface, draft: JSON.parse(JSON.stringify(draftOf(state))) });
}

const open = (ask: FormAsk, surface = "terminal"): FormState => createForm(ask, { surface });

describe("whatever is done to a form", () => {
  it("its state stays legal, and stamps only grow", () => {
    fc.assert(
      fc.property(anyAsk, script, fc.boolean(), (ask, throws, answerOnPick) => {
        const form = createForm(ask, { surface: "terminal", answerOnPick });
        expectLegal(form);
        play(form, throws, (before, _event, after) => {
          expectLegal(after);
          after.parts.forEach((part, index) => {
            expect(part.at).toBeGreaterThanOrEqual(before.parts[index]?.at ?? 0);
          });
        });
      }),
      { numRuns: 40 },
    );
  });

  it("keys lead to events that do something, or to none", () => {
    const keys = [...KEY_BINDINGS.flatMap((binding) => binding.keys), "1", "2", "9", "0", "q"];
    fc.assert(
      fc.property(
        anyAsk,
        script,
        fc.array(fc.constantFrom(...keys), { maxLength: 10 }),
        (ask, throws, pressed) => {
          const form = play(open(ask), throws);
          pressed.reduce((state, key) => {
            const event = eventForKey(state, key);
            if (event === undefined || state.phase.kind !== "open") return state;
            const after = updateForm(state, event, START);
            expectLegal(after);
            // Nothing is sent by a stray key.
            if (after.phase.kind === "sending") expect(SENDING_KEYS).toContain(key);
            return after;
          }, form);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("Enter goes on with what is marked, and with nothing else", () => {
    const choice = ({ parts, step }: FormState): unknown => {
      const part = parts[step];
      if (part?.kind === "answer") return [part.selected, part.own, part.skipped];
      return part?.kind === "decision" ? part.decision : undefined;
    };
    fc.assert(
      fc.property(anyAsk, script, script, (ask, throws, elsewhere) => {
        const draft = draftOf(play(open(ask, "page"), elsewhere));
        play(open(ask), throws, (before) => {
          for (const state of [before, updateForm(before, { type: "merge", draft }, START)]) {
            const { rows } = viewForm(state);
            const after = updateForm(state, { type: "confirm" }, START);
            const goesOn = after.phase.kind === "sending" || after.step !== state.step;
            const isMarked = rows.some((row) => "picked" in row && row.picked);
            const isSkip = rows.some((row) => row.cursor && row.key === "skip");
            if (goesOn && isMarked && !isSkip && state.panel === "steps")
              expect(choice({ ...after, step: state.step })).toEqual(choice(state));
          }
        });
      }),
      { numRuns: 40 },
    );
  });

  it("nothing typed is lost by moving and choosing, and nothing chosen by moving", () => {
    fc.assert(
      fc.property(anyAsk, script, (ask, throws) => {
        play(open(ask), throws, (before, event, after) => {
          if (event.type === "type" || event.type === "clear") return;
          expect(after.parts.map(textsOf)).toEqual(before.parts.map(textsOf));
          if (MOVING.some((type) => type === event.type)) {
            after.parts.forEach((part, index) => {
              const was = before.parts[index];
              // A text field that was chosen and left empty is the one choice that moving takes back.
              const blank = was?.kind === "answer" && was.own && was.text.trim() === "";
              if (!blank) expect(part).toEqual(was);
            });
          }
        });
      }),
      { numRuns: 40 },
    );
  });

  it("its draft restores to a form that sends the same", () => {
    fc.assert(
      fc.property(anyAsk, script, (ask, throws) => {
        const form = play(open(ask), throws);
        const restored = restore(form);
        expectLegal(restored);
        for (const panel of ["steps", "reply", "decline"] as const) {
          expect(checkForm(restored, panel)).toEqual(checkForm(form, panel));
        }
        expect(restored.parts).toEqual(form.parts);
        expect(restored.step).toBe(form.step);
        expect(parseDraft(draftOf(form)).ok).toBe(true);
        expect(needsSave(restored)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});

describe("any JSON as a draft", () => {
  it("makes a legal form", () => {
    fc.assert(
      fc.property(anyAsk, fc.jsonValue(), (ask, draft) => {
        expectLegal(createForm(ask, { surface: "terminal", draft }));
      }),
      { numRuns: 60 },
    );
  });

  it("makes a legal form also where it is nearly a draft, and merges into one", () => {
    fc.assert(
      fc.property(anyAsk, script, fc.nat(), (ask, throws, seed) => {
        const form = play(open(ask), throws);
        const draft = mutateJson([JSON.parse(JSON.stringify(draftOf(form)))], seed);
        expectLegal(createForm(ask, { surface: "page", draft }));
        expectLegal(updateForm(form, { type: "merge", draft }, START));
        expectLegal(updateForm(form, { type: "saved", draft }, START));
      }),
      { numRuns: 60 },
    );
  });
});

describe("drafts of several surfaces", () => {
  const three = fc.tuple(anyAsk, script, script, script);
  const merge = (state: FormState, other: FormState): FormState =>
    updateForm(state, { type: "merge", draft: JSON.parse(JSON.stringify(draftOf(other))) }, START);

  it("merge to the same, in any order and however often", () => {
    fc.assert(
      fc.property(three, ([ask, first, second, third]) => {
        const a = play(open(ask, "a"), first);
        // Two tabs of the same name.
        const b = play(open(ask, "a"), second);
        const c = play(open(ask, "c"), third);
        const ab = merge(a, b);
        expect(merge(b, a).parts).toEqual(ab.parts);
        expect(merge(ab, c).parts).toEqual(merge(a, merge(b, c)).parts);
        expect(merge(ab, ab).parts).toEqual(ab.parts);
        expect(merge(ab, b).parts).toEqual(ab.parts);
        expectLegal(ab);
      }),
      { numRuns: 40 },
    );
  });

  it("lose nothing that was typed here: it stands, or is kept", () => {
    fc.assert(
      fc.property(three, ([ask, first, second]) => {
        const blank = open(ask, "a");
        const a = play(blank, first);
        const merged = merge(a, play(open(ask, "b"), second));
        a.parts.forEach((part, index) => {
          if (part.at === 0) return;
          // Nobody has typed the arguments that the action came with.
          const given = textsOf(blank.parts[index] ?? part);
          const versions = [merged.parts[index] as Part, ...merged.kept];
          textsOf(part).forEach((text, field) => {
            if (text.trim() === "" || given.includes(text)) return;
            // Another surface may have added to a text. Arguments with something added are others.
            const isArgs = part.kind === "decision" && field === 0;
            const texts = versions.map((version) => textsOf(version)[field] ?? "");
            expect(texts).toContainEqual(isArgs ? text : expect.stringContaining(text));
          });
        });
      }),
      { numRuns: 40 },
    );
  });

  it("settle down when surfaces save what the server does not have, one over the other", () => {
    fc.assert(
      fc.property(three, ([ask, first, second, third]) => {
        let surfaces = [first, second, third].map((throws, index) => play(open(ask, `s${index}`), throws));
        let stored: unknown;
        for (let round = 0; round < 4; round += 1) {
          surfaces = surfaces.map((state) => {
            const merged =
              stored === undefined ? state : updateForm(state, { type: "merge", draft: stored }, START);
            if (!needsSave(merged)) return merged;
            stored = JSON.parse(JSON.stringify(draftOf(merged)));
            return updateForm(merged, { type: "saved", draft: stored }, START);
          });
        }
        const [one] = surfaces;
        for (const state of surfaces) {
          expect(needsSave(state)).toBe(false);
          expect(state.parts).toEqual(one?.parts);
        }
      }),
      { numRuns: 40 },
    );
  });
});

it("recognises its own answer when the stream reports it", () => {
  fc.assert(
    fc.property(arbitraryAsk(), script, (ask, throws) => {
      const sending = updateForm(play(open(ask), throws), { type: "submit" }, START);
      if (sending.phase.kind !== "sending" || sending.phase.ending.type !== "answer") return;
      const { answers, note } = sending.phase.ending;
      const outcome = { kind: "answered", answers, ...(note !== undefined && { note }), by: BY } as const;
      expect(viewForm(updateForm(sending, { type: "settled", outcome }, START)).ended?.ours).toBe(true);
    }),
    { numRuns: 50 },
  );
});
