import {
  type Answerer,
  type AskRequest,
  type Clock,
  type Outcome,
  type Resolver,
  resolverOf,
  systemClock,
} from "../core/index.js";
import { type Input, type Output, openDialogue } from "./dialogue.js";
import { inTurn } from "./in-turn.js";
import { localForm } from "./local-form.js";
import { type PlainEnding, runPlainForm } from "./plain/plain-form.js";
import { editExternally } from "./rich/external-editor.js";
import { openRichForm, type RichEnding } from "./rich/rich-form.js";
import { type Capabilities, detectCapabilities, type Environment, nodeTerminal } from "./screen/index.js";
import { stdinResolver } from "./stdin-resolver.js";

export interface TerminalResolverOptions {
  /** Where keys come from; the standard input of this process by default. */
  readonly input?: Input;
  /** Where the form is drawn; the standard error of this process by default, because its output may be piped. */
  readonly output?: Output;
  /** Who is said to have answered; the person `local` at the surface `terminal` by default. */
  readonly by?: Answerer;
  /** The language, such as `vi`; by default the one of the environment. */
  readonly locale?: string;
  /** Line by line and without moving the cursor, as screen readers need it; by default as the environment says. */
  readonly plain?: boolean;
  /** Called after Ctrl+C has given the terminal back; by default this process gets the signal that Ctrl+C stands for. */
  readonly onInterrupt?: () => void;
  readonly environment?: Environment;
  readonly clock?: Clock;
}

/**
 * Asks the person at this terminal with a form: arrows, digits, text fields, previews, a review. Line by line where the
 * person or the terminal wants it so, and as `stdinResolver` where the input is a pipe. Several asks at once are asked
 * one after another.
 *
 * @example
 * const resolver = terminalResolver();
 * const outcome = await resolver.ask({ questions: [{ question: "Which auth?", options: ["OAuth", "API key"] }] });
 */
export function terminalResolver(options: TerminalResolverOptions = {}): Resolver {
  const { input = process.stdin, output = process.stderr, environment = process.env } = options;
  const isTTY = input.isTTY === true && output.isTTY === true;
  const capabilities = detectCapabilities(environment, { isTTY, platform: process.platform });
  // A pipe answers by the rules of a pipe.
  if (input.isTTY !== true) return stdinResolver({ input, output, by: answererOf(options) });
  const isPlain = !capabilities.cursor || (options.plain ?? wantsPlain(environment));
  const setting: Setting = { ...options, input, output, environment, capabilities };
  return resolverOf((ask, { signal }) =>
    inTurn(input, async () => {
      if (signal.aborted) return { kind: "withdrawn" };
      return (isPlain ? askPlainly : askRichly)(ask, setting, signal);
    }),
  );
}

async function askPlainly(ask: AskRequest, setting: Setting, signal: AbortSignal): Promise<Outcome> {
  const { input, output, environment, clock = systemClock } = setting;
  const driver = localForm(ask, { by: answererOf(setting), clock, onChange: () => undefined });
  const dialogue = openDialogue(input, output, signal);
  try {
    const locale = setting.locale ?? localeOf(environment);
    const ending = await runPlainForm(driver, dialogue, { context: ask.context, locale });
    const { phase } = driver.state;
    return phase.kind === "settled" ? phase.outcome : ENDINGS[ending.kind];
  } finally {
    dialogue.close();
  }
}

function answererOf({ by }: TerminalResolverOptions): Answerer {
  return by ?? { kind: "person", id: "local", surface: "terminal" };
}

/** Whether the person has asked for lines instead of a screen, for this or for the agent that it runs in. */
export function wantsPlain({ ASKLINE_PLAIN, CLAUDE_AX_SCREEN_READER }: Environment): boolean {
  const [wanted] = [ASKLINE_PLAIN, CLAUDE_AX_SCREEN_READER].filter(
    (value) => value !== undefined && value !== "",
  );
  return wanted !== undefined && !/^(0|false|no|off)$/i.test(wanted);
}

interface Setting extends TerminalResolverOptions {
  readonly input: Input;
  readonly output: Output;
  readonly environment: Environment;
  readonly capabilities: Capabilities;
}

async function askRichly(ask: AskRequest, options: Setting, signal: AbortSignal): Promise<Outcome> {
  const { input, output, environment, capabilities, clock = systemClock } = options;
  const by = answererOf(options);
  let changed = (): void => undefined;
  const driver = localForm(ask, { by, clock, onChange: () => changed() });
  const deadline = ask.deadline ?? (ask.timeoutMs === undefined ? undefined : clock.now() + ask.timeoutMs);
  const form = await openRichForm(driver, {
    terminal: nodeTerminal({ input, output, capabilities }),
    capabilities,
    clock,
    context: ask.context,
    deadline,
    locale: options.locale ?? localeOf(environment),
    signal,
    staysPending: false,
    edit: (text, name) =>
      editExternally(text, name, { environment, input: input.fd ?? 0, output: output.fd ?? 2 }),
  });
  changed = form.changed;
  const ending = await form.ended;
  if (ending.kind === "interrupted") (options.onInterrupt ?? interruptProcess)();
  const { phase } = driver.state;
  return phase.kind === "settled" ? phase.outcome : ENDINGS[ending.kind];
}

const ENDINGS = {
  settled: { kind: "withdrawn" },
  interrupted: { kind: "withdrawn" },
  aborted: { kind: "withdrawn" },
  left: { kind: "unavailable", reason: "the person left the form without an answer" },
  ended: { kind: "unavailable", reason: "the terminal was closed before everything was answered" },
} satisfies Record<RichEnding["kind"] | PlainEnding["kind"], Outcome>;

/** The locale in which a person reads messages, from the variables that POSIX names. */
export function localeOf({ LC_ALL, LC_MESSAGES, LANG }: Environment): string | undefined {
  return [LC_ALL, LC_MESSAGES, LANG].find((value) => value !== undefined && value !== "");
}

/** What a terminal does at Ctrl+C outside of raw mode. */
function interruptProcess(): void {
  if (process.platform !== "win32") process.kill(process.pid, "SIGINT");
  else if (!process.emit("SIGINT")) process.exit(130);
}
