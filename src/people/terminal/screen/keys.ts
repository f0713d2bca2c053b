// What a terminal sends when keys are pressed, as events. Nothing of a sequence ever becomes text, whether it is
// known or not, and wherever it was cut into chunks.
//
// ready   --ESC and not yet a whole sequence-->  waiting  (a timer runs)
// waiting --the rest of the sequence-->          ready    (one key)
// waiting --the timer-->                         ready    (Esc was a key of its own)
// ready   --CSI 200~-->                          pasting
// pasting --CSI 201~, or Ctrl+C-->               ready    (one paste)

import type { Clock } from "../../../core/kit/clock.js";
import { csiKey, functionKey, type Key, plainKey } from "./key-sequences.js";

export type { Key } from "./key-sequences.js";

export type KeyEvent =
  | ({ readonly kind: "key" } & Key)
  /** Newlines are `\n`; `cut` says that the rest of it was too long. */
  | { readonly kind: "paste"; readonly text: string; readonly cut: boolean };

export interface KeyDecoderOptions {
  readonly onEvent: (event: KeyEvent) => void;
  readonly clock: Clock;
  /** How long Esc may be the beginning of something else. */
  readonly escapeMs?: number;
  /** How many characters of a paste are kept. */
  readonly mostPaste?: number;
}

export interface KeyDecoder {
  write(bytes: Uint8Array): void;
  /** Drops what is unfinished and cancels the timer. */
  close(): void;
}

const ESCAPE = "\x1b";
const PASTE_END = "\x1b[201~";
const CTRL_C = "\x03";
/** No key is this long, nor is any reply that we ask for. */
const MOST_SEQUENCE = 4_096;

export function createKeyDecoder(options: KeyDecoderOptions): KeyDecoder {
  const { onEvent, clock, escapeMs = 50, mostPaste = 262_144 } = options;
  const utf8 = new TextDecoder();
  let pending = "";
  let pasted: string | undefined;
  let pastedLength = 0;
  let cancelTimer: (() => void) | undefined;

  const emit = (key: Key | undefined): void => {
    if (key !== undefined) onEvent({ kind: "key", ...key });
  };
  const receive = (text: string): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    pending += text;
    while (pending !== "") {
      if (pasted !== undefined) {
        if (!takePasted()) return;
        continue;
      }
      const taken = takeKey(pending);
      if (taken === undefined) {
        if (pending.length > MOST_SEQUENCE) pending = "";
        else cancelTimer = clock.schedule(escapeMs, giveUp);
        return;
      }
      pending = pending.slice(taken.length);
      if (taken.key === "paste") {
        pasted = "";
        pastedLength = 0;
      } else {
        emit(taken.key);
      }
    }
  };
  /** Takes what has come of a paste; false while its end is missing. */
  const takePasted = (): boolean => {
    const end = pending.indexOf(PASTE_END);
    // A terminal that never sends the end must not swallow the key that leaves.
    const stop = pending.slice(0, end < 0 ? undefined : end).indexOf(CTRL_C);
    const ended = stop >= 0 || end >= 0;
    // The end may itself be in two chunks.
    const length = stop >= 0 ? stop : end >= 0 ? end : pending.length - partialEnd(pending);
    const text = pending.slice(0, length);
    pastedLength += text.length;
    pasted = ((pasted ?? "") + text).slice(0, mostPaste);
    pending = pending.slice(stop < 0 && end >= 0 ? length + PASTE_END.length : length);
    if (!ended) return false;
    onEvent({ kind: "paste", text: pasted.replace(/\r\n?/g, "\n"), cut: pastedLength > mostPaste });
    pasted = undefined;
    return true;
  };
  /** Nothing more came: what looked like the beginning of a sequence were keys. */
  const giveUp = (): void => {
    cancelTimer = undefined;
    const [, introducer = "", after = ""] = /^\x1b([\x1b[O\]PX^_]?)(.*)$/s.exec(pending) ?? [];
    pending = "";
    if (introducer === "" || introducer === ESCAPE) {
      emit(plainKey("escape"));
      if (introducer === ESCAPE) emit(plainKey("escape"));
      return;
    }
    // Half of a sequence means nothing; a lone Alt+[ or Alt+O does, and so does Alt+] before other text.
    if ("[O".includes(introducer) && after !== "") return;
    emit({ ...plainKey(introducer), alt: true });
    receive(after);
  };
  return {
    write(bytes) {
      receive(utf8.decode(bytes, { stream: true }));
    },
    close() {
      cancelTimer?.();
      cancelTimer = undefined;
      pending = "";
      pasted = undefined;
    },
  };
}

interface Taken {
  readonly length: number;
  /** Absent where a sequence means nothing to us. */
  readonly key?: Key | "paste" | undefined;
}

/** The first key in the text; undefined while it is incomplete. */
function takeKey(text: string): Taken | undefined {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  if (first !== ESCAPE) return { length: first.length, key: functionKey(first) };
  const second = text.slice(1, 2);
  switch (second) {
    case "":
      return undefined;
    case "[":
      return takeCsi(text);
    case "O":
      return takeSs3(text);
    case "]":
    case "P":
    case "X":
    case "^":
    case "_":
      return takeReply(text);
    case ESCAPE: {
      if (text.length === 2) return undefined;
      // Some terminals send Alt as Esc before the whole sequence.
      if (!/^[[O]/.test(text.slice(2))) return { length: 1, key: plainKey("escape") };
      const inner = takeKey(text.slice(1));
      if (inner === undefined) return undefined;
      const key = typeof inner.key === "object" ? { ...inner.key, alt: true } : inner.key;
      return { length: inner.length + 1, key };
    }
    default: {
      const character = String.fromCodePoint(text.codePointAt(1) ?? 0);
      const key = functionKey(character);
      return { length: 1 + character.length, key: key && { ...key, alt: true } };
    }
  }
}

function takeCsi(text: string): Taken | undefined {
  const match = /^\x1b\[(\[?[0-9:;<=>?]*)([ -/]*)([@-Z\\-~])/.exec(text);
  if (match === null) {
    const begun = /^\x1b\[\[?[0-9:;<=>?]*[ -/]*/.exec(text)?.[0].length ?? 2;
    return begun === text.length ? undefined : { length: begun };
  }
  const [sequence, parameters = "", intermediate = "", final = ""] = match;
  // The old way to report a mouse has three more characters.
  if (sequence === "\x1b[M") return text.length < 6 ? undefined : { length: 6 };
  const length = sequence.length;
  if (intermediate !== "") return { length };
  return parameters === "200" && final === "~"
    ? { length, key: "paste" }
    : { length, key: csiKey(parameters, final) };
}

function takeSs3(text: string): Taken | undefined {
  const match = /^\x1bO(\d*(?:;\d*)?)([A-Za-z])/.exec(text);
  if (match !== null) return { length: match[0].length, key: csiKey(match[1] ?? "", `O${match[2]}`) };
  return /^\x1bO[\d;]*$/.test(text) ? undefined : { length: 2, key: { ...plainKey("O"), alt: true } };
}

/** What a terminal answers to a question, up to its end: no key. */
function takeReply(text: string): Taken | undefined {
  const match = /\x07|\x1b\\/.exec(text.slice(2));
  return match === null ? undefined : { length: 2 + match.index + match[0].length };
}

/** How much of the end of the text may be the beginning of the mark that ends a paste. */
function partialEnd(text: string): number {
  for (let length = PASTE_END.length - 1; length > 0; length -= 1) {
    if (text.endsWith(PASTE_END.slice(0, length))) return length;
  }
  return 0;
}
