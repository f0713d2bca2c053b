import { describe, expect, it } from "vitest";
import { eventForKey, KEY_BINDINGS, keyName, keysNow } from "../../../src/people/form/keys.js";
import { AUTH, drive, LANGUAGES, MAIL, open, press, type, WHY } from "./drive.ts";

describe("keys", () => {
  it.each([
    [{ key: "ArrowUp" }, "up"],
    [{ key: "up", shift: false }, "up"],
    [{ key: " " }, "space"],
    [{ key: "Enter", ctrl: true }, "ctrl+enter"],
    [{ key: "tab", shift: true }, "shift+tab"],
    [{ key: "R", shift: true }, "R"],
    [{ key: "S", ctrl: true, shift: true }, "ctrl+s"],
    [{ key: "*", shift: true }, "*"],
    [{ key: "Escape" }, "escape"],
    [{ key: "é" }, "é"],
  ])("%j is called %s", (key, name) => {
    expect(keyName(key)).toBe(name);
  });

  it("have one meaning each", () => {
    const keys = KEY_BINDINGS.flatMap((binding) => binding.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("are text inside a text field: digits, letters, space and the arrows of the caret", () => {
    const typing = press(open({ questions: [AUTH, WHY] }), "3");
    for (const key of ["1", "9", "a", "d", "n", "R", "space", "backspace", "left", "home"]) {
      expect(eventForKey(typing, key)).toBeUndefined();
    }
    expect(keysNow(typing).map(({ keys }) => keys[0])).toEqual([
      "up",
      "down",
      "enter",
      "escape",
      "tab",
      "shift+tab",
      "ctrl+enter",
    ]);
  });

  it("are commands again once the field is left", () => {
    const left = press(type(press(open({ questions: [AUTH] }), "3"), "12"), "escape");
    expect(eventForKey(left, "1")).toEqual({ type: "pick", row: "option:o1" });
  });

  it("take a pick of several back by the same digit, and open the text field by its own", () => {
    const form = open({ questions: [LANGUAGES] });
    const part = (state: typeof form) => state.parts[0];
    expect(part(press(form, "1", "2", "1"))).toMatchObject({ selected: ["o2"] });
    expect(press(type(press(form, "5"), "Zig"), "escape", "5")).toMatchObject({ typing: true });
    expect(part(press(type(press(form, "5"), "Zig"), "escape", "5"))).toMatchObject({ own: true });
  });

  it("mean nothing while the form is being sent", () => {
    const sending = press(open({ questions: [AUTH] }), "enter");
    for (const key of ["1", "enter", "escape", "d"]) expect(eventForKey(sending, key)).toBeUndefined();
  });

  it("start typing at once where the cursor comes to a text field", () => {
    const there = press(open({ questions: [AUTH] }), "down", "down");
    expect(eventForKey(there, "d")).toBeUndefined();
    expect(there.typing).toBe(true);
  });

  it("do nothing where they have nothing to do", () => {
    const form = open({ questions: [AUTH] });
    for (const key of ["a", "e", "x", "s", "v", "tab", "left", "9", "0", "q", ""]) {
      expect(eventForKey(form, key)).toBeUndefined();
    }
    const full = press(open({ questions: [LANGUAGES] }), "1", "2", "3");
    expect(eventForKey(full, "4")).toBeUndefined();
    expect(keysNow(open(MAIL)).map(({ intent }) => intent)).toEqual(
      expect.arrayContaining(["approve", "edit", "reject"]),
    );
  });

  it("never leave the form by Escape", () => {
    const form = open({ questions: [AUTH] });
    expect(eventForKey(form, "escape")).toBeUndefined();
    expect(drive(form, { type: "leave" })).toBe(form);
  });
});
