// A rich form on the cells of a terminal without a window.

import { type AskInput, type Outcome, requireAsk } from "../../../../src/index.ts";
import { localForm } from "../../../../src/people/terminal/local-form.ts";
import type { Edited } from "../../../../src/people/terminal/rich/external-editor.ts";
import {
  type FormDriver,
  openRichForm,
  type RichEnding,
} from "../../../../src/people/terminal/rich/rich-form.ts";
import type { Capabilities } from "../../../../src/people/terminal/screen/capabilities.ts";
import { type FakeClock, fakeClock } from "../../../../src/testing/fake-clock.ts";
import { type Headless, headlessTerminal } from "../screen/headless.ts";

export interface Opened {
  readonly terminal: Headless;
  readonly clock: FakeClock;
  readonly ended: Promise<RichEnding>;
  readonly driver: FormDriver;
  outcome(): Outcome | undefined;
  /** Types, and resolves when everything is drawn. Each argument is typed by itself. */
  press(...keys: readonly string[]): Promise<void>;
  /** The lines below the prompt that was there before. */
  screen(): Promise<readonly string[]>;
}

export interface OpenOptions {
  readonly size?: readonly [columns: number, rows: number];
  readonly capabilities?: Partial<Capabilities>;
  readonly locale?: string;
  /** Leaves the first moment, in which no key acts, to the test. */
  readonly early?: boolean;
  readonly edit?: (text: string, name: string) => Promise<Edited>;
  readonly signal?: AbortSignal;
  readonly saving?: FormDriver["saving"];
}

export const KEYS = {
  up: "\x1b[A",
  down: "\x1b[B",
  enter: "\r",
  escape: "\x1b",
  tab: "\t",
  backTab: "\x1b[Z",
  pageDown: "\x1b[6~",
  space: " ",
};

const ALL: Capabilities = {
  colors: 256,
  cursor: true,
  unicode: true,
  hyperlinks: false,
  bracketedPaste: true,
  keyboard: "plain",
  reflow: "shifted",
};

export async function open(input: AskInput, options: OpenOptions = {}): Promise<Opened> {
  const [columns, rows] = options.size ?? [80, 24];
  const ask = requireAsk(input);
  const clock = fakeClock();
  const terminal = headlessTerminal(columns, rows);
  await terminal.write("$ ask\r\n");
  let changed = (): void => undefined;
  const by = { kind: "person", id: "ana", surface: "terminal" } as const;
  const local = localForm(ask, { by, clock, onChange: () => changed() });
  const driver: FormDriver = {
    get state() {
      return local.state;
    },
    saving: options.saving ?? "saved",
    dispatch: (event) => local.dispatch(event),
  };
  const form = await openRichForm(driver, {
    terminal: terminal.seam,
    capabilities: { ...ALL, ...options.capabilities },
    clock,
    context: ask.context,
    deadline: ask.timeoutMs === undefined ? undefined : clock.now() + ask.timeoutMs,
    locale: options.locale ?? "en",
    signal: options.signal,
    staysPending: false,
    edit: options.edit ?? (async () => ({ kind: "missing" })),
  });
  changed = form.changed;
  if (options.early !== true) await clock.advance(250);
  await terminal.drawn();
  return {
    terminal,
    clock,
    ended: form.ended,
    driver,
    outcome: () => (driver.state.phase.kind === "settled" ? driver.state.phase.outcome : undefined),
    async press(...keys) {
      for (const key of keys) {
        terminal.type(key);
        // Esc alone is a key only when nothing follows it.
        if (key === KEYS.escape) await clock.advance(60);
      }
      await terminal.drawn();
    },
    async screen() {
      await terminal.drawn();
      return terminal.lines().slice(1);
    },
  };
}
