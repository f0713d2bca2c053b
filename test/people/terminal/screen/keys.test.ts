import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { typedText } from "../../../../src/people/terminal/screen/key-sequences.ts";
import { createKeyDecoder, type KeyEvent } from "../../../../src/people/terminal/screen/keys.ts";
import { fakeClock } from "../../../../src/testing/fake-clock.ts";

function decoder(mostPaste?: number) {
  const events: KeyEvent[] = [];
  const clock = fakeClock();
  const keys = createKeyDecoder({
    onEvent: (event) => events.push(event),
    clock,
    ...(mostPaste === undefined ? {} : { mostPaste }),
  });
  return {
    events,
    clock,
    write: (text: string) => keys.write(Buffer.from(text)),
    writeBytes: (bytes: Uint8Array) => keys.write(bytes),
    close: () => keys.close(),
    /** Each event in short: `ctrl+alt+shift+key`. */
    names: () => events.map(nameOf),
  };
}

function nameOf(event: KeyEvent): string {
  if (event.kind === "paste") return `paste(${event.text})`;
  const { key, ctrl, alt, shift } = event;
  return `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${shift ? "shift+" : ""}${key}`;
}

const SEQUENCES: readonly (readonly [string, string])[] = [
  ["a", "a"],
  ["A", "A"],
  [" ", " "],
  ["é", "é"],
  ["日", "日"],
  ["👍", "👍"],
  ["\r", "enter"],
  ["\t", "tab"],
  ["\x7f", "backspace"],
  ["\x08", "ctrl+h"],
  ["\n", "ctrl+j"],
  ["\x00", "ctrl+ "],
  ["\x03", "ctrl+c"],
  ["\x1a", "ctrl+z"],
  ["\x1f", "ctrl+_"],
  ["\x1b[A", "up"],
  ["\x1bOA", "up"],
  ["\x1b[B", "down"],
  ["\x1b[1;5C", "ctrl+right"],
  ["\x1b[1;3D", "alt+left"],
  ["\x1b[1;2A", "shift+up"],
  ["\x1b[1;6B", "ctrl+shift+down"],
  ["\x1b\x1b[C", "alt+right"],
  ["\x1b[H", "home"],
  ["\x1b[1~", "home"],
  ["\x1b[7~", "home"],
  ["\x1bOF", "end"],
  ["\x1b[4~", "end"],
  ["\x1b[3~", "delete"],
  ["\x1b[3;5~", "ctrl+delete"],
  ["\x1b[3^", "ctrl+delete"],
  ["\x1b[5~", "pageup"],
  ["\x1b[6~", "pagedown"],
  ["\x1b[Z", "shift+tab"],
  ["\x1bOP", "f1"],
  ["\x1b[[A", "f1"],
  ["\x1b[15~", "f5"],
  ["\x1b[24~", "f12"],
  ["\x1bb", "alt+b"],
  ["\x1b\x7f", "alt+backspace"],
  ["\x1b\r", "alt+enter"],
  ["\x1bé", "alt+é"],
  // The keypad: digits are digits.
  ["\x1bOp", "0"],
  ["\x1bOy", "9"],
  ["\x1bOM", "enter"],
  ["\x1b[57400u", "1"],
  ["\x1b[57414u", "enter"],
  ["\x1b[57419u", "up"],
  // kitty's protocol.
  ["\x1b[27u", "escape"],
  ["\x1b[13;5u", "ctrl+enter"],
  ["\x1b[13;2u", "shift+enter"],
  ["\x1b[97;5u", "ctrl+a"],
  ["\x1b[97;6u", "ctrl+shift+a"],
  ["\x1b[97:65;2u", "shift+A"],
  ["\x1b[97;2;65u", "shift+A"],
  ["\x1b[127;3u", "alt+backspace"],
  ["\x1b[9;2u", "shift+tab"],
  ["\x1b[97;69u", "ctrl+a"],
  ["\x1b[97;5:2u", "ctrl+a"],
  // modifyOtherKeys.
  ["\x1b[27;5;13~", "ctrl+enter"],
  ["\x1b[27;2;13~", "shift+enter"],
  ["\x1b[27;5;105~", "ctrl+i"],
];

// No keys: a key that is let go, a key with Super, focus, a mouse, replies to questions, and what nobody has defined.
const SILENT: readonly string[] = [
  "\x1b[97;5:3u",
  "\x1b[97;9u",
  "\x1b[57441u",
  "\x1b[1114112u",
  "\x1b[55296u",
  "\x1b[I",
  "\x1b[O",
  "\x1b[<0;10;10M",
  "\x1b[M !!",
  "\x1b[?62;22c",
  "\x1b[12;40R",
  "\x1b]11;rgb:0000/0000/0000\x07",
  "\x1b]11;rgb:0000/0000/0000\x1b\\",
  "\x1bP>|xterm(390)\x1b\\",
  "\x1b[99~",
  "\x1b[1 q",
  "\x1b[1\x80",
];

describe("the key decoder", () => {
  it.each(SEQUENCES)("reads %j as %s", (sequence, name) => {
    const { write, names } = decoder();
    write(sequence);
    expect(names()).toEqual([name]);
  });

  it.each(SILENT)("makes nothing of %j", (sequence) => {
    const { write, names } = decoder();
    write(`${sequence}x`);
    expect(names()).toEqual(["x"]);
  });

  it("says which keys type text", () => {
    const key = (sequence: string): string | undefined => {
      const { write, events } = decoder();
      write(sequence);
      return events[0]?.kind === "key" ? typedText(events[0]) : undefined;
    };
    expect([key("a"), key("👍"), key("\x1b[97:65;2u"), key("\x1bOp")]).toEqual(["a", "👍", "A", "0"]);
    expect([key("\x01"), key("\x1ba"), key("\r"), key("\x1b[A")]).toEqual(Array(4).fill(undefined));
  });

  it("takes Esc for a key when nothing follows it in time", async () => {
    const { write, names, clock } = decoder();
    write("\x1b");
    expect(names()).toEqual([]);
    await clock.advance(49);
    expect(names()).toEqual([]);
    await clock.advance(1);
    expect(names()).toEqual(["escape"]);
    write("\x1b\x1b");
    await clock.advance(50);
    expect(names()).toEqual(["escape", "escape", "escape"]);
  });

  it("takes half a sequence for Alt and a key, or for nothing", async () => {
    const { write, names, clock } = decoder();
    for (const text of ["\x1b[", "\x1bO", "\x1b]ab", "\x1b[1;", "\x1b[2"]) {
      write(text);
      await clock.advance(50);
    }
    expect(names()).toEqual(["alt+[", "alt+O", "alt+]", "a", "b"]);
  });

  it("sets no timer after it was closed", async () => {
    const { write, names, clock, close } = decoder();
    write("\x1b");
    close();
    await clock.advance(1_000);
    expect(names()).toEqual([]);
  });

  it("reads the same keys however they are cut into chunks", () => {
    const sequences = fc.array(
      fc.constantFrom(...SEQUENCES, ["\x1b[200~a\r\nb\x1b[A\x1b[201~", "paste(a\nb\x1b[A)"] as const),
    );
    fc.assert(
      fc.property(sequences, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (chosen, sizes) => {
        const bytes = Buffer.from(chosen.map(([sequence]) => sequence).join(""));
        const { writeBytes, names } = decoder();
        for (let start = 0, index = 0; start < bytes.length; index += 1) {
          const size = sizes[index % sizes.length] ?? 1;
          writeBytes(bytes.subarray(start, start + size));
          start += size;
        }
        expect(names()).toEqual(chosen.map(([, name]) => name));
      }),
    );
  });

  it("lets no control character out as text, whatever comes", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 12 })), (chunks) => {
        const { writeBytes, events } = decoder();
        for (const chunk of chunks) writeBytes(chunk);
        for (const event of events) {
          if (event.kind === "key")
            expect(typedText(event) ?? "").not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        }
      }),
    );
  });

  it("gives a paste as one text, and keeps as much of it as is allowed", () => {
    const { write, events } = decoder(4);
    write("\x1b[200~ab\r");
    write("cdef\x1b[2");
    write("01~x");
    expect(events).toEqual([
      { kind: "paste", text: "ab\nc", cut: true },
      { kind: "key", key: "x", ctrl: false, alt: false, shift: false },
    ]);
  });

  it("leaves a paste whose end never comes with Ctrl+C", () => {
    const { write, names } = decoder();
    write("\x1b[200~abc");
    write("\x03");
    expect(names()).toEqual(["paste(abc)", "ctrl+c"]);
  });

  it("forgets a reply that never ends", () => {
    const { write, names } = decoder();
    write(`\x1b]${"x".repeat(5_000)}`);
    write("a");
    expect(names()).toEqual(["a"]);
  });
});
