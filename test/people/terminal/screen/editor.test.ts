import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { graphemes, textWidth } from "../../../../src/people/cells/width.ts";
import {
  createEditor,
  type EditorAction,
  type EditorState,
  editText,
} from "../../../../src/people/terminal/screen/editor.ts";
import { editorAction } from "../../../../src/people/terminal/screen/editor-keys.ts";
import { rowAbove, rowBelow, viewEditor } from "../../../../src/people/terminal/screen/editor-view.ts";
import type { KeyEvent } from "../../../../src/people/terminal/screen/keys.ts";

const options = { mostLength: 100, multiline: true };

/** `|` is the caret. */
function editor(text: string): EditorState {
  const caret = text.indexOf("|");
  return { ...createEditor(text.replace("|", "")), caret: caret < 0 ? text.length : caret };
}

const show = ({ text, caret }: EditorState): string => `${text.slice(0, caret)}|${text.slice(caret)}`;

const run = (text: string, ...actions: readonly EditorAction[]): string =>
  show(actions.reduce((state, action) => editText(state, action, options), editor(text)));

const key = (name: string): KeyEvent => {
  const parts = name.split("+");
  return {
    kind: "key",
    key: parts.at(-1) ?? "",
    ctrl: parts.includes("ctrl"),
    alt: parts.includes("alt"),
    shift: parts.includes("shift"),
  };
};

const press = (text: string, ...names: readonly string[]): string =>
  run(
    text,
    ...names.map((name): EditorAction => editorAction(key(name)) ?? { kind: "insert", text: `<${name}>` }),
  );

describe("editing by keys", () => {
  it.each([
    ["ab|", "c", "abc|"],
    ["a|b", "left", "|ab"],
    ["a|b", "ctrl+f", "ab|"],
    ["one two|", "alt+b", "one |two"],
    ["one, two|", "ctrl+left", "one, |two"],
    ["|one two", "alt+f", "one| two"],
    ["a\nb c|d\ne", "home", "a\n|b cd\ne"],
    ["a\nb c|d\ne", "ctrl+e", "a\nb cd|\ne"],
    ["a\nb|", "alt+<", "|a\nb"],
    ["|a\nb", "ctrl+end", "a\nb|"],
    ["ab|c", "backspace", "a|c"],
    ["ab|c", "ctrl+h", "a|c"],
    ["a|bc", "ctrl+d", "a|c"],
    ["a |\nb", "delete", "a |b"],
    ["one two-three|", "ctrl+w", "one |"],
    ["one two-three|", "alt+backspace", "one two-|"],
    ["|one two", "alt+d", "| two"],
    ["a\nb|c\nd", "ctrl+k", "a\nb|\nd"],
    ["a\nb|\nd", "ctrl+k", "a\nb|d"],
    ["a\nbc|d", "ctrl+u", "a\n|d"],
    ["a|b", "shift+enter", "a\n|b"],
    ["a|b", "ctrl+j", "a\n|b"],
    ["a|b", "shift+left", "|ab"],
    ["👨‍👩‍👧‍👦|", "backspace", "|"],
    ["e\u0301|", "left", "|e\u0301"],
    ["|🇻🇳🇩🇪", "right", "🇻🇳|🇩🇪"],
    ["日本語|", "alt+b", "|日本語"],
  ])("%j with %s gives %j", (text, name, expected) => {
    expect(press(text, name)).toBe(expected);
  });

  it("has no meaning for keys that belong to the form", () => {
    for (const name of ["enter", "tab", "shift+tab", "escape", "up", "ctrl+c", "ctrl+enter", "constructor"]) {
      expect(editorAction(key(name))).toBeUndefined();
    }
  });

  it("brings back what was killed, as one text where kills follow one another", () => {
    expect(press("one two three|", "ctrl+w", "ctrl+w", "ctrl+a", "ctrl+y")).toBe("two three|one ");
    expect(press("a|b\nc", "ctrl+k", "ctrl+k", "ctrl+k", "ctrl+y", "ctrl+y")).toBe("ab\ncb\nc|");
    expect(press("one two|", "ctrl+w", "left", "ctrl+w", "ctrl+y")).toBe("one| ");
  });

  it("undoes typing word by word, and everything else one by one", () => {
    const typed = ["a", "b", " ", "c", "d"];
    expect(press("|", ...typed, "ctrl+_")).toBe("ab|");
    expect(press("|", ...typed, "ctrl+_", "ctrl+_")).toBe("|");
    expect(press("ab|c", "backspace", "backspace", "ctrl+_")).toBe("a|c");
    expect(press("ab cd|", "ctrl+w", "ctrl+_")).toBe("ab cd|");
    expect(press("|", "ctrl+_")).toBe("|");
  });

  it("takes a paste as it is, but for control characters", () => {
    const paste = editorAction({ kind: "paste", text: "a\r\nb\tc\x1b[2J\u0000", cut: false });
    expect(paste && run("x|y", paste)).toBe("xa\nb\tc[2J|y");
  });

  it("has one line where only one is wanted", () => {
    const state = editText(
      createEditor(),
      { kind: "insert", text: "a\n\nb" },
      { ...options, multiline: false },
    );
    expect(state.text).toBe("a b");
  });

  it("says how much there was no room for, and cuts no character in half", () => {
    const small = { mostLength: 4, multiline: true };
    const full = editText(editor("ab|"), { kind: "insert", text: "c👍d" }, small);
    expect([full.text, full.refused]).toEqual(["abc", 3]);
    const still = editText(full, { kind: "insert", text: "👍" }, small);
    expect([still.text, still.refused]).toEqual(["abc", 2]);
    expect(editText(still, { kind: "move", to: "left" }, small).refused).toBe(0);
  });
});

describe("a text field on the screen", () => {
  it("wraps between words, and puts the caret into its cell", () => {
    expect(viewEditor(editor("one two three| four"), { width: 10, height: 5 })).toMatchObject({
      rows: ["one two ", "three ", "four"],
      cursor: { row: 1, column: 5 },
      first: 0,
      count: 3,
    });
    expect(viewEditor(editor("日本|語"), { width: 6, height: 5 })).toMatchObject({
      rows: ["日本", "語"],
      cursor: { row: 1, column: 0 },
    });
    expect(viewEditor(editor("a\tb|\u001b"), { width: 20, height: 5 })).toMatchObject({
      rows: ["a    b\uFFFD"],
      cursor: { row: 0, column: 6 },
    });
    expect(viewEditor(editor("a\n|"), { width: 20, height: 5 })).toMatchObject({
      rows: ["a", ""],
      cursor: { row: 1, column: 0 },
    });
  });

  it("scrolls as little as it must", () => {
    const space = { width: 20, height: 2 };
    const at = (text: string, first: number): readonly unknown[] => {
      const view = viewEditor(editor(text), space, first);
      return [view.first, view.cursor.row, view.rows];
    };
    expect(at("a\nb\nc\nd|", 0)).toEqual([2, 1, ["c", "d"]]);
    expect(at("a\nb\nc|\nd", 2)).toEqual([2, 0, ["c", "d"]]);
    expect(at("a\nb|\nc\nd", 2)).toEqual([1, 0, ["b", "c"]]);
    expect(at("a|", 2)).toEqual([0, 0, ["a"]]);
  });

  it("moves a row up or down in the same column", () => {
    const move = (text: string, to: typeof rowAbove, column?: number): string | undefined => {
      const state = editor(text);
      const caret = to(state, 10, column);
      return caret === undefined ? undefined : show({ ...state, caret });
    };
    expect(move("abc\nde|f", rowAbove)).toBe("ab|c\ndef");
    expect(move("abcd|\nef", rowBelow)).toBe("abcd\nef|");
    expect(move("ab\nc|", rowAbove, 2)).toBe("ab|\nc");
    expect(move("one two| three", rowBelow)).toBe("one two three|");
    expect(move("a|", rowAbove)).toBeUndefined();
    expect(move("a|", rowBelow)).toBeUndefined();
    expect(move("日本\nabc|", rowAbove)).toBe("日|本\nabc");
  });
});

const text = fc.string({
  unit: fc.constantFrom("a", "b", " ", "\n", "日", "👍🏽", "e", "\u0301", "ש", "\t", "-"),
  maxLength: 12,
});
const reach = fc.constantFrom(
  ...([
    "left",
    "right",
    "word left",
    "word right",
    "blank word left",
    "line start",
    "line end",
    "text start",
    "text end",
  ] as const),
);
const action: fc.Arbitrary<EditorAction> = fc.oneof(
  fc.record({ kind: fc.constant("insert" as const), text }),
  fc.record({ kind: fc.constantFrom("move" as const, "delete" as const, "kill" as const), to: reach }),
  fc.record({ kind: fc.constant("place" as const), caret: fc.integer({ min: -5, max: 120 }) }),
  fc.record({ kind: fc.constantFrom("yank" as const, "undo" as const) }),
);

function boundaries(whole: string): ReadonlySet<number> {
  const all = new Set([0]);
  let offset = 0;
  for (const grapheme of graphemes(whole)) {
    offset += grapheme.length;
    all.add(offset);
  }
  return all;
}

describe("any sequence of actions", () => {
  const edited = (actions: readonly EditorAction[]): EditorState =>
    actions.reduce((state, next) => editText(state, next, options), createEditor());

  it("keeps the caret between two characters and the text within its bound", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
        const state = edited(actions);
        expect(boundaries(state.text).has(state.caret)).toBe(true);
        expect(state.text.length).toBeLessThanOrEqual(100);
      }),
      { numRuns: 500 },
    );
  });

  it("can be shown: every row within the width, every character in a row, the caret in view", () => {
    fc.assert(
      fc.property(
        fc.array(action, { maxLength: 20 }),
        fc.integer({ min: 3, max: 20 }),
        fc.integer({ min: 1, max: 6 }),
        fc.nat(10),
        (actions, width, height, first) => {
          const state = edited(actions);
          const view = viewEditor(state, { width, height }, first);
          expect(view.rows.length).toBeLessThanOrEqual(height);
          for (const row of view.rows) expect(textWidth(row)).toBeLessThanOrEqual(width);
          expect(view.cursor.row).toBeLessThan(view.rows.length);
          expect(view.cursor.column).toBeLessThan(width);
          const all = viewEditor(state, { width, height: 1_000 });
          expect(all.rows.join("").replace(/\s/g, "")).toBe(state.text.replace(/\s/g, ""));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("is undone to where it began", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
        const changes = actions.filter(({ kind }) => kind !== "undo");
        const undos = Array.from({ length: 40 }, (): EditorAction => ({ kind: "undo" }));
        expect(edited([...changes, ...undos]).text).toBe("");
      }),
    );
  });

  it("gives back by yank what was killed, where it was killed", () => {
    fc.assert(
      fc.property(text, fc.nat(12), reach, (whole, caret, to) => {
        const start = editText(createEditor(whole), { kind: "place", caret }, options);
        const killed = editText(start, { kind: "kill", to }, options);
        if (killed === start) return;
        const yanked = editText(killed, { kind: "yank" }, options).text;
        // What a kill joins into one grapheme has no place for a caret inside: there, nothing may be lost.
        const count = (text: string): number => [...graphemes(text)].length;
        const joined = count(killed.text) + count(killed.killed) !== count(whole);
        if (joined) expect([...yanked].sort()).toEqual([...whole].sort());
        else expect(yanked).toBe(whole);
      }),
    );
  });

  it("goes up and down through every row", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 3, max: 8 }), (whole, width) => {
        let state = editText(createEditor(whole), { kind: "move", to: "text start" }, options);
        const { count } = viewEditor(state, { width, height: 1_000 });
        for (let row = 0; row < count; row += 1) {
          expect(viewEditor(state, { width, height: 1_000 }).cursor.row).toBe(row);
          const caret = rowBelow(state, width);
          expect(caret === undefined).toBe(row === count - 1);
          if (caret !== undefined) state = editText(state, { kind: "place", caret }, options);
        }
        for (let row = count - 2; row >= 0; row -= 1) {
          state = editText(state, { kind: "place", caret: rowAbove(state, width) ?? -1 }, options);
          expect(viewEditor(state, { width, height: 1_000 }).cursor.row).toBe(row);
        }
      }),
      { numRuns: 300 },
    );
  });
});
