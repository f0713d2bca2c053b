import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { nodeTerminal, type TerminalListener } from "../../../../src/people/terminal/screen/terminal.ts";
import { endProcesses, openTerminal } from "../../../cli/processes.ts";

const PROGRAM = fileURLToPath(new URL("terminal-program.mjs", import.meta.url));
const MODES_ON = "\x1b[?2004h\x1b[>1u";
const MODES_OFF = "\x1b[<u\x1b[?2004l\x1b[?7h\x1b[?25h";
const RUN = `before=$(stty -a); "$NODE" ${PROGRAM}; echo "<code $?>"; [ "$before" = "$(stty -a)" ] && echo "<sane>"`;

afterEach(endProcesses);

describe("the terminal of this process", () => {
  it.each([
    ["closed", "q", 0],
    ["exited with it open", "x", 3],
    ["failed", "e", 1],
    ["was ended by a signal", "t", 143],
  ])("is as it was after the program %s", async (_name, key, code) => {
    const session = openTerminal(RUN);
    await session.shows("<open>");
    session.type(key);
    await session.ended;
    const text = session.text();
    expect(text).toContain(`${MODES_ON}<open>`);
    // A program that closes the terminal itself needs no notice.
    expect(text).toContain(`<input "${key}">${key === "q" ? "" : "<release>"}${MODES_OFF}`);
    expect(text).toContain(`<code ${code}>\n<sane>`);
  });

  it("is given to the shell while the program is stopped, and taken back afterwards", async () => {
    const session = openTerminal(
      `set -m; before=$(stty -a); "$NODE" ${PROGRAM}; [ "$before" = "$(stty -a)" ] && echo "<sane>"; fg; echo "<code $?>"; [ "$before" = "$(stty -a)" ] && echo "<sane>"`,
    );
    await session.shows("<open>");
    session.type("\x1a");
    await session.shows("<resume>");
    session.type("q");
    await session.ended;
    const text = session.text();
    expect(text).toMatch(/<release>.*<sane>.*<resume>.*<input "q">.*<code 0>\n<sane>/s);
    expect(text).toContain(`<release>${MODES_OFF}`);
    expect(text).toContain(`${MODES_ON}<resume>`);
    expect(text.split(MODES_OFF)).toHaveLength(3);
  });

  it("is released when a signal comes that somebody else handles", async () => {
    const session = openTerminal(RUN);
    await session.shows("<open>");
    session.type("h");
    await session.shows("<handled>");
    await session.ended;
    expect(session.text()).toContain(`<input "h"><release>${MODES_OFF}<end><handled>`);
    expect(session.text()).toContain("<code 0>\n<sane>");
  });

  it("reports a new size", async () => {
    const session = openTerminal(RUN);
    await session.shows("<open>");
    session.resize(44, 18);
    await session.shows("<size 44x18>");
    session.type("q");
    await session.ended;
  });

  it("has a size where the streams have none, reports the end of its input, and opens once", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    let ends = 0;
    const events = new EventEmitter();
    const listener: TerminalListener = {
      input: () => undefined,
      resize: () => undefined,
      release: () => undefined,
      resume: () => undefined,
      end: () => {
        ends += 1;
        events.emit("end");
      },
    };
    const terminal = nodeTerminal({
      input,
      output,
      capabilities: { bracketedPaste: false, keyboard: "plain" },
    });
    expect([terminal.columns, terminal.rows]).toEqual([80, 24]);
    const listeners = process.listenerCount("SIGTERM");
    terminal.open(listener);
    expect(() => terminal.open(listener)).toThrow("the terminal is open already; close it first");
    const ended = new Promise((resolve) => events.once("end", resolve));
    input.end();
    await ended;
    output.emit("error", new Error("the terminal is gone"));
    input.destroy();
    expect(ends).toBe(1);
    terminal.close();
    terminal.close();
    expect(process.listenerCount("SIGTERM")).toBe(listeners);
  });
});
