import { describe, expect, it } from "vitest";
import { draftOf } from "../../../src/people/form/draft.js";
import { argsText } from "../../../src/people/form/json-text.js";
import { eventForKey } from "../../../src/people/form/keys.js";
import type { FormState } from "../../../src/people/form/state.js";
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
  problems,
  sent,
  type,
} from "./drive.ts";

/** What another surface saves after these keys, merged into the form. */
function elsewhere(
  form: FormState,
  input: Parameters<typeof open>[0],
  ...keys: readonly string[]
): FormState {
  const page = press(open(input, { surface: "page", draft: draftOf(form) }), ...keys);
  return drive(form, { type: "merge", draft: draftOf(page) });
}

const ONE = { questions: [AUTH] };
const selected = (state: FormState) => sent(state) as { answers: readonly object[] };

describe("Enter sent another option than the marked one", () => {
  it("a draft that arrives takes the cursor to its pick", () => {
    const merged = elsewhere(open(ONE), ONE, "2");
    expect(lines(merged).slice(0, 2)).toEqual(["   option:o1 (recommended)", ">x option:o2"]);
    expect(selected(press(merged, "enter")).answers).toMatchObject([{ selected: ["o2"] }]);
  });

  it("own words that arrive are sent by Enter, and take no keys", () => {
    const page = type(press(open(ONE, { surface: "page" }), "3"), "SAML");
    const merged = drive(open(ONE), { type: "merge", draft: draftOf(page) });
    expect(merged.typing).toBe(false);
    expect(selected(press(merged, "enter")).answers).toMatchObject([{ text: "SAML" }]);
  });

  it("a row beside the marked one is only marked by the first Enter", () => {
    const moved = press(open(ONE), "2", "up");
    const marked = press(moved, "enter");
    expect(marked.phase.kind).toBe("open");
    expect(lines(marked).slice(0, 2)).toEqual([">x option:o1 (recommended)", "   option:o2"]);
    expect(selected(press(marked, "enter")).answers).toMatchObject([{ selected: ["o1"] }]);
  });

  it("what is being typed is not sent in the place of a pick that arrives", () => {
    const typing = type(press(open(ONE), "3"), "mTLS");
    const merged = elsewhere(typing, ONE, "escape", "2");
    expect(lines(merged)[1]).toBe(" x option:o2");
    expect(merged.typing).toBe(true);
    const marked = press(merged, "enter");
    expect(marked.phase.kind).toBe("open");
    expect(selected(press(marked, "enter")).answers).toMatchObject([{ text: "mTLS" }]);
  });

  it("picking what is recommended and taking back a choice move the cursor, too", () => {
    expect(lines(press(open(ONE), "down", "r"))[0]).toBe(">x option:o1 (recommended)");
    const replaced = elsewhere(press(open(ONE), "1"), ONE, "2");
    expect(lines(drive(replaced, { type: "recall", kept: 0 }))[0]).toBe(">x option:o1 (recommended)");
  });

  it("a note that arrives leaves the cursor alone", () => {
    const moved = press(open(ONE), "2", "up");
    const page = type(press(open(ONE, { surface: "page", draft: draftOf(moved) }), "n"), "cheap");
    expect(drive(moved, { type: "merge", draft: draftOf(page) }).cursor).toBe(moved.cursor);
  });

  it("several picks that arrive are sent as they are marked", () => {
    const input = { questions: [LANGUAGES] };
    const merged = elsewhere(press(open(input), "down"), input, "3", "4");
    expect(merged.cursor).toBe("option:o2");
    expect(selected(press(merged, "enter")).answers).toMatchObject([{ selected: ["o3", "o4"] }]);
  });

  it("a decision that arrives leaves no row under the cursor, and Enter decides nothing", () => {
    for (const [here, there] of [
      ["down", "x"],
      ["end", "a"],
    ] as const) {
      const merged = elsewhere(press(open(MAIL), here), MAIL, there);
      expect(merged.cursor).toBe("");
      expect(eventForKey(merged, "enter")).toBeUndefined();
      expect(drive(merged, { type: "confirm" }).phase.kind).toBe("open");
    }
  });

  it("Enter in a reason does not approve what was approved elsewhere meanwhile", () => {
    const rejecting = type(press(open(MAIL), "x"), "too late");
    const merged = elsewhere(rejecting, MAIL, "a");
    const again = press(merged, "enter");
    expect(again.phase.kind).toBe("open");
    expect(sent(press(again, "enter"))).toMatchObject({
      decisions: [{ kind: "reject", message: "too late" }],
    });
  });
});

describe("a held Enter approved", () => {
  it("an approval opens with no row under the cursor, also one that was decided elsewhere", () => {
    const decided = draftOf(press(open(MAIL, { surface: "page" }), "a"));
    for (const form of [open(MAIL), open(MAIL, { draft: decided }), press(open(MAIL_AND_DROP), "tab")]) {
      expect(viewForm(form).rows.some(({ cursor }) => cursor)).toBe(false);
      expect(viewForm(form).can.confirm).toBe(false);
      expect(drive(form, { type: "confirm" })).toBe(form);
      expect(drive(form, { type: "toggle" })).toBe(form);
      expect(lines(press(form, "down"))[0]).toMatch(/^>. approve/);
    }
  });

  it("stops at the next action", () => {
    const second = press(open(MAIL_AND_DROP), "down", "enter");
    expect(second).toMatchObject({ step: 1, cursor: "" });
    // Back at what was decided here, Enter goes on again.
    expect(press(second, "shift+tab", "enter").step).toBe(1);
  });
});

describe("an action was approved unseen", () => {
  const form = open(MAIL, { reportsShown: true });
  const own = argsText(MAIL.approval.actions[0]?.args ?? {});
  const shown = (id: string, args: string) => ({ type: "shown", id, args }) as const;
  const changed = '{\n  "to": "ben"\n}';

  it("is approved only after its arguments have been on the screen", () => {
    const tried = press(form, "a", "enter");
    expect(tried.phase.kind).toBe("open");
    expect(problems(tried)).toEqual(["not_shown at choice"]);
    const read = drive(tried, shown("a1", own));
    expect(problems(read)).toEqual([]);
    expect(sent(press(read, "enter"))).toMatchObject({ decisions: [{ kind: "approve" }] });
    for (const end of [drive(form, { type: "approve" }, { type: "submit" }), press(form, "a", "ctrl+s")])
      expect(end.phase.kind).toBe("open");
  });

  it("is rejected, declined and replied to unread", () => {
    expect(sent(press(form, "x", "enter")).type).toBe("decide");
    expect(sent(press(form, "d", "enter", "enter")).type).toBe("decline");
    expect(sent(press(type(press(form, "c"), "why?"), "enter")).type).toBe("reply");
  });

  it("needs the changed arguments where they are what is approved, no matter who changed them", () => {
    const read = drive(form, shown("a1", own));
    const edited = type(press(read, "e"), changed);
    expect(problems(press(edited, "ctrl+s"))).toEqual(["not_shown at choice"]);
    expect(sent(press(drive(edited, shown("a1", changed)), "ctrl+s"))).toMatchObject({
      decisions: [{ kind: "edit", args: { to: "ben" } }],
    });
    const page = type(press(open(MAIL, { surface: "page" }), "e"), changed);
    const merged = drive(read, { type: "merge", draft: draftOf(page) }, { type: "submit" });
    expect(problems(merged)).toEqual(["not_shown at choice"]);
    // What was shown before a change is not what is sent after it; the agent's own stay known.
    const later = type(drive(edited, shown("a1", changed)), '{"to":"eve"}');
    expect(press(drive(later, shown("a1", '{"to":"eve"}'), shown("a1", changed)), "ctrl+s").phase.kind).toBe(
      "open",
    );
    expect(later.shown).toEqual([
      { id: "a1", args: own },
      { id: "a1", args: changed },
    ]);
  });

  it("leads from the review to the action that was not read", () => {
    const draft = draftOf(press(open(MAIL_AND_DROP, { surface: "page" }), "a", "tab", "a", "tab"));
    const review = open(MAIL_AND_DROP, { reportsShown: true, draft });
    const read = drive(review, shown("a1", argsText({ to: "ana" })));
    expect(viewForm(read).step.kind).toBe("review");
    const led = press(read, "enter");
    expect(led).toMatchObject({ step: 1, phase: { kind: "open" } });
    expect(problems(led)).toEqual(["not_shown at choice"]);
    const whole = drive(led, shown("a2", argsText({ table: "users" })), shown("nobody", "{}"));
    expect(sent(press(whole, "ctrl+s"))).toMatchObject({ type: "decide" });
  });

  it("is left to surfaces that do not report what they show", () => {
    expect(sent(press(open(MAIL), "a", "enter")).type).toBe("decide");
  });
});
