import { afterEach, describe, expect, it } from "vitest";
import { endProcesses, openTerminal } from "./processes.ts";

afterEach(endProcesses);

const PIPED = `echo '{"questions":[{"question":"Ship it?","options":["Yes","No"]}]}' | "$NODE" "$ASKLINE" ask`;

describe("askline ask on a real terminal", () => {
  it("asks at the controlling terminal when the ask is on stdin, even with stdout and stderr elsewhere", async () => {
    const terminal = openTerminal(`out=$(${PIPED} --format json 2>/dev/null); echo "code $? $out"`);
    await terminal.shows("> select: ");
    terminal.type("3\r");
    await terminal.shows("> select: ", 2);
    terminal.type("2\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toContain("  selection 3 out of range; type a number from 1 to 2");
    expect(terminal.text()).toMatch(/> select: 2\ncode 0 \{"kind":"answered".*"o2"/);
  });

  it("is withdrawn by Ctrl-C with code 130 and leaves the cursor on a fresh line", async () => {
    const terminal = openTerminal(`trap : INT; ${PIPED} --format json; echo "code $?"`);
    await terminal.shows("> select: ");
    terminal.type("\u0003");
    await terminal.ended;
    expect(terminal.text()).toMatch(/> select: \^C\n+\{"kind":"withdrawn"\}\ncode 130\n/);
  });

  it("is unavailable when Ctrl-D ends the input", async () => {
    const terminal = openTerminal(`"$NODE" "$ASKLINE" ask -q 'Name?' --format json; echo "code $?"`);
    await terminal.shows("> answer: ");
    terminal.type("\u0004");
    await terminal.ended;
    expect(terminal.text()).toMatch(/> answer: \n+\{"kind":"unavailable".*\}\ncode 5\n/);
  });

  it("is withdrawn with code 130 by Ctrl-C at a question from flags", async () => {
    const terminal = openTerminal(`trap : INT; "$NODE" "$ASKLINE" ask -q 'Name?'; echo "code $?"`);
    await terminal.shows("> answer: ");
    terminal.type("\u0003");
    await terminal.ended;
    expect(terminal.text()).toContain("code 130\n");
  });

  it("wraps to the width of the terminal and lets no escape sequence through to it", async () => {
    const terminal = openTerminal(
      `"$NODE" "$ASKLINE" ask -q "$(printf 'Really \\033[31mdelete everything in the folder build?')" -o Yes -o "$(printf 'N\\033[2Jo')"`,
      30,
    );
    await terminal.shows("> select: ");
    expect(terminal.text()).toContain("\nReally \uFFFD[31mdelete everything\nin the folder build?\n");
    terminal.type("2\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).not.toContain("\u001b");
    expect(terminal.text()).toContain("N\uFFFD[2Jo\n");
  });

  it("says what to do without an ask and without a pipe", async () => {
    const terminal = openTerminal(`"$NODE" "$ASKLINE" ask`, 200);
    expect(await terminal.ended).toBe(2);
    expect(terminal.text()).toContain("askline: there is nothing to ask; use --question or --file");
  });

  it("treats pasted lines as one text, and leaves none to the next question or the shell", async () => {
    const questions = `{"questions":[{"question":"Why?"},{"question":"Who?"}]}`;
    const terminal = openTerminal(
      `echo '${questions}' | "$NODE" "$ASKLINE" ask --json; read rest; echo "rest: $rest"`,
    );
    await terminal.shows("> answer: ");
    terminal.type("because\r  of this\rand that");
    await terminal.shows("> answer: ", 2);
    terminal.type("ana\rls\r");
    await terminal.shows('"kind":"answered"');
    terminal.type("nothing\r");
    await terminal.ended;
    expect(terminal.text()).toContain(
      String.raw`"text":"because\n  of this\nand that"},{"question":"q2","selected":[],"text":"ana\nls"`,
    );
    expect(terminal.text()).toContain("\nand that\n  3 lines were pasted; they are one answer\n");
    expect(terminal.text()).toContain("rest: nothing\n");
  });

  it("accepts pasted arguments of several lines", async () => {
    const ask = `{"approval":{"actions":[{"name":"deploy","args":{"to":"production"}}]}}`;
    const terminal = openTerminal(`echo '${ask}' | "$NODE" "$ASKLINE" ask --json`);
    await terminal.shows("> decide: ");
    terminal.type("e\r");
    await terminal.shows("(JSON on one line): ");
    terminal.type('{\r  "to": "staging"\r}\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toContain('"args":{"to":"staging"}');
  });

  it("does not treat an arrow key as text", async () => {
    const terminal = openTerminal(`"$NODE" "$ASKLINE" ask -q 'Name?' --json`);
    await terminal.shows("> answer: ");
    terminal.type("ab\u001b[D\r");
    await terminal.shows("> answer: ", 2);
    terminal.type("aurora\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toContain("  arrow and control keys do not work here; type the line again");
    expect(terminal.text()).toContain('"text":"aurora"');
  });

  it("shows the prompt again when it comes back from Ctrl-Z", async () => {
    const terminal = openTerminal(`set -m; "$NODE" "$ASKLINE" ask -q 'Name?'; echo stopped; fg`);
    await terminal.shows("> answer: ");
    terminal.type("\u001a");
    await terminal.shows("> answer: ", 2);
    terminal.type("aurora\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toMatch(/stopped\n(.*\n)*> answer: aurora\n/);
  });
});
