import {
  type AskRequest,
  displayText,
  formatIssues,
  type Outcome,
  parseAsk,
  profiles,
} from "../../core/index.js";
import { stdinResolver } from "../../terminal/index.js";
import { type AskFlags, type AskSource, readAskSource } from "../ask-source.js";
import { CommandError } from "../command-error.js";
import { parseDuration } from "../duration.js";
import { exitCodeOf, SIGNAL_EXIT_CODES } from "../exit-codes.js";
import type { Format } from "../outcome-format.js";
import { outcomeText } from "../outcome-text.js";
import { withDeadline } from "../with-deadline.js";
import type { Interruption, Terminal, World } from "../world.js";
import { writeAll } from "../write-all.js";

export interface AskCommandFlags extends AskFlags {
  readonly format: Format;
  readonly timeout?: string;
}

/** `askline ask`: asks the person at the terminal, writes the outcome and says it by the exit code. */
export async function runAsk(flags: AskCommandFlags, world: World): Promise<number> {
  const timeoutMs = readTimeout(flags.timeout);
  const interruption = world.interruption();
  try {
    const source = await readAskSource(flags, world, interruption.signal);
    // Interrupted before the ask was read: there is no ask that could have an outcome.
    if (source === undefined) return SIGNAL_EXIT_CODES[interruption.received() ?? "SIGINT"];
    const ask = parseSource(source, flags.format);
    const outcome = await askPerson(ask, source, timeoutMs, world, interruption);
    const text = outcomeText(flags.format, ask, outcome, source.document);
    // On one screen with the prompts, the outcome stands apart from them.
    if (world.stdout.isTTY) world.stderr.write("\n");
    // A pipe gets every character as it is; a terminal must not be steered by a model's labels.
    await writeAll(world.stdout, `${world.stdout.isTTY ? displayText(text) : text}\n`);
    const received = interruption.received();
    return outcome.kind === "withdrawn" && received ? SIGNAL_EXIT_CODES[received] : exitCodeOf(outcome);
  } finally {
    interruption.dispose();
  }
}

function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) {
    throw new CommandError(`--timeout "${text}" is no duration; write it like 500ms, 30s, 5m or 2h`);
  }
  return milliseconds;
}

/** Refuses, before anyone is asked, what could not be told in the format afterwards. */
function parseSource({ input }: AskSource, format: Format): AskRequest {
  const parsed = parseAsk(input, format === "claude" ? { profile: profiles.claude } : {});
  if (!parsed.ok) {
    const issues = formatIssues(parsed.issues).replaceAll("\n", "; ");
    throw new CommandError(`this cannot be asked: ${issues}`);
  }
  if (format !== "claude") return parsed.ask;
  if (parsed.ask.approval !== undefined) {
    throw new CommandError("--format claude is for questions; use json or text for an approval");
  }
  // That format has no place for a skipped question unless the session says so, which nobody can here.
  return { ...parsed.ask, allowPartial: false };
}

async function askPerson(
  ask: AskRequest,
  source: AskSource,
  timeoutMs: number | undefined,
  world: World,
  { signal }: Interruption,
): Promise<Outcome> {
  const surface = openSurface(source, world);
  if (surface === undefined) {
    world.stderr.write(
      "askline: there is no terminal to ask on; run this in one, or give the ask by --question or --file and the answers on stdin\n",
    );
    return { kind: "unavailable", reason: "there is no terminal to ask on" };
  }
  try {
    const by = { kind: "person", id: world.user, surface: "terminal" } as const;
    const resolver = stdinResolver({ input: surface.input, output: surface.output, by });
    const timed = withDeadline(resolver, ask, { timeoutMs, clock: world.clock });
    return await timed.ask(ask, { signal });
  } finally {
    surface.close();
  }
}

/** Prompts never go to stdout: that is for the outcome alone. */
function openSurface({ answersFrom }: AskSource, world: World): Terminal | undefined {
  if (answersFrom === "terminal") return world.openTerminal();
  // Destroyed at the end: an open standard input would keep the process from ending.
  return { input: world.stdin, output: world.stderr, close: () => world.stdin.destroy() };
}
