// A form on a terminal that has a cursor: keys in, frames out. What an answer is, the form decides; here are the
// caret, pages to read, the person's own editor, and when to ask before something is lost.
//
// waiting --250 ms without a key--> open    (keys act, and the real cursor is shown)
// open    --o, ?-->              reading    (a page over the form) --Esc--> open
// open    --Esc-->               leaving?   (asks first)           --q--> left, any other key--> open
// open    --Ctrl+G-->            editing    (the terminal is the editor's) --> open
// any     --settled, signal, Ctrl+C, the terminal ends--> closed

import type { Clock } from "../../../core/kit/clock.js";
import { formWords } from "../../../core/words/form.js";
import type { FormEvent } from "../../form/event.js";
import { eventForKey, keyName } from "../../form/keys.js";
import type { LiveForm } from "../../form/live-form.js";
import type { FormState } from "../../form/state.js";
import { viewForm } from "../../form/view.js";
import { rememberingOf } from "../remembering.js";
import type { Capabilities } from "../screen/capabilities.js";
import type { EditorAction } from "../screen/editor.js";
import { editorAction } from "../screen/editor-keys.js";
import type { Key } from "../screen/key-sequences.js";
import { createKeyDecoder, type KeyEvent } from "../screen/keys.js";
import { type Frame, painterFor } from "../screen/painter.js";
import type { Terminal } from "../screen/terminal.js";
import { type Quiet, whenQuiet } from "../screen/when-quiet.js";
import { textsOf } from "./action.js";
import { createDigits } from "./digits.js";
import type { Edited } from "./external-editor.js";
import { createFields, type FieldRow, mostText } from "./fields.js";
import { LEAVING_KEYS } from "./key-list.js";
import { layOut } from "./layout.js";
import { helpPage, type Page, pageFrame, readingPage } from "./page.js";
import { AT_TOP, type Scene, turned } from "./scene.js";
import { createSeen } from "./seen.js";
import { glyphsOf, loadMarkdown } from "./text.js";

/** What the surface drives: a form in memory, or a `LiveForm`. */
export type FormDriver = Pick<LiveForm, "state" | "saving" | "dispatch">;

export type RichEnding =
  /** The ask has ended; `driver.state.phase` says how. */
  | { readonly kind: "settled" }
  /** The person left without an answer. */
  | { readonly kind: "left" }
  /** Ctrl+C. */
  | { readonly kind: "interrupted" }
  /** Nobody can type or read any more. */
  | { readonly kind: "ended" }
  | { readonly kind: "aborted" };

export interface RichOptions {
  readonly terminal: Terminal;
  readonly capabilities: Capabilities;
  readonly clock: Clock;
  readonly context: string | undefined;
  /** When the ask expires, in milliseconds since the epoch. */
  readonly deadline: number | undefined;
  readonly locale: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Leaving does not end the ask: it stays pending. */
  readonly staysPending: boolean;
  /** Runs the person's editor; the terminal is closed meanwhile. */
  readonly edit: (text: string, name: string) => Promise<Edited>;
}

export interface RichForm {
  readonly ended: Promise<RichEnding>;
  /** Call it after every change of the driver. */
  changed(): void;
}

/** Shows the form until it ends. The screen is as it was before, but for what was there already. */
export async function openRichForm(driver: FormDriver, options: RichOptions): Promise<RichForm> {
  const { terminal, capabilities, clock, locale, signal } = options;
  await loadMarkdown(markdownOf(driver.state, options.context));
  const words = formWords(locale);
  const glyphs = glyphsOf(capabilities.unicode);
  const sizeNow = () => ({ columns: terminal.columns, rows: terminal.rows });
  const painter = painterFor(capabilities, sizeNow());
  let mode: "waiting" | "open" | "leaving" | "editing" | "closed" = "waiting";
  let page: Page | undefined;
  let scroll = AT_TOP;
  let place = "";
  let notice: string | undefined;
  let receiving = false;
  let finish: (ending: RichEnding) => void = () => undefined;
  let guard: Quiet | undefined;
  let cancelTime = (): void => undefined;
  const ended = new Promise<RichEnding>((resolve) => {
    finish = resolve;
  });

  const close = (ending: RichEnding): void => {
    if (mode === "closed") return;
    if (mode !== "editing") terminal.write(painter.clear());
    mode = "closed";
    guard?.cancel();
    cancelTime();
    digits.close();
    keys.close();
    signal?.removeEventListener("abort", abort);
    terminal.close();
    finish(ending);
  };
  const abort = (): void => close({ kind: "aborted" });

  const timeLeft = (): number | undefined =>
    options.deadline === undefined ? undefined : Math.max(0, options.deadline - clock.now());

  /** A person who was told to read on, or led to what was not read, learns when that was all. */
  const look = (lines: Frame["lines"]): boolean => {
    const isMissing = viewForm(driver.state).issues.some(({ code }) => code === "not_shown");
    if (!seen.look(lines)) return false;
    if (isMissing) notice = words.readNow;
    return true;
  };
  const paint = (): void => {
    if (mode === "closed" || mode === "editing") return;
    const view = viewForm(driver.state);
    if (page !== undefined) {
      const shown = pageFrame(page, sizeNow(), words, glyphs);
      page = shown.page;
      look(shown.frame.lines);
      terminal.write(painter.paint(shown.frame));
      return;
    }
    const here = `${driver.state.panel}/${driver.state.step}/${terminal.columns}x${terminal.rows}`;
    if (here !== place) scroll = AT_TOP;
    place = here;
    const row = fields.current();
    const scene: Scene = {
      state: driver.state,
      view,
      size: sizeNow(),
      words,
      locale,
      glyphs,
      context: options.context,
      left: timeLeft(),
      saving: driver.saving,
      remembering: rememberingOf(driver.state, locale)?.text,
      notice: digits.typed === "" ? notice : `${digits.typed}_`,
      prompt: mode === "leaving" ? { text: leavingText(), keys: LEAVING_KEYS } : undefined,
      editor: row && { state: fields.stateOf(row), first: scroll.field },
      scroll,
    };
    const layout = layOut(scene);
    scroll = layout.scroll;
    const { lines, cursor } = layout.frame;
    // The cursor appears when keys begin to act.
    if (look(lines)) paint();
    else
      terminal.write(
        painter.paint(mode === "waiting" || view.phase === "sending" ? { lines } : { lines, cursor }),
      );
  };
  const leavingText = (): string => {
    if (!options.staysPending) return words.leaving;
    return driver.saving === "failed" ? words.leavingUnsaved : words.leavingPending;
  };

  /** Repaints when the countdown shows another text, and not oftener. */
  const followTime = (): void => {
    const left = timeLeft();
    if (left === undefined || left === 0 || mode === "closed") return;
    const step = left > 60_000 ? 60_000 : 10_000;
    cancelTime = clock.schedule(Math.max(1_000, left % step || step), () => {
      paint();
      followTime();
    });
  };

  const dispatch = (event: FormEvent): void => {
    const before = driver.state;
    driver.dispatch(event);
    if (driver.state.cursor !== before.cursor) scroll = { ...scroll, preview: 0, field: 0 };
  };

  const seen = createSeen(driver);
  const digits = createDigits(driver, clock, dispatch, paint);
  const fields = createFields(driver, dispatch);
  const type = (row: FieldRow, action: EditorAction): void => {
    const refused = fields.type(row, action);
    notice = refused > 0 ? words.tooMuch(refused) : undefined;
  };

  const pageRows = (): number => Math.max(1, Math.floor(terminal.rows / 3));
  const typeKey = (row: FieldRow, event: KeyEvent & { readonly kind: "key" }): void => {
    const name = keyName(event);
    // Up and down move inside of a text first; only from its first and last row they leave it.
    if ((name === "up" || name === "down") && fields.move(row, name, scroll.fieldWidth)) return;
    if (name === "pageup" || name === "pagedown") {
      const direction = name === "pageup" ? "up" : "down";
      for (let left = pageRows(); left > 0 && fields.move(row, direction, scroll.fieldWidth); left -= 1);
      return;
    }
    if (name === "enter" && row.field === "args") {
      type(row, { kind: "insert", text: "\n" });
      return;
    }
    const action = editorAction(event);
    const meaning = action === undefined ? eventForKey(driver.state, name) : undefined;
    if (meaning !== undefined) dispatch(meaning);
    else if (action !== undefined) type(row, action);
  };

  const read = (): void => {
    const counts = rememberingOf(driver.state, locale)?.text;
    page = readingPage(driver.state, viewForm(driver.state), options.context, words, glyphs, counts);
  };
  const rememberNext = (): void => {
    const { choices = [], chosen = 0 } = rememberingOf(driver.state, locale) ?? {};
    const next = choices[(chosen + 1) % choices.length];
    if (next !== undefined) dispatch({ type: "remember", remember: next.remember });
  };

  const chooseKey = (event: Key): void => {
    const name = keyName(event);
    if (/^\d$/.test(name)) {
      digits.type(name);
      return;
    }
    if (digits.typed !== "") {
      digits.pick();
      if (name === "enter") return;
    }
    const view = viewForm(driver.state);
    switch (name) {
      case "o":
        read();
        return;
      case "?":
        page = helpPage(driver.state, words, rememberingOf(driver.state, locale) !== undefined);
        return;
      case "m":
        rememberNext();
        return;
      case "u":
        if (view.kept[0] !== undefined) dispatch({ type: "recall", kept: view.kept[0].index });
        return;
      case "pageup":
      case "pagedown":
        scroll = turned(scroll, name === "pageup" ? -1 : 1, pageRows());
        return;
      case "escape":
        if (view.can.leave) break;
        mode = "leaving";
        return;
      case "ctrl+d":
        mode = "leaving";
        return;
    }
    const meaning = eventForKey(driver.state, name);
    if (meaning !== undefined) dispatch(meaning);
  };

  const paste = (text: string): void => {
    let row = fields.current();
    if (row === undefined) {
      const target = viewForm(driver.state).rows.find((one) => one.kind === "text" && !one.disabled);
      if (target !== undefined) dispatch({ type: "focus", row: target.key });
      row = fields.current();
    }
    if (row === undefined) notice = words.noTextHere;
    else type(row, { kind: "insert", text });
  };

  const edit = async (row: FieldRow): Promise<void> => {
    mode = "editing";
    terminal.write(painter.clear());
    terminal.close();
    const before = row.value;
    const edited = await options.edit(before, row.field === "args" ? "arguments.json" : "answer.md");
    if (isClosed()) return;
    // First, so that what the editor has left on the screen is not taken for the frame.
    terminal.open(listener);
    painter.forget();
    painter.resize(sizeNow());
    openWhenQuiet();
    if (edited.kind === "missing") notice = words.editorMissing;
    else if (edited.kind === "failed") notice = words.editorFailed(edited.command, edited.reason);
    else {
      const most = mostText(row.field);
      const text = edited.text.slice(0, most);
      notice = edited.text.length > most ? words.tooMuch(edited.text.length - most) : undefined;
      dispatch({ type: "type", field: row.field, text });
      const { step } = viewForm(driver.state);
      // It was on the screen there.
      if (row.field === "args" && step.kind === "action" && text === edited.text)
        seen.read(textsOf(driver.state, step).current);
    }
    changed();
  };
  const isClosed = (): boolean => mode === "closed";
  /** What was typed for another program is not for this one. */
  const openWhenQuiet = (): void => {
    mode = "waiting";
    guard = whenQuiet(clock, () => {
      if (mode === "waiting") mode = "open";
      paint();
    });
  };

  /** Changes that a key makes are painted once, when it has done everything. */
  const receive = (event: KeyEvent): void => {
    receiving = true;
    handle(event);
    receiving = false;
    changed();
  };
  const handle = (event: KeyEvent): void => {
    if (event.kind === "key" && event.ctrl && event.key === "c") {
      close({ kind: "interrupted" });
      return;
    }
    if (mode !== "open" && mode !== "leaving") return;
    if (event.kind === "key" && event.ctrl && event.key === "z") {
      terminal.suspend();
      return;
    }
    if (page !== undefined) {
      page = event.kind === "key" ? page.press(keyName(event), terminal.rows) : page;
      return;
    }
    if (mode === "leaving") {
      mode = "open";
      if (event.kind === "key" && keyName(event) === "q") {
        close({ kind: "left" });
        return;
      }
      // The form's own key for declining.
      const meaning = eventForKey({ ...driver.state, typing: false }, "d");
      if (event.kind === "key" && keyName(event) === "d" && meaning !== undefined) dispatch(meaning);
      return;
    }
    notice = undefined;
    const row = fields.current();
    if (event.kind === "paste") paste(event.text);
    else if (event.ctrl && event.key === "g") {
      if (row !== undefined) {
        void edit(row);
        return;
      }
    } else if (event.ctrl && event.key === "o") {
      read();
    } else if (event.ctrl && event.key === "l") terminal.write(painter.clear());
    else if (row !== undefined) typeKey(row, event);
    else chooseKey(event);
  };

  const keys = createKeyDecoder({ clock, onEvent: receive });
  const listener = {
    input: (bytes: Uint8Array) => {
      if (mode === "waiting") guard?.key();
      keys.write(bytes);
    },
    resize: () => {
      terminal.write(painter.resize(sizeNow()));
      paint();
    },
    release: () => terminal.write(painter.leave()),
    resume: () => {
      painter.forget();
      paint();
    },
    end: () => close({ kind: "ended" }),
  };
  const changed = (): void => {
    if (receiving) return;
    if (driver.state.phase.kind === "settled") close({ kind: "settled" });
    else paint();
  };

  if (signal?.aborted) {
    mode = "closed";
    finish({ kind: "aborted" });
    return { ended, changed };
  }
  signal?.addEventListener("abort", abort, { once: true });
  terminal.open(listener);
  paint();
  openWhenQuiet();
  followTime();
  changed();
  return { ended, changed };
}

/** Every text of an ask that is Markdown. */
function markdownOf({ ask }: FormState, context: string | undefined): readonly string[] {
  const previews = ask.questions
    .flatMap(({ options }) => options)
    .flatMap(({ preview }) => (preview?.format === "markdown" ? [preview.content] : []));
  return context === undefined ? previews : [context, ...previews];
}
