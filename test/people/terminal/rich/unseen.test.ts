import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { AskInput } from "../../../../src/index.ts";
import { argsText } from "../../../../src/people/form/json-text.ts";
import { KEYS, type Opened, type OpenOptions, open } from "./open.ts";

let form: Opened | undefined;
afterEach(() => form?.terminal.close());

async function start(ask: AskInput, options: OpenOptions = {}): Promise<Opened> {
  form = await open(ask, options);
  return form;
}

const MORE = /↓ \d+ more line/;
const SEND = "\x13";
const bash = (args: Record<string, string | readonly string[]>): AskInput => ({
  approval: { actions: [{ name: "Bash", args }] },
});
const COMMAND = `${Array.from({ length: 20 }, (_, index) => `echo ${index} && sleep ${index}`).join(" && ")} && rm -rf /srv`;
const STEPS = Array.from({ length: 40 }, (_, index) => `step ${index}`);

describe("an action was approved unseen", () => {
  it("gives the command all rows but the decisions and one of keys, before any of it is out of sight", async () => {
    const { screen } = await start(bash({ command: "x".repeat(390) }), { size: [44, 18] });
    const shown = await screen();
    expect(shown.slice(-5)).toEqual([
      "  }",
      "  1. ○ Approve",
      "  2. ○ Approve with changes",
      "  3. ○ Reject",
      "a approve · x reject · ↑↓ move · ? all keys",
    ]);
    expect(shown.join("")).not.toMatch(MORE);
  });

  it("says what to do, takes nothing for read by the top and the end alone, and then approves", async () => {
    const { press, screen, outcome } = await start(bash({ steps: STEPS }), { size: [44, 18] });
    await press("o", "\x1b[F");
    expect((await screen()).join("\n")).toContain("step 39");
    await press(KEYS.escape, "a", KEYS.enter, SEND);
    expect(outcome()).toBeUndefined();
    expect((await screen()).join("\n")).toContain(
      "! Not all of it has been on the screen yet.\n  Read it with PageUp, PageDown or o, then",
    );
    for (let page = 0; page < 6; page += 1) await press(KEYS.pageDown);
    await press("\x1b[5~", KEYS.pageDown, KEYS.enter);
    expect(outcome()).toMatchObject({ decisions: [{ kind: "approve" }] });
  });

  it("says that this was all of it, when it was", async () => {
    const { press, screen } = await start(bash({ command: COMMAND }), { size: [44, 18] });
    await press("a", KEYS.enter, KEYS.pageDown);
    expect((await screen()).join("\n")).toContain("That was all of it. Send it now, or decide");
  });

  it("keeps its place while decisions are moved through", async () => {
    const { press, screen } = await start(bash({ steps: STEPS }), { size: [44, 18] });
    await press(KEYS.pageDown);
    const [top] = await screen();
    await press(KEYS.down, KEYS.down);
    expect((await screen())[0]).toBe(top);
  });

  it("needs no reading of the context, to reject, or to decline", async () => {
    const context = STEPS.join("\n\n");
    const { press, outcome } = await start({ ...bash({ command: "ls" }), context }, { size: [44, 18] });
    await press("a", KEYS.enter);
    expect(outcome()).toMatchObject({ decisions: [{ kind: "approve" }] });
    form?.terminal.close();
    const declined = await start(bash({ steps: STEPS }), { size: [44, 18] });
    await declined.press("d", KEYS.enter, KEYS.enter);
    expect(declined.outcome()).toMatchObject({ kind: "declined" });
  });

  it("does not put half of a line at one width together with the other half at another", async () => {
    const { press, terminal, outcome } = await start(bash({ command: COMMAND.repeat(3) }), {
      size: [44, 18],
    });
    terminal.resize(40, 18);
    await press("a", KEYS.pageDown, KEYS.pageDown, KEYS.pageDown);
    terminal.resize(60, 18);
    await press(KEYS.pageDown, KEYS.pageDown, KEYS.pageDown, KEYS.pageDown, KEYS.pageDown, KEYS.enter);
    expect(outcome()).toMatchObject({ decisions: [{ kind: "approve" }] });
  });

  it("counts what is typed as seen, and what an editor gave back, but not a long paste", async () => {
    const long = argsText({ steps: STEPS });
    const edited = await start(bash({ command: "ls" }), {
      edit: async () => ({ kind: "edited", text: long }),
    });
    await edited.press("e", "\x07");
    await edited.press();
    await edited.clock.advance(250);
    await edited.press(SEND);
    expect(edited.outcome()).toMatchObject({ decisions: [{ kind: "edit", args: { steps: STEPS } }] });
    edited.terminal.close();
    const pasted = await start(bash({ command: "ls" }));
    await pasted.press("e", "\x1b<", "\x0b\x0b\x0b\x0b\x0b\x0b", `\x1b[200~${long}\x1b[201~`, SEND);
    expect(pasted.outcome()).toBeUndefined();
    expect((await pasted.screen()).join("\n")).toContain("Ctrl+O, then");
    await pasted.press("\x0f", " ", " ", " ", " ", KEYS.escape);
    expect(pasted.outcome()).toBeUndefined();
    // One more line is typed: what was read stays read.
    await pasted.press(KEYS.enter, SEND);
    expect(pasted.outcome()).toMatchObject({ decisions: [{ kind: "edit" }] });
  });

  it("of a rejection's reason in the editor, reads nothing", async () => {
    const { press, outcome, clock } = await start(bash({ steps: STEPS }), {
      size: [44, 18],
      edit: async () => ({ kind: "edited", text: "no" }),
    });
    await press("x", "\x07");
    await press();
    await clock.advance(250);
    await press(KEYS.escape, "a", SEND);
    expect(outcome()).toBeUndefined();
  });

  it("at any size, is approved when all of it has been on the screen, and not before", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ unit: "grapheme", maxLength: 400 }), {
          maxKeys: 6,
        }),
        fc.constantFrom([24, 8], [44, 18], [80, 24], [30, 12]),
        async (args, size) => {
          const opened = await open(bash(args), { size: size as [number, number] });
          try {
            const { press, screen, outcome, terminal } = opened;
            const isCut = (await screen()).some((line) => MORE.test(line));
            await press("a", KEYS.enter);
            expect(outcome() === undefined).toBe(isCut);
            for (let page = 0; page < 200 && outcome() === undefined; page += 1) {
              await press(KEYS.pageDown, KEYS.enter);
              const shown = await screen();
              if (outcome() === undefined) expect(shown.length).toBeLessThanOrEqual(terminal.seam.rows);
            }
            expect(outcome()).toMatchObject({ decisions: [{ kind: "approve" }] });
          } finally {
            opened.terminal.close();
          }
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);
});
