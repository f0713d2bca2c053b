import {
  type AskRequest,
  displayText,
  formatIssues,
  type Outcome,
  parseAsk,
  profiles,
} from "../../core/index.js";
import { type AskFlags, type AskSource, readAskSource } from "../ask-source.js";
import { CommandError } from "../command-error.js";
import { requireDuration } from "../duration.js";
import { exitCodeOf, SIGNAL_EXIT_CODES } from "../exit-codes.js";
import type { Format } from "../outcome-format.js";
import { outcomeText } from "../outcome-text.js";
import { namedUrl, type RemoteFlags } from "../remote/open-client.js";
import type { Interruption, World } from "../world.js";
import { writeAll } from "../write-all.js";

export interface AskCommandFlags extends AskFlags, RemoteFlags {
  readonly format: Format;
  readonly timeout?: string;
  readonly session?: string;
  readonly key?: string;
  readonly recipient?: readonly string[];
}

/**
 * `askline ask`: asks the person at the terminal, or through a server, writes the outcome and says it by the
 * exit code.
 */
export async function runAsk(flags: AskCommandFlags, world: World): Promise<number> {
  const timeoutMs = flags.timeout === undefined ? undefined : requireDuration("--timeout", flags.timeout);
  const format = flags.json && flags.format === "text" ? "json" : flags.format;
  const remote = namedUrl(flags, world) !== undefined;
  if (!remote) refuseRemoteFlags(flags);
  const interruption = world.interruption();
  try {
    const source = await readAskSource(flags, world, interruption.signal);
    // Interrupted before the ask was read: there is no ask that could have an outcome.
    if (source === undefined) return SIGNAL_EXIT_CODES[interruption.received() ?? "SIGINT"];
    const ask = parseSource(source, format);
    const outcome = await (remote
      ? askThroughServer(ask, flags, timeoutMs, world, interruption)
      : askHere(ask, source, timeoutMs, world, interruption));
    const text = outcomeText(format, ask, outcome, source.document);
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

function refuseRemoteFlags(flags: AskCommandFlags): void {
  const given = (["session", "key", "recipient", "token"] as const).find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  throw new CommandError(`--${given} is for asking through a server; give its --url, or set ASKLINE_URL`);
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

async function askHere(
  ask: AskRequest,
  source: AskSource,
  timeoutMs: number | undefined,
  world: World,
  { signal }: Interruption,
): Promise<Outcome> {
  const { askPerson } = await import("../ask-person.js");
  return askPerson(ask, source, timeoutMs, world, signal);
}

async function askThroughServer(
  ask: AskRequest,
  flags: AskCommandFlags,
  timeoutMs: number | undefined,
  world: World,
  { signal }: Interruption,
): Promise<Outcome> {
  // Loaded only here: who asks on the terminal needs no client.
  const { askRemotely } = await import("../remote/ask-remotely.js");
  return askRemotely(ask, flags, timeoutMs, world, signal);
}
