import type { Client } from "../../client/connect.js";
import { isRecord } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import type { Ask } from "../../core/model/ask.js";
import { asEnding, type Ending } from "../../core/model/ending.js";
import { findPending } from "../connect/find-ask.js";
import { type RemoteFlags, withClient } from "../connect/open-client.js";
import { type SurfaceFlags, surfaceOptions } from "../input/ask-person.js";
import { ASK_ID, type Define, examples, withRemote } from "../input/command.js";
import { parseInput, readAll, readInputFile } from "../input/read-json.js";
import { type AnswerFlag, createFlagRecorder, readSubmission } from "../input/submission.js";
import { printEnding } from "../output/ask-summary.js";
import { SILENT } from "../output/logger.js";
import { CommandError, FAULT_EXIT_CODE, SIGNAL_EXIT_CODES } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  const recorder = createFlagRecorder();
  withRemote(command)
    .argument("<id>", ASK_ID)
    .argument("[answers...]", "question=choice for each: q2=1,3, q3=other my own words, q4= to skip")
    .option("-p, --pick <choice>", "an option by number, id or label; repeatable", recorder.record("pick"))
    .option("-t, --text <text>", "an answer in your own words", recorder.record("text"))
    .option("-n, --note <text>", "a note on this answer", recorder.record("note"))
    .option(
      "-q, --question <id>",
      "the question that the flags after it answer: id, number or header",
      recorder.record("question"),
    )
    .option("--skip", "leave the question blank, if the ask allows it")
    .on("option:skip", () => recorder.recordSkip())
    .option("--overall-note <text>", "a note on all answers together")
    .option("-f, --file <path>", "the whole answer as JSON, as the HTTP API takes it; - is stdin")
    .option("--plain", "line by line, for screen readers (ASKLINE_PLAIN)")
    .option("--lang <language>", "the language of the form: en, vi (otherwise as LANG says)")
    .addHelpText("after", HELP)
    .action(async (id: string, values: readonly string[]) => {
      const flags = command.optsWithGlobals() as AnswerCommandFlags;
      end(await runAnswer(id, values, recorder.flags, flags, world));
    });
};

const HELP = `
Without answers, at a terminal, this opens a form with your draft. Use the numbers that "askline show" prints. If the ask has several questions, name each one.
${examples(
  "askline answer 3f9a12bc",
  "askline answer 3f9a12bc --pick 2",
  'askline answer 3f9a12bc --pick Go --pick Zig --text "and C" --note "in this order"',
  'askline answer 3f9a12bc q1=2 q2=1,3 q3="other something else"',
  'askline answer 3f9a12bc --question q1 --pick 2 --question q2 --text "in May"',
  'echo \'{"answers":[{"question":"q1","selected":["o2"]}]}\' | askline answer 3f9a12bc --file -',
)}`;

export interface AnswerCommandFlags extends RemoteFlags, SurfaceFlags {
  readonly file?: string;
  readonly overallNote?: string;
}

/** `askline answer ID`: answers the questions of an ask. */
async function runAnswer(
  id: string,
  values: readonly string[],
  ordered: readonly AnswerFlag[],
  flags: AnswerCommandFlags,
  world: World,
): Promise<number> {
  if (
    flags.file !== undefined &&
    (values.length > 0 || ordered.length > 0 || flags.overallNote !== undefined)
  ) {
    throw new CommandError("--file contains the whole answer; omit the other answers");
  }
  const isBare =
    flags.file === undefined &&
    values.length === 0 &&
    ordered.length === 0 &&
    flags.overallNote === undefined;
  if (isBare && world.stdin.isTTY === true) return answerInForm(id, flags, world);
  const ending = flags.file === undefined ? undefined : await readEnding(flags.file, world);
  return withClient(flags, "person", world, async ({ client, hint }) => {
    const ask = await findPending(client, id, hint);
    const ended = await (ending === undefined
      ? answer(client, ask, values, ordered, flags)
      : client.settle(ask.id, ending));
    await printEnding(ended, flags, world);
    return 0;
  });
}

/** Opens the form of an ask at this terminal. Messages about the server would be written over it; it shows its own. */
async function answerInForm(id: string, flags: AnswerCommandFlags, world: World): Promise<number> {
  const interruption = world.interruption();
  try {
    return await withClient(
      flags,
      "person",
      world,
      async ({ client, hint }) => {
        const ask = await findPending(client, id, hint);
        const { answerAsk, followAsk } = await import("../../people/terminal/answer-ask.js");
        const { kind, driver } = await answerAsk(
          ask,
          {
            inbox: client,
            follow: followAsk(client, ask),
            // The server takes the person from the token.
            by: { kind: "person", id: world.user, surface: "terminal" },
            input: world.stdin,
            output: world.stderr,
            ...surfaceOptions(flags, world),
          },
          interruption.signal,
        );
        const { phase } = driver.state;
        if (phase.kind === "settled") {
          if (phase.ours) await printEnding(await client.get(ask.id), flags, world);
          return phase.ours ? 0 : FAULT_EXIT_CODE;
        }
        const saved = driver.saving === "saved" ? "; your draft is saved" : "";
        world.stderr.write(`askline: ${ask.id} is still open${saved}\n`);
        return kind === "left" || kind === "ended"
          ? FAULT_EXIT_CODE
          : SIGNAL_EXIT_CODES[interruption.received() ?? "SIGINT"];
      },
      { logger: SILENT },
    );
  } finally {
    interruption.dispose();
    world.stdin.destroy();
  }
}

function answer(
  client: Client,
  ask: Ask,
  values: readonly string[],
  ordered: readonly AnswerFlag[],
  flags: AnswerCommandFlags,
): Promise<Ask> {
  if (ask.approval !== undefined) {
    throw new CommandError(`${ask.id} is an approval; use "askline approve" or "askline reject"`);
  }
  return client.answer(ask.id, readSubmission(ask, values, ordered, flags.overallNote));
}

const MOST_BYTES = LIMITS.askLength;

/** The body of a route of the HTTP API: answers or decisions. The server validates it. */
async function readEnding(file: string, world: World): Promise<Ending> {
  const text = file === "-" ? await readStdin(world) : await readInputFile(file, world);
  const body = parseInput(text, "answer", file === "-" ? "stdin" : file);
  const isEnding = isRecord(body) && (Array.isArray(body.answers) || Array.isArray(body.decisions));
  if (isEnding) return asEnding(Array.isArray(body.decisions) ? "decide" : "answer", body);
  throw new CommandError(
    'the answer must look like {"answers":[{"question":"q1","selected":["o2"]}]} or {"decisions":[…]}',
  );
}

async function readStdin(world: World): Promise<string> {
  const text = await readAll(world.stdin, MOST_BYTES);
  if (text !== undefined) return text;
  throw new CommandError(`the answer on stdin is larger than ${MOST_BYTES} bytes; shorten it`);
}
