import { resolve } from "node:path";
import { defined } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import { displayLine } from "../../core/text/display.js";
import { type Line, nextLine } from "../../people/terminal/line-reader.js";
import type { Conversation } from "../acp/run-agent.js";
import { openAgentPort } from "../connect/agent-port.js";
import type { RemoteFlags } from "../connect/open-client.js";
import { collect, type Define, examples, withStartedServer } from "../input/command.js";
import { whatAndHow } from "../output/answer-hint.js";
import { readSettings } from "../settings/settings.js";
import { CommandError, FAULT_EXIT_CODE, SIGNAL_EXIT_CODES } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withStartedServer(command.argument("<agent...>", "the agent's command line, after --"))
    .option("-p, --prompt <text>", "what to tell the agent; repeatable, a turn each (stdin)", collect)
    .option("--cwd <folder>", "the folder that the agent works in (the current one)")
    .option("--resume <session>", "go on with an earlier session, if the agent can")
    .option("--recipient <person>", "who may answer; repeatable (everyone)", collect)
    .addHelpText("after", HELP)
    .action(async (agent: readonly string[]) => end(await runAcp(agent, command.optsWithGlobals(), world)));
};

const HELP = `
Runs a coding agent that speaks the Agent Client Protocol (ACP), such as "opencode acp" or "gemini --acp". When it asks
for permission, or has a form to fill in, the question goes to your inbox: answer at "askline inbox", the page or your
phone. The prompt is --prompt, or stdin; at a terminal each line is a prompt, Ctrl-C cancels a turn and Ctrl-D ends.
What the agent says goes to stdout, what it does to stderr; with --json, each update is a line of JSON.
${examples('askline acp --prompt "Fix the failing test" -- opencode acp', "askline acp -- gemini --acp < task.md")}`;

interface AcpFlags extends RemoteFlags {
  readonly prompt?: readonly string[];
  readonly cwd?: string;
  readonly resume?: string;
  readonly recipient?: readonly string[];
}

/** `askline acp`: a conversation with an agent, which ends with the agent or with the prompts. */
async function runAcp(agent: readonly string[], flags: AcpFlags, world: World): Promise<number> {
  const settings = await readSettings(flags, world);
  const { port, hint } = await openAgentPort(flags, settings, world);
  const { runAgent } = await import("../acp/run-agent.js");
  const { updatePrinter } = await import("../acp/print-updates.js");
  const printer = updatePrinter(world, flags.json === true);
  const onAsk = (ask: Ask): void =>
    printer.say(`askline: the agent waits for an answer: ${whatAndHow(ask, hint)}`);
  const cwd = resolve(world.folder, flags.cwd ?? ".");
  try {
    return await runAgent(
      {
        ...{ agent, cwd, resume: flags.resume, port, printer, world },
        options: { onAsk, ask: defined({ recipients: flags.recipient }) },
      },
      (conversation) => talk(conversation, flags.prompt, world),
    );
  } finally {
    await port.close();
  }
}

async function talk(
  conversation: Conversation,
  given: readonly string[] | undefined,
  world: World,
): Promise<number> {
  const interactive = given === undefined && world.stdin.isTTY === true;
  const prompts = given?.values() ?? [].values();
  let exitCode = 0;
  if (interactive) world.stderr.write(`askline: session ${displayLine(conversation.sessionId)}\n`);
  for (let first = true; ; first = false) {
    const interruption = world.interruption();
    const { signal } = interruption;
    try {
      const text = interactive
        ? await typedPrompt(world, signal)
        : given === undefined
          ? first
            ? await wholeInput(world, signal)
            : undefined
          : prompts.next().value;
      const received = interruption.received();
      if (received !== undefined) return SIGNAL_EXIT_CODES[received];
      if (text === undefined) return exitCode;
      if (text.trim() === "") continue;
      const stopReason = await conversation.turn(text, signal);
      const ended = interruption.received();
      // At a terminal, Ctrl-C cancels the turn only.
      if (ended !== undefined && !(interactive && ended === "SIGINT")) return SIGNAL_EXIT_CODES[ended];
      exitCode = stopReason === "end_turn" || stopReason === "cancelled" ? 0 : FAULT_EXIT_CODE;
      if (stopReason !== "end_turn")
        world.stderr.write(`askline: the turn ended: ${STOPPED[stopReason] ?? stopReason}\n`);
    } finally {
      interruption.dispose();
    }
  }
}

const STOPPED: Readonly<Record<string, string>> = {
  cancelled: "cancelled",
  max_tokens: "the agent's model reached its limit of tokens",
  max_turn_requests: "the agent reached its limit of model requests",
  refusal: "the agent refuses to go on",
};

/** The next line at the terminal; undefined at its end. */
async function typedPrompt({ stdin, stderr }: World, signal: AbortSignal): Promise<string | undefined> {
  for (;;) {
    stderr.write("> ");
    const line: Line = await nextLine(stdin, signal);
    if (line.kind === "line") return line.text;
    if (line.kind !== "too_long") {
      stderr.write("\n");
      return undefined;
    }
    stderr.write("askline: the line is too long; put it into a file, and use < file\n");
  }
}

/** Everything on stdin, as one prompt. */
async function wholeInput({ stdin }: World, signal: AbortSignal): Promise<string> {
  const lines: string[] = [];
  for (;;) {
    const line = await nextLine(stdin, signal);
    if (line.kind === "too_long") throw new CommandError("the prompt on stdin has a line that is too long");
    if (line.kind !== "line") break;
    lines.push(line.text);
  }
  const text = lines.join("\n");
  if (text.trim() === "" && !signal.aborted) {
    throw new CommandError('there is no prompt; use --prompt "…", or write it to stdin');
  }
  return text;
}
