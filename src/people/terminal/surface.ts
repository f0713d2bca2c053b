// Shows a form at the terminal: rich where the terminal has a cursor, line by line where it has none or the person
// wants it so.

import { type Clock, systemClock } from "../../core/kit/clock.js";
import type { AskRequest } from "../../core/model/ask.js";
import { formWords } from "../../core/words/form.js";
import { type Input, type Output, openDialogue } from "./dialogue.js";
import { endedText } from "./ended-text.js";
import { type FormDriver, openRichForm, type RichEnding } from "./rich/rich-form.js";
import { type Capabilities, detectCapabilities, type Environment } from "./screen/capabilities.js";
import { nodeTerminal } from "./screen/terminal.js";

export interface SurfaceOptions {
  /** Where keys come from; the standard input of this process by default. */
  readonly input?: Input;
  /** Where the form is drawn; the standard error of this process by default, because its output may be piped. */
  readonly output?: Output;
  /** The language, such as `vi`; by default the one of the environment. */
  readonly locale?: string;
  /** Line by line and without moving the cursor, as screen readers need it; by default as the environment says. */
  readonly plain?: boolean;
  readonly environment?: Environment;
  readonly clock?: Clock;
}

export interface ShownForm {
  readonly ask: Pick<AskRequest, "context" | "deadline" | "timeoutMs">;
  /** Makes the form; `changed` is called after every change of it. */
  readonly open: (changed: () => void) => FormDriver | Promise<FormDriver>;
  /** Leaving does not end the ask. */
  readonly staysPending: boolean;
  /** Whether to write how the ask ended elsewhere; true by default. */
  readonly reportsEnd?: boolean;
}

/** The options of a surface with everything filled in. */
export interface Surface {
  readonly input: Input;
  readonly output: Output;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly locale: string | undefined;
  readonly capabilities: Capabilities;
  readonly isPlain: boolean;
}

export function surfaceOf(options: SurfaceOptions): Surface {
  const { input = process.stdin, output = process.stderr, environment = process.env } = options;
  const { clock = systemClock, locale = localeOf(environment) } = options;
  const isTTY = input.isTTY === true && output.isTTY === true;
  const capabilities = detectCapabilities(environment, { isTTY, platform: process.platform });
  const isPlain = !capabilities.cursor || (options.plain ?? wantsPlain(environment));
  return { input, output, environment, clock, locale, capabilities, isPlain };
}

export interface ShownEnding {
  readonly kind: RichEnding["kind"];
  readonly driver: FormDriver;
}

/** Resolves when the form has ended, was left, or nobody can answer it any more. */
export async function showForm(
  { ask, open, staysPending, reportsEnd = true }: ShownForm,
  options: SurfaceOptions,
  signal: AbortSignal,
): Promise<ShownEnding> {
  const { input, output, environment, clock, locale, capabilities, isPlain } = surfaceOf(options);
  const listeners = new Set<() => void>();
  const driver = await open(() => {
    for (const listener of listeners) listener();
  });
  const kind = await (isPlain ? showPlainly() : showRichly());
  const { phase } = driver.state;
  if (phase.kind === "settled" && !phase.ours && reportsEnd)
    output.write(`${endedText(phase.outcome, formWords(locale))}\n`);
  return { kind: phase.kind === "settled" ? "settled" : kind, driver };

  async function showRichly(): Promise<RichEnding["kind"]> {
    const form = await openRichForm(driver, {
      terminal: nodeTerminal({ input, output, capabilities }),
      capabilities,
      clock,
      context: ask.context,
      deadline: ask.deadline ?? (ask.timeoutMs === undefined ? undefined : clock.now() + ask.timeoutMs),
      locale,
      signal,
      staysPending,
      edit: async (text, name) => {
        const { editExternally } = await import("./rich/external-editor.js");
        return editExternally(text, name, { environment, input: input.fd ?? 0, output: output.fd ?? 2 });
      },
    });
    listeners.add(form.changed);
    form.changed();
    return (await form.ended).kind;
  }

  async function showPlainly(): Promise<RichEnding["kind"]> {
    const { runPlainForm } = await import("./plain/plain-form.js");
    // What ends elsewhere must not leave a person at a prompt.
    const ended = new AbortController();
    listeners.add(() => {
      if (driver.state.phase.kind === "settled") ended.abort();
    });
    const dialogue = openDialogue(input, output, AbortSignal.any([signal, ended.signal]), locale);
    const nextChange = (): Promise<void> =>
      new Promise((resolve) => {
        const listener = (): void => {
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      });
    try {
      return (await runPlainForm(driver, dialogue, { context: ask.context, locale, nextChange })).kind;
    } finally {
      dialogue.close();
    }
  }
}

/** Whether the person has asked for lines instead of a screen, here or for the agent that this runs in. */
function wantsPlain({ ASKLINE_PLAIN, CLAUDE_AX_SCREEN_READER }: Environment): boolean {
  const [wanted] = [ASKLINE_PLAIN, CLAUDE_AX_SCREEN_READER].filter(
    (value) => value !== undefined && value !== "",
  );
  return wanted !== undefined && !/^(0|false|no|off)$/i.test(wanted);
}

/** The locale in which a person reads messages, from the variables that POSIX names. */
function localeOf({ LC_ALL, LC_MESSAGES, LANG }: Environment): string | undefined {
  return [LC_ALL, LC_MESSAGES, LANG].find((value) => value !== undefined && value !== "");
}
