import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { endProcesses, openTerminal, type TerminalSession, takesKeys } from "./processes.ts";

afterEach(endProcesses);

const SHIP = `{"questions":[{"question":"Ship it?","options":["Yes","No"]}]}`;
const ASK = `LANG=C.UTF-8 "$NODE" "$ASKLINE" ask`;
const PIPED = `echo '${SHIP}' | ${ASK}`;
const SHOW_CURSOR = "\u001b[?25h";
const PASTE_ON = "\u001b[?2004h";
const DOWN = "\u001b[B";

/** A form shows the cursor when it begins to take keys. */
async function ready(terminal: TerminalSession, text: string): Promise<void> {
  await terminal.shows(text);
  await terminal.shows(SHOW_CURSOR);
}

describe("askline ask with a form on a real terminal", () => {
  it("asks on the controlling terminal when stdin brings the ask, even with stdout and stderr elsewhere", async () => {
    const terminal = openTerminal(`out=$(${PIPED} --format json 2>/dev/null); echo "code $? $out"`);
    await ready(terminal, "Ship it?");
    terminal.type(`${DOWN}\r`);
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toMatch(/code 0 \{"kind":"answered".*"o2"/);
  });

  it("settled with nothing chosen: now sending says what to do, and s skips", async () => {
    const ask = `{"allowPartial":true,"questions":[{"question":"Ship it?","options":["Yes","No"]}]}`;
    const terminal = openTerminal(`echo '${ask}' | ${ASK} --json`);
    await ready(terminal, "Ship it?");
    terminal.type("\u0013");
    await terminal.shows("If you have no preference");
    terminal.type("s\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toContain(`"answers":[{"question":"q1","selected":[],"skipped":true}]`);
  });

  it("takes several picks, own words, a note, going back, a review and a resize", async () => {
    const ask = `{"questions":[{"question":"Which?","header":"Which","multiSelect":true,"options":["A","B"]},{"question":"Name?","header":"Name"}]}`;
    const terminal = openTerminal(`echo '${ask}' | ${ASK} --json`);
    await ready(terminal, "Which?");
    terminal.type("13Other words");
    await terminal.shows("words");
    terminal.type("\t");
    await terminal.shows("Name?");
    terminal.type("\u001b[200~two\r\nlines\u001b[201~");
    await terminal.shows("lines");
    terminal.resize(44, 18);
    terminal.type("\u001b[Z");
    await terminal.shows("2 chosen");
    terminal.type("\u001bn");
    terminal.type("\t\t");
    await terminal.shows("Review (2/2)");
    terminal.type("\u0013");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toContain(
      String.raw`"selected":["o1"],"text":"Other words"},{"question":"q2","selected":[],"text":"two\nlines"}`,
    );
  });

  it("is withdrawn by Ctrl-C with code 130, and leaves the terminal as it was", async () => {
    const terminal = openTerminal(
      `before=$(stty -a); ${PIPED} --format json; echo "code $?"; [ "$before" = "$(stty -a)" ] && echo unchanged`,
    );
    await ready(terminal, "Ship it?");
    terminal.type("\u0003");
    await terminal.ended;
    expect(terminal.text()).toMatch(/\{"kind":"withdrawn"\}\ncode 130\nunchanged\n/);
    // Every mode that was set is off again.
    const modes = [...terminal.text().matchAll(/\u001b\[\?(2004|7|25|2026)([hl])/g)];
    const last = Object.fromEntries(modes.map(([, mode, set]) => [mode, set]));
    expect(last).toEqual({ "2004": "l", "7": "h", "25": "h", "2026": "l" });
  });

  it("is left by Ctrl-D after it was asked, with code 5, and gives the terminal back", async () => {
    const terminal = openTerminal(
      `before=$(stty -a); ${ASK} -q 'Name?'; echo "code $?"; [ "$before" = "$(stty -a)" ] && echo unchanged`,
    );
    await ready(terminal, "Name?");
    terminal.type("\u001b[B\u001b[B\u0004");
    await terminal.shows("Leave without an answer?");
    terminal.type("q");
    await terminal.ended;
    expect(terminal.text()).toContain("code 5\nunchanged\n");
  });

  it("opens the person's editor on a text, and keeps the text where that fails", async () => {
    const folder = mkdtempSync(join(tmpdir(), "askline-test-"));
    try {
      writeFileSync(join(folder, "text"), "from the editor\n");
      const terminal = openTerminal(`EDITOR="cp ${folder}/text" ${ASK} -q 'Why?' --json`);
      await ready(terminal, "Why?");
      terminal.type("\u0007");
      await takesKeys(terminal, "from the editor");
      terminal.type("\r");
      expect(await terminal.ended).toBe(0);
      expect(terminal.text()).toContain('"text":"from the editor"');
      const failing = openTerminal(`EDITOR=false ${ASK} -q 'Why?' --json`);
      await ready(failing, "Why?");
      failing.type("kept\u0007");
      await takesKeys(failing, "failed: exit code 1");
      failing.type("\r");
      expect(await failing.ended).toBe(0);
      expect(failing.text()).toContain('"text":"kept"');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("is there again, with what was typed, when it comes back from Ctrl-Z", async () => {
    const terminal = openTerminal(`set -m; ${ASK} -q 'Name?' --json; echo stopped; fg`);
    await ready(terminal, "Name?");
    terminal.type("auro");
    await terminal.shows("auro");
    terminal.type("\u001a");
    await terminal.shows("stopped");
    await terminal.shows(PASTE_ON, 2);
    terminal.type("ra\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toContain('"text":"aurora"');
  });

  it("lets no escape sequence of a model through", async () => {
    const terminal = openTerminal(
      `${ASK} -q "$(printf 'Really \\033[31mdelete\\033]52;c;aGk=\\007?')" -o Yes -o "$(printf 'N\\033[2Jo')" --json`,
    );
    await ready(terminal, "Really");
    terminal.type("2\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).not.toContain("\u001b[31m");
    expect(terminal.text()).not.toContain("\u001b]52");
    expect(terminal.text()).not.toContain("\u001b[2J");
  });

  it("is plain on a dumb terminal", async () => {
    const terminal = openTerminal(`TERM=dumb ${ASK} -q 'Which?' -o A -o B --json`);
    await terminal.shows("Your choice (? for help): ");
    terminal.type("B\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).not.toContain("\u001b");
    expect(terminal.text()).toContain('"selected":["o2"]');
  });

  it("says what to give when there is neither an ask nor a pipe", async () => {
    const terminal = openTerminal(`"$NODE" "$ASKLINE" ask`, 200);
    expect(await terminal.ended).toBe(2);
    expect(terminal.text()).toContain("askline: there is nothing to ask; use --question or --file");
  });
});

describe("askline ask --plain on a real terminal", () => {
  it("explains an empty line and a wrong one, and asks again", async () => {
    const terminal = openTerminal(`out=$(${PIPED} --plain --format json 2>/dev/null); echo "code $? $out"`);
    await terminal.shows("Your choice (? for help): ");
    terminal.type("\r");
    await terminal.shows("An empty line changes nothing");
    terminal.type("4\r");
    await terminal.shows("Type a number from 1 to 3.");
    terminal.type("no\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toMatch(/code 0 \{"kind":"answered".*"o2"/);
    expect(terminal.text()).not.toContain("\u001b");
  });

  it("is withdrawn by Ctrl-C with code 130 and leaves the cursor on a fresh line", async () => {
    const terminal = openTerminal(`trap : INT; ${PIPED} --plain --format json; echo "code $?"`);
    await terminal.shows("Your choice (? for help): ");
    terminal.type("\u0003");
    await terminal.ended;
    expect(terminal.text()).toMatch(/for help\): \^C\n+\{"kind":"withdrawn"\}\ncode 130\n/);
  });

  it("is unavailable when Ctrl-D ends the input", async () => {
    const terminal = openTerminal(`ASKLINE_PLAIN=1 ${ASK} -q 'Name?' --format json; echo "code $?"`);
    await terminal.shows("Answer: ");
    terminal.type("\u0004");
    await terminal.ended;
    expect(terminal.text()).toMatch(/Answer: \n+\{"kind":"unavailable".*\}\ncode 5\n/);
  });

  it("takes what is pasted as one text, and leaves nothing of it to the next question or the shell", async () => {
    const questions = `{"questions":[{"question":"Why?"},{"question":"Who?"}]}`;
    const terminal = openTerminal(
      `echo '${questions}' | CLAUDE_AX_SCREEN_READER=1 ${ASK} --json; read rest; echo "rest: $rest"`,
    );
    await terminal.shows("Answer: ");
    terminal.type("because\r  of this\rand that");
    await terminal.shows("Answer: ", 2);
    terminal.type("ana\rls\r");
    await terminal.shows("send, or a number");
    terminal.type("send\r");
    await terminal.shows('"kind":"answered"');
    terminal.type("nothing\r");
    await terminal.ended;
    expect(terminal.text()).toContain(
      String.raw`"text":"because\n  of this\nand that"},{"question":"q2","selected":[],"text":"ana\nls"`,
    );
    expect(terminal.text()).toContain("rest: nothing\n");
  });

  it("does not take an arrow key for text, and shows the prompt again after Ctrl-Z", async () => {
    const terminal = openTerminal(`set -m; ${ASK} -q 'Name?' --plain --json; echo stopped; fg`);
    await terminal.shows("Answer: ");
    terminal.type("ab\u001b[D\r");
    await terminal.shows("Answer: ", 2);
    terminal.type("\u001a");
    await terminal.shows("Answer: ", 3);
    terminal.type("aurora\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toContain('"text":"aurora"');
  });
});
