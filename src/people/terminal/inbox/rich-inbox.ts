// The inbox on a terminal that has a cursor: a list that stays up to date, and the form of the ask that is opened.
//
// waiting --250 ms without a key--> listing
// listing --/-->      searching --Enter, Esc--> listing
// listing --?-->      reading the keys --Esc--> listing
// listing --D-->      confirming --y--> busy --declined--> listing; --n, Esc--> listing
// listing --Enter-->  answering (the form has the terminal) --> waiting
// any     --q, Ctrl+C, signal, a failure, the terminal ends--> closed

import type { Clock } from "../../../core/kit/clock.js";
import type { Ask } from "../../../core/model/ask.js";
import { formWords } from "../../../core/words/form.js";
import { inboxWords } from "../../../core/words/terminal-inbox.js";
import type { FormEvent } from "../../form/event.js";
import { keyName } from "../../form/keys.js";
import { agentName, ofSameAgent } from "../../inbox/crowd.js";
import type { CrowdControl } from "../../inbox/crowd-control.js";
import type { LiveAsks } from "../../inbox/live-asks.js";
import { matching } from "../../inbox/search.js";
import { createPage, type Page, pageFrame } from "../rich/page.js";
import { glyphsOf } from "../rich/text.js";
import type { Capabilities } from "../screen/capabilities.js";
import { createEditor, type EditorState, editText } from "../screen/editor.js";
import { editorAction } from "../screen/editor-keys.js";
import { createKeyDecoder, type KeyEvent } from "../screen/keys.js";
import { painterFor } from "../screen/painter.js";
import type { Terminal } from "../screen/terminal.js";
import { type Quiet, whenQuiet } from "../screen/when-quiet.js";
import { endedLine } from "./ended-line.js";
import { helpLines, layOutInbox } from "./inbox-frame.js";
import { EMPTY_LIST, listed, moved, nextFilter, settled } from "./list-state.js";

export type InboxEnding = "left" | "interrupted" | "ended" | "aborted" | "failed";

/** What came of an opened ask: a message to show, and whether to leave the inbox. */
export interface OpenedAsk {
  readonly notice?: string;
  readonly leave?: "interrupted" | "ended";
}

export interface RichInboxOptions {
  readonly live: LiveAsks;
  readonly crowd: CrowdControl;
  readonly terminal: Terminal;
  readonly capabilities: Capabilities;
  readonly clock: Clock;
  readonly locale: string | undefined;
  readonly url: string;
  readonly signal: AbortSignal;
  /** Shows the form of an ask; the terminal is closed meanwhile. `first` is what the person wants to do. */
  readonly open: (ask: Ask, first: FormEvent | undefined) => Promise<OpenedAsk>;
  /** Sets the terminal's title; undefined restores the one before. */
  readonly setTitle: (text: string | undefined) => void;
}

/** Ages are rounded, so that little changes between two frames. */
const REPAINT_MS = 10_000;
const MOST_SEARCH = 200;
/** A longer list is repainted for several changes at once: thousands come one by one when the inbox is opened. */
const LARGE = 100;
const LARGE_REPAINT_MS = 100;

export function runRichInbox(options: RichInboxOptions): Promise<InboxEnding> {
  const { live, crowd, terminal, capabilities, clock, locale, signal } = options;
  const words = inboxWords(locale);
  const glyphs = glyphsOf(capabilities.unicode);
  const sizeNow = () => ({ columns: terminal.columns, rows: terminal.rows });
  const painter = painterFor(capabilities, sizeNow());
  let mode: "waiting" | "listing" | "searching" | "confirming" | "busy" | "answering" | "closed" = "waiting";
  let list = EMPTY_LIST;
  let editor: EditorState = createEditor();
  let page: Page | undefined;
  let notice: string | undefined;
  /** What is declined after a yes: the questions that were counted, and none that came since. */
  let doomed: readonly Ask[] = [];
  let top = 0;
  let step = 1;
  let quiet: Quiet | undefined;
  let cancelRepaint = (): void => undefined;
  let cancelSoon: (() => void) | undefined;
  let finish: (ending: InboxEnding) => void = () => undefined;
  const ended = new Promise<InboxEnding>((resolve) => {
    finish = resolve;
  });

  const shownNow = () => listed(live.entries, list, words, crowd.muted);
  const paint = (): void => {
    if (mode === "closed" || mode === "answering") return;
    if (page !== undefined) {
      const shown = pageFrame(page, sizeNow(), formWords(locale), glyphs);
      page = shown.page;
      terminal.write(painter.paint(shown.frame));
      return;
    }
    const shown = shownNow();
    list = settled(list, shown);
    const { awaySince } = live;
    const layout = layOutInbox({
      size: sizeNow(),
      words,
      glyphs,
      now: clock.now(),
      url: options.url,
      isLoaded: live.isLoaded,
      total: live.size,
      shown,
      list,
      searching: mode === "searching" ? editor : undefined,
      confirming:
        mode === "confirming" ? words.declineAll(doomed.length, agentName(doomed[0] ?? {})) : undefined,
      notices: [
        ...(awaySince === undefined ? [] : [words.outage(options.url, timeOf(awaySince))]),
        ...(notice === undefined ? [] : [notice]),
      ],
      ended: live.ended.map((entry) => endedLine(entry, words, formWords(locale))),
      top,
      isWaiting: mode === "waiting",
    });
    top = layout.top;
    step = layout.page;
    terminal.write(painter.paint(layout.frame));
  };
  const showTitle = (): void => {
    const count = live.size;
    options.setTitle(`${count > 0 ? `(${count}) ` : ""}Askline`);
  };
  const update = (): void => {
    if (mode === "closed") return;
    showTitle();
    if (live.failure !== undefined && mode !== "answering") close("failed");
    else paint();
  };
  const changed = (): void => {
    if (live.size <= LARGE || live.failure !== undefined) {
      update();
      return;
    }
    cancelSoon ??= clock.schedule(LARGE_REPAINT_MS, () => {
      cancelSoon = undefined;
      update();
    });
  };

  const close = (ending: InboxEnding): void => {
    if (mode === "closed") return;
    if (mode !== "answering") terminal.write(painter.clear());
    mode = "closed";
    quiet?.cancel();
    cancelRepaint();
    cancelSoon?.();
    keys.close();
    unsubscribe();
    signal.removeEventListener("abort", abort);
    options.setTitle(undefined);
    terminal.close();
    finish(ending);
  };
  const abort = (): void => close("aborted");
  const repaintLater = (): void => {
    cancelRepaint = clock.schedule(REPAINT_MS, () => {
      paint();
      repaintLater();
    });
  };
  /** Nothing that was typed for something else acts on a list that has just appeared. */
  const guard = (): void => {
    mode = "waiting";
    quiet = whenQuiet(clock, () => {
      if (mode === "waiting") mode = "listing";
      paint();
    });
  };

  const open = async (first?: FormEvent): Promise<void> => {
    const entry = shownNow()[list.index];
    if (entry === undefined) return;
    if (entry.more !== undefined) {
      list = { ...list, opened: new Set([...list.opened, entry.more.key]) };
      return;
    }
    mode = "answering";
    terminal.write(painter.clear());
    terminal.close();
    const result = await options.open(entry.ask, first);
    if (isClosed()) return;
    if (result.leave !== undefined) {
      close(result.leave);
      return;
    }
    notice = result.notice;
    terminal.open(listener);
    painter.forget();
    painter.resize(sizeNow());
    guard();
    update();
  };
  const isClosed = (): boolean => mode === "closed";

  /** Keys wait until it is done. */
  const act = async (work: Promise<string>): Promise<void> => {
    mode = "busy";
    notice = await work;
    if (isClosed()) return;
    mode = "listing";
    update();
  };
  const confirm = (name: string): void => {
    if (name === "y") void act(crowd.declineAll(doomed));
    else if (["n", "q", "escape", "ctrl+g"].includes(name)) mode = "listing";
  };

  const search = (event: KeyEvent): void => {
    const name = event.kind === "key" ? keyName(event) : "";
    if (name === "escape" || name === "ctrl+g") {
      list = { ...list, search: "" };
      mode = "listing";
      return;
    }
    if (name === "enter" || name === "down" || name === "up") {
      mode = "listing";
      if (name !== "enter") list = moved(settled(list, shownNow()), shownNow(), name === "down" ? 1 : -1);
      return;
    }
    const action =
      event.kind === "paste" ? ({ kind: "insert", text: event.text } as const) : editorAction(event);
    if (action === undefined) return;
    editor = editText(editor, action, { mostLength: MOST_SEARCH, multiline: false });
    list = { ...list, search: editor.text.trim() };
  };

  const command = (name: string): void => {
    const shown = shownNow();
    const under = shown[list.index]?.ask;
    const move = (by: number): void => {
      list = moved(list, shown, by);
    };
    switch (name) {
      case "up":
      case "k":
      case "ctrl+p":
        move(-1);
        break;
      case "down":
      case "j":
      case "ctrl+n":
        move(1);
        break;
      case "pageup":
        move(-step);
        break;
      case "pagedown":
      case "space":
        move(step);
        break;
      case "home":
      case "g":
        move(-shown.length);
        break;
      case "end":
      case "G":
        move(shown.length);
        break;
      case "enter":
      case "right":
      case "o":
        void open();
        break;
      case "d":
        void open({ type: "decline" });
        break;
      case "c":
        void open({ type: "reply" });
        break;
      case "m":
        if (under?.asker !== undefined) void act(crowd.toggleMute(under));
        break;
      case "D":
        if (under?.asker === undefined) break;
        doomed = ofSameAgent(under, matching(live.entries, list, words));
        mode = "confirming";
        break;
      case "/":
        editor = createEditor(list.search);
        mode = "searching";
        break;
      case "f":
        list = { ...list, filter: nextFilter(list.filter) };
        break;
      case "?":
        page = createPage((width) => helpLines(words, width));
        break;
      case "escape":
        if (list.search !== "" || list.filter !== "all" || list.opened.size > 0)
          list = { ...list, search: "", filter: "all", opened: EMPTY_LIST.opened };
        else close("left");
        break;
      case "q":
      case "ctrl+d":
        close("left");
        break;
      case "ctrl+l":
        terminal.write(painter.clear());
        break;
    }
  };

  const receive = (event: KeyEvent): void => {
    if (event.kind === "key" && event.ctrl && event.key === "c") {
      close("interrupted");
      return;
    }
    if (mode !== "listing" && mode !== "searching" && mode !== "confirming") return;
    if (event.kind === "key" && event.ctrl && event.key === "z") {
      terminal.suspend();
      return;
    }
    if (page !== undefined) page = event.kind === "key" ? page.press(keyName(event), terminal.rows) : page;
    else if (mode === "searching") search(event);
    else if (mode === "confirming") confirm(event.kind === "key" ? keyName(event) : "");
    else {
      notice = undefined;
      if (event.kind === "key") command(keyName(event));
    }
    paint();
  };

  const keys = createKeyDecoder({ clock, onEvent: receive });
  const listener = {
    input: (bytes: Uint8Array) => {
      if (mode === "waiting") quiet?.key();
      keys.write(bytes);
    },
    resize: () => {
      terminal.write(painter.resize(sizeNow()));
      paint();
    },
    release: () => {
      terminal.write(painter.leave());
      options.setTitle(undefined);
    },
    resume: () => {
      painter.forget();
      showTitle();
      paint();
    },
    end: () => close("ended"),
  };
  const unsubscribe = live.subscribe({ changed });
  if (signal.aborted) {
    mode = "closed";
    unsubscribe();
    finish("aborted");
    return ended;
  }
  signal.addEventListener("abort", abort, { once: true });
  terminal.open(listener);
  guard();
  repaintLater();
  update();
  return ended;
}

/** The time of day where the person is. */
function timeOf(time: number): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}
