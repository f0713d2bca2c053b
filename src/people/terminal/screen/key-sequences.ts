// Which key each sequence stands for: the sequences of xterm and of those that followed it, kitty's keyboard
// protocol (CSI u), xterm's modifyOtherKeys (CSI 27 ~), the application keypad and the Linux console.

export interface Key {
  /**
   * `up` `down` `left` `right` `home` `end` `pageup` `pagedown` `insert` `delete` `backspace` `enter` `tab` `escape`
   * `f1`-`f12`, or the character. With Ctrl or Alt a letter is small; Ctrl+J, which some terminals send for
   * Shift+Enter, and Ctrl+H stay what they are.
   */
  readonly key: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

export function plainKey(key: string): Key {
  return { key, ctrl: false, alt: false, shift: false };
}

/** The text that a key types, or undefined for one that types none. */
export function typedText({ key, ctrl, alt }: Key): string | undefined {
  return !ctrl && !alt && [...key].length === 1 ? key : undefined;
}

/** A single character as it comes without a sequence. */
export function functionKey(character: string): Key | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x09) return plainKey("tab");
  if (code === 0x0d) return plainKey("enter");
  if (code === 0x7f) return plainKey("backspace");
  if (code === 0) return { ...plainKey(" "), ctrl: true };
  if (code < 0x20) return { ...plainKey(String.fromCharCode(code + 0x40).toLowerCase()), ctrl: true };
  return code >= 0x80 && code < 0xa0 ? undefined : plainKey(character);
}

const BY_LETTER: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
  Z: "tab",
  // The keypad, in application mode.
  OM: "enter",
  OX: "=",
  Oj: "*",
  Ok: "+",
  Ol: ",",
  Om: "-",
  On: ".",
  Oo: "/",
};

const BY_NUMBER: Readonly<Record<number, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
};

// The keypad in kitty's protocol, from 57399 on.
const KITTY_KEYPAD = [
  ..."0123456789./*-+",
  "enter",
  "=",
  ",",
  "left",
  "right",
  "up",
  "down",
  "pageup",
  "pagedown",
  "home",
  "end",
  "insert",
  "delete",
];
const KITTY_KEYPAD_START = 57_399;
const PRIVATE_USE_START = 57_344;
const PRIVATE_USE_END = 63_743;

const BY_CODE: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
};

/** A sequence by its parameters and its last character, which has an `O` before it in SS3 sequences. */
export function csiKey(parameters: string, final: string): Key | undefined {
  if (parameters.startsWith("[")) return linuxFunctionKey(final);
  if (!/^[\d;:]*$/.test(parameters)) return undefined;
  const fields = parameters.split(";").map((field) => field.split(":").map(Number));
  const [first = 0] = fields[0] ?? [];
  const [modifiers = 1, eventType = 1] = fields[1] ?? [];
  // The protocol can report that a key is let go.
  if (eventType === 3) return undefined;
  if (final === "u") return kittyKey(fields, modifiers);
  if (final === "~" && first === 27) return characterKey(fields[2]?.[0] ?? 0, modifiers);
  if (final === "~") return modified(BY_NUMBER[first], modifiers);
  // rxvt's way to say Ctrl.
  if (final === "^") return modified(BY_NUMBER[first], 5);
  // `CSI row;column R` is a reply about the cursor.
  if (final === "R" && first > 1) return undefined;
  const keypad = /^O([p-y])$/.exec(final)?.[1];
  if (keypad !== undefined) return plainKey(String(keypad.charCodeAt(0) - 0x70));
  const key = BY_LETTER[final] ?? BY_LETTER[final.replace(/^O/, "")];
  return modified(key, final === "Z" ? 2 : modifiers);
}

function linuxFunctionKey(final: string): Key | undefined {
  const at = "ABCDE".indexOf(final);
  return at < 0 ? undefined : plainKey(`f${at + 1}`);
}

function kittyKey(fields: readonly (readonly number[])[], modifiers: number): Key | undefined {
  const [code = 0, shifted = 0] = fields[0] ?? [];
  const typed = fields[2]?.[0] ?? 0;
  if (code >= PRIVATE_USE_START && code <= PRIVATE_USE_END) {
    return modified(KITTY_KEYPAD[code - KITTY_KEYPAD_START], modifiers);
  }
  return characterKey(code, modifiers, typed > 0 ? typed : shifted);
}

function characterKey(code: number, modifiers: number, shown = 0): Key | undefined {
  const named = BY_CODE[code];
  if (named !== undefined) return modified(named, modifiers);
  if (!isCharacter(code)) return undefined;
  const key = modified(String.fromCodePoint(code), modifiers);
  if (key === undefined || key.ctrl || key.alt) return key && { ...key, key: key.key.toLowerCase() };
  const text = isCharacter(shown) ? String.fromCodePoint(shown) : key.shift ? key.key.toUpperCase() : key.key;
  return { ...key, key: text };
}

function isCharacter(code: number): boolean {
  return (
    code >= 0x20 && code <= 0x10ffff && !(code >= 0x7f && code < 0xa0) && !(code >= 0xd800 && code <= 0xdfff)
  );
}

/** `modifiers` is one more than a sum of bits. A key with Super or Hyper belongs to somebody else. */
function modified(key: string | undefined, modifiers: number): Key | undefined {
  const bits = Math.max(0, modifiers - 1);
  if (key === undefined || key === "" || (bits & (8 | 16)) !== 0) return undefined;
  return { key, shift: (bits & 1) !== 0, alt: (bits & (2 | 32)) !== 0, ctrl: (bits & 4) !== 0 };
}
