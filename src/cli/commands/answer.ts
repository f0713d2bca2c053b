import type { Client } from "../../client/index.js";
import { type Ask, displayLine, isRecord, LIMITS } from "../../core/index.js";
import type { AnswerFlag } from "../answering/answer-flags.js";
import { printEnding } from "../answering/print-ending.js";
import { readSubmission } from "../answering/submission.js";
import { CommandError } from "../command-error.js";
import { readAll } from "../read-all.js";
import { findAsk } from "../remote/find-ask.js";
import { type RemoteFlags, withClient } from "../remote/open-client.js";
import type { World } from "../world.js";

export interface AnswerCommandFlags extends RemoteFlags {
  readonly file?: string;
  readonly overallNote?: string;
}

/** `askline answer ID`: answers the questions of an ask. */
export async function runAnswer(
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
    throw new CommandError("--file brings the whole answer; leave the other answers away");
  }
  const body = flags.file === undefined ? undefined : await readBody(flags.file, world);
  return withClient(flags, "person", world, async ({ client, hint }) => {
    const ask = await findAsk(client, id, hint);
    const ended = await (body === undefined
      ? answer(client, ask, values, ordered, flags)
      : submit(client, ask, body));
    await printEnding(ended, flags, world);
    return 0;
  });
}

function answer(
  client: Client,
  ask: Ask,
  values: readonly string[],
  ordered: readonly AnswerFlag[],
  flags: AnswerCommandFlags,
): Promise<Ask> {
  if (ask.approval !== undefined) {
    throw new CommandError(
      `${ask.id} wants an approval, not an answer; use "askline approve" or "askline reject"`,
    );
  }
  return client.answer(ask.id, readSubmission(ask, values, ordered, flags.overallNote));
}

/** The body as the HTTP API takes it: answers, or decisions. The server checks what is in it. */
function submit(client: Client, { id }: Ask, body: Readonly<Record<string, unknown>>): Promise<Ask> {
  if (Array.isArray(body.decisions)) {
    return client.decide(id, body as unknown as Parameters<Client["decide"]>[1]);
  }
  return client.answer(id, body as unknown as Parameters<Client["answer"]>[1]);
}

const MOST_BYTES = LIMITS.askLength;

async function readBody(file: string, world: World): Promise<Readonly<Record<string, unknown>>> {
  const text = file === "-" ? await readStdin(world) : await readFile(file, world);
  let body: unknown;
  try {
    body = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const reason = error instanceof Error ? displayLine(error.message) : "not JSON";
    throw new CommandError(
      `the answer from ${file === "-" ? "stdin" : file} is not JSON (${reason})`,
      undefined,
      {
        cause: error,
      },
    );
  }
  if (isRecord(body) && (Array.isArray(body.answers) || Array.isArray(body.decisions))) return body;
  throw new CommandError(
    'the answer must be like {"answers":[{"question":"q1","selected":["o2"]}]} or {"decisions":[…]}',
  );
}

async function readStdin(world: World): Promise<string> {
  const text = await readAll(world.stdin, MOST_BYTES, new AbortController().signal);
  if (text !== undefined) return text;
  throw new CommandError(`the answer on stdin is larger than ${MOST_BYTES} bytes; send less`);
}

async function readFile(path: string, world: World): Promise<string> {
  try {
    return await world.readFile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`cannot read ${path} (${reason}); check --file`, undefined, { cause: error });
  }
}
