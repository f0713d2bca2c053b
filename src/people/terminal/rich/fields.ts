// The text fields of a form. The form keeps their texts; here are the caret, what can be undone, and the column that
// moving up and down through rows tries to keep.

import { LIMITS } from "../../../core/kit/limits.js";
import type { FormEvent } from "../../form/event.js";
import type { LiveForm } from "../../form/live-form.js";
import type { Row } from "../../form/rows.js";
import type { TextField } from "../../form/state.js";
import { viewForm } from "../../form/view.js";
import { createEditor, type EditorAction, type EditorState, editText } from "../screen/editor.js";
import { rowAbove, rowBelow, viewEditor } from "../screen/editor-view.js";

export type FieldRow = Extract<Row, { kind: "text" | "field" }>;

export interface Fields {
  /** The field that keys go into. */
  current(): FieldRow | undefined;
  stateOf(row: FieldRow): EditorState;
  /** Returns how many characters there was no room for. */
  type(row: FieldRow, action: EditorAction): number;
  /** Moves the caret to the row above or below; false at the first and the last. */
  move(row: FieldRow, direction: "up" | "down", width: number): boolean;
}

const TEXT_LIMITS = {
  text: LIMITS.textLength,
  note: LIMITS.noteLength,
  overall: LIMITS.noteLength,
  message: LIMITS.reasonLength,
  reason: LIMITS.reasonLength,
  reply: LIMITS.textLength,
  // With indentation and escapes, as it is edited.
  args: LIMITS.argsLength * 2,
} satisfies Record<TextField, number>;

/** How long a text may be. */
export function mostText(field: TextField): number {
  return TEXT_LIMITS[field];
}

export function createFields(driver: Pick<LiveForm, "state">, dispatch: (event: FormEvent) => void): Fields {
  const editors = new Map<string, EditorState>();
  let column: number | undefined;
  const keyOf = (row: FieldRow): string => `${driver.state.panel}/${driver.state.step}/${row.key}`;

  const stateOf = (row: FieldRow): EditorState => {
    const known = editors.get(keyOf(row));
    if (known?.text === row.value) return known;
    // Another surface has changed the text; the caret stays as near as it can.
    const fresh = createEditor(row.value);
    const caret = known === undefined ? fresh.caret : Math.min(known.caret, fresh.caret);
    const placed = editText(
      fresh,
      { kind: "place", caret },
      { mostLength: fresh.text.length, multiline: true },
    );
    editors.set(keyOf(row), placed);
    return placed;
  };
  const edit = (row: FieldRow, action: EditorAction): EditorState => {
    const after = editText(stateOf(row), action, { mostLength: mostText(row.field), multiline: true });
    editors.set(keyOf(row), after);
    return after;
  };
  return {
    stateOf,
    current() {
      const row = viewForm(driver.state).rows.find(({ cursor }) => cursor);
      return row !== undefined && "typing" in row && row.typing ? row : undefined;
    },
    type(row, action) {
      column = undefined;
      const { text, refused } = edit(row, action);
      if (text !== row.value) dispatch({ type: "type", field: row.field, text });
      return refused;
    },
    move(row, direction, width) {
      const state = stateOf(row);
      column ??= viewEditor(state, { width, height: Number.MAX_SAFE_INTEGER }).cursor.column;
      const caret = (direction === "up" ? rowAbove : rowBelow)(state, width, column);
      if (caret === undefined) column = undefined;
      else edit(row, { kind: "place", caret });
      return caret !== undefined;
    },
  };
}
