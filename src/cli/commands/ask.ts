import { Option } from "commander";
import { formatIssues } from "../../core/kit/issue.js";
import { profiles } from "../../core/kit/profiles.js";
import { defined } from "../../core/kit/tools.js";
import type { AskInput, AskRequest } from "../../core/model/ask.js";
import type { Outcome } from "../../core/model/outcome.js";
import { parseAsk } from "../../core/rules/parse-ask.js";
import { formatAnswers } from "../../core/text/canonical.js";
import { describeOutcome } from "../../core/text/describe-outcome.js";
import { displayText } from "../../core/text/display.js";
import { namedUrl } from "../connect/named-url.js";
import type { RemoteFlags } from "../connect/open-client.js";
import { askPerson, type SurfaceFlags } from "../input/ask-person.js";
import { type AskFlags, type AskSource, readAskSource } from "../input/ask-source.js";
import { collect, type Define, withRemote } from "../input/command.js";
import { requireDuration } from "../input/time-flags.js";
import { jsonText, writeAll } from "../output/print.js";
import {
  BAD_INPUT_EXIT_CODE,
  CommandError,
  exitCodeOf,
  FAULT_EXIT_CODE,
  OUTCOME_EXIT_CODES,
  SIGNAL_EXIT_CODES,
} from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  command
    .option("-q, --question <text>", "the question")
    .option("--header <text>", "a short label for the question")
    .option("-o, --option <label>", 'a choice, "Label" or "Label :: Description"; repeatable', collect)
    .option("-m, --multi", "allow several choices")
    .option("-c, --context <markdown>", "what the person needs to know to decide")
    .option("-f, --file <path>", "a JSON ask; - is stdin")
    .addOption(new Option("--format <format>", "how to print the outcome").choices(FORMATS).default("text"))
    .option("-t, --timeout <duration>", "expire after this long: 500ms, 30s, 5m, 2h")
    .option("--plain", "line by line, for screen readers (ASKLINE_PLAIN)")
    .option("--lang <language>", "the language of the form: en, vi (otherwise as LANG says)")
    .option("--here", "ask at this terminal, also if a server runs on this machine")
    .option("--session <id>", "with a server: the conversation that the ask belongs to")
    .option("--key <key>", "with a server: asking again with this session and key returns the same ask")
    .option("--recipient <person>", "with a server: a person who may answer; repeatable", collect);
  withRemote(command, "the one that runs on this machine, or ask at this terminal")
    .addHelpText("after", HELP)
    .action(async () => end(await runAsk(command.optsWithGlobals() as AskCommandFlags, world)));
};

const EXIT_CODES: readonly (readonly [number, string])[] = [
  [OUTCOME_EXIT_CODES.answered, "answered, or every action approved or edited"],
  [FAULT_EXIT_CODE, "an unexpected error"],
  [BAD_INPUT_EXIT_CODE, "the command line or the ask is invalid"],
  [OUTCOME_EXIT_CODES.declined, "declined (a blank line), or an action was rejected"],
  [OUTCOME_EXIT_CODES.expired, "expired: nobody answered in time"],
  [OUTCOME_EXIT_CODES.unavailable, "unavailable: no terminal, or the input ended"],
  [OUTCOME_EXIT_CODES.replied, "replied: the person wrote a message instead of choosing"],
  [OUTCOME_EXIT_CODES.withdrawn, "withdrawn: Ctrl-C (143 for SIGTERM, 129 for SIGHUP)"],
];

const HELP = `
The ask comes from --question, from --file, or as JSON on stdin. With --question and --file, answers are read from
stdin; with an ask on stdin, from the controlling terminal. Prompts go to stderr or the terminal; only the outcome
goes to stdout. With --url or ASKLINE_URL, or if a server runs on this machine, the ask goes to that server, and the
command waits for the outcome. It asks at this terminal if no server runs, with --here, or if answers are piped in.

Examples:
  $ askline ask --question "Which auth?" --option "OAuth :: Browser flow" --option "API key"
  $ printf '2\\n' | askline ask --question "Which auth?" --option OAuth --option "API key" --format json
  $ askline ask --file ask.json --timeout 5m
  $ echo '{"questions":[{"question":"Ship it?","options":["Yes","No"]}]}' | askline ask
  $ askline ask --here --question "Ship it?" --option Yes --option No
  $ askline ask --url http://127.0.0.1:4780 --session release-42 --key ship --file ask.json

Exit codes:
${EXIT_CODES.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`).join("\n")}
`;

export interface AskCommandFlags extends AskFlags, RemoteFlags, SurfaceFlags {
  readonly format: Format;
  readonly timeout?: string;
  readonly session?: string;
  readonly key?: string;
  readonly here?: boolean;
  readonly recipient?: readonly string[];
}

/**
 * `askline ask`: asks the person at the terminal, or through a server, prints the outcome and exits with its code.
 */
async function runAsk(flags: AskCommandFlags, world: World): Promise<number> {
  const timeoutMs = flags.timeout === undefined ? undefined : requireDuration("--timeout", flags.timeout);
  const format = flags.json && flags.format === "text" ? "json" : flags.format;
  const named = namedUrl(flags, world);
  if (flags.here && flags.url !== undefined) throw new CommandError("--here and --url cannot be combined");
  const running = named === undefined && !flags.here ? await findRunning(flags, world) : undefined;
  if (flags.here || (named ?? running) === undefined) refuseRemoteFlags(flags);
  const interruption = world.interruption();
  try {
    const source = await readAskSource(flags, world, interruption.signal);
    // Interrupted before the ask was read, so there is no outcome to print.
    if (source === undefined) return SIGNAL_EXIT_CODES[interruption.received() ?? "SIGINT"];
    const ask = parseSource(source, format);
    const found = running === undefined || hasTypedAnswers(source, flags, world) ? undefined : running;
    const url = flags.here ? undefined : (named ?? found);
    if (found !== undefined) {
      world.stderr.write(`askline: asking through the server at ${found}; --here asks at this terminal\n`);
    }
    const outcome = await (url !== undefined
      ? askRemotely(
          ask,
          { ...flags, ...(named === undefined && { url }) },
          timeoutMs,
          world,
          interruption.signal,
        )
      : askPerson(ask, source, { ...flags, timeoutMs }, world, interruption.signal));
    const text = await outcomeText(format, ask, outcome, source.document, world.stdout);
    // A blank line between the prompts and the outcome.
    if (world.stdout.isTTY) world.stderr.write("\n");
    // A pipe gets every character unchanged; control characters in a model's labels must not reach a terminal.
    await writeAll(world.stdout, `${world.stdout.isTTY ? displayText(text) : text}\n`);
    const received = interruption.received();
    return outcome.kind === "withdrawn" && received ? SIGNAL_EXIT_CODES[received] : exitCodeOf(outcome);
  } finally {
    interruption.dispose();
  }
}

/** The server that runs on this machine. Looks at a file first: a person at a terminal should not wait for more. */
async function findRunning(flags: AskCommandFlags, world: World): Promise<string | undefined> {
  const [{ readSettings }, { lastRunning }] = await Promise.all([
    import("../settings/settings.js"),
    import("../connect/last-server.js"),
  ]);
  const { data } = await readSettings(flags, world);
  const url = lastRunning(data);
  if (url === undefined) return undefined;
  const [{ probe, replaceOutdated }, { readCredentials }] = await Promise.all([
    import("../connect/background.js"),
    import("../connect/credentials.js"),
  ]);
  const token = flags.token ?? readCredentials(data, url)?.agent;
  if (token === undefined) return undefined;
  if ((await probe(data, url, token)) !== undefined) return url;
  await replaceOutdated(data, false);
  return undefined;
}

/** Whether a script pipes the answers in, as `printf '2\\n' | askline ask …` does. */
function hasTypedAnswers({ answersFrom }: AskSource, flags: AskCommandFlags, world: World): boolean {
  if (answersFrom !== "stdin" || remoteFlag(flags) !== undefined) return false;
  return world.stdin.isTTY !== true && world.hasInput !== false;
}

function remoteFlag(flags: AskCommandFlags): string | undefined {
  return (["session", "key", "recipient", "token"] as const).find((name) => flags[name] !== undefined);
}

function refuseRemoteFlags(flags: AskCommandFlags): void {
  const given = remoteFlag(flags);
  if (given === undefined) return;
  throw new CommandError(
    flags.here
      ? `--${given} is for asking through a server, and --here asks at this terminal`
      : `--${given} is for asking through a server, and none runs on this machine; start one with "askline serve", give its --url, or set ASKLINE_URL`,
  );
}

/** Refuses, before anyone is asked, an ask whose outcome the format could not express. */
function parseSource({ input }: AskSource, format: Format): AskRequest {
  const parsed = parseAsk(input, format === "claude" ? { profile: profiles.claude } : {});
  if (!parsed.ok) {
    const issues = formatIssues(parsed.issues).replaceAll("\n", "; ");
    throw new CommandError(`invalid ask: ${issues}`);
  }
  if (format !== "claude") return parsed.ask;
  if (parsed.ask.approval !== undefined) {
    throw new CommandError("--format claude is for questions; use json or text for an approval");
  }
  // The format can express a skipped question only within a session, and there is none here.
  return { ...parsed.ask, allowPartial: false };
}

/** Long enough for a server that is just starting, short enough to report one that is down. */
const RETRY_FOR_MS = 5_000;

/** Asks through the server that the flags or the environment name. */
async function askRemotely(
  ask: AskRequest,
  flags: AskCommandFlags,
  timeoutMs: number | undefined,
  world: World,
  signal: AbortSignal,
): Promise<Outcome> {
  // Loaded only here: a person who is asked at this terminal does not wait for it.
  const [{ withClient }, { askServer }, { answerHint }, { stderrLogger }] = await Promise.all([
    import("../connect/open-client.js"),
    import("../connect/ask-server.js"),
    import("../output/answer-hint.js"),
    import("../output/logger.js"),
  ]);
  const request = requestOf(ask, flags, timeoutMs);
  if (request.key !== undefined && !request.session) stderrLogger(world).warn(KEY_WITHOUT_SESSION);
  return withClient(
    flags,
    "agent",
    world,
    ({ client, hint }) =>
      askServer(request, {
        client,
        signal,
        logger: stderrLogger(world),
        asked: (stored) => {
          const [how] = answerHint(stored, hint).split("\n");
          world.stderr.write(`askline: ${stored.id} is waiting for an answer: ${how}\n`);
        },
      }),
    { retryForMs: RETRY_FOR_MS, logger: stderrLogger(world) },
  );
}

const KEY_WITHOUT_SESSION =
  "a key without --session finds the ask again only while it is pending or its outcome was not delivered yet";

/** Flags take precedence over the fields of the ask. */
function requestOf(
  { deadline, timeoutMs: own, ...ask }: AskRequest,
  { session, key, recipient }: AskCommandFlags,
  timeoutMs: number | undefined,
): AskInput {
  const given = timeoutMs === undefined ? {} : { timeoutMs };
  const wanted = defined({ deadline, timeoutMs: own });
  return {
    ...ask,
    ...(timeoutMs === undefined ? wanted : given),
    // --timeout always ends the ask, as it does without a server.
    ...(timeoutMs !== undefined && ask.onDeadline === "wait" && { onDeadline: "expire" as const }),
    ...defined({ session, key, recipients: recipient }),
  };
}

const FORMATS = ["text", "json", "claude"] as const;
type Format = (typeof FORMATS)[number];

/** The outcome as printed to stdout, without the last newline. */
async function outcomeText(
  format: Format,
  ask: AskRequest,
  outcome: Outcome,
  document: unknown,
  stdout: { readonly isTTY?: boolean },
): Promise<string> {
  switch (format) {
    case "text":
      return outcome.kind === "answered" ? formatAnswers(ask, outcome) : describeOutcome(ask, outcome);
    case "json":
      return jsonText(outcome, stdout);
    case "claude": {
      const { claude } = await import("../../agents/shapes/claude.js");
      return jsonText(claude.encodeOutcome(ask, outcome, { input: document }), stdout);
    }
  }
}
