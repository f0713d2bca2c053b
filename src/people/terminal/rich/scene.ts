// What a frame is made of: the form as it stands, and the terminal it is shown on.

import type { FormWords } from "../../../core/words/form.js";
import type { LiveForm } from "../../form/live-form.js";
import type { FormState } from "../../form/state.js";
import type { FormView } from "../../form/view.js";
import type { EditorState } from "../screen/editor.js";
import type { Size } from "../screen/painter.js";
import type { KeyItem } from "./key-list.js";
import type { Glyphs } from "./text.js";

export interface Scene {
  readonly state: FormState;
  readonly view: FormView;
  readonly size: Size;
  readonly words: FormWords;
  readonly locale: string | undefined;
  readonly glyphs: Glyphs;
  readonly context: string | undefined;
  /** Milliseconds until the deadline; undefined without one. */
  readonly left: number | undefined;
  readonly saving: LiveForm["saving"];
  readonly notice: string | undefined;
  /** For how long the decision counts; undefined if that cannot be chosen. */
  readonly remembering: string | undefined;
  /** The question that stands in the footer's place, and its keys. */
  readonly prompt: { readonly text: string; readonly keys: readonly KeyItem[] } | undefined;
  readonly editor?: { readonly state: EditorState; readonly first: number } | undefined;
  readonly scroll: Scroll;
}

/** Where the last frame stood, so that the next one stands still. */
export interface Scroll {
  readonly list: number;
  /** The first row that is shown of an action that does not fit. */
  readonly title: number;
  /** How many rows of it are shown. */
  readonly titleHeight: number;
  readonly preview: number;
  /** The first row that is shown of the text field, and how wide it is. */
  readonly field: number;
  readonly fieldWidth: number;
  /** The frame is not lower than this. */
  readonly height: number;
}

export const AT_TOP: Scroll = {
  ...{ list: 0, title: 0, titleHeight: 1, preview: 0 },
  ...{ field: 0, fieldWidth: 1, height: 0 },
};

/** A page up or down in what scrolls: the preview, or an action, of which one row stays so that none is passed over. */
export function turned(scroll: Scroll, way: -1 | 1, rows: number): Scroll {
  const { title, titleHeight, preview } = scroll;
  const [toTitle, toPreview] = [title + way * Math.max(1, titleHeight - 1), preview + way * rows];
  return { ...scroll, title: Math.max(0, toTitle), preview: Math.max(0, toPreview) };
}
