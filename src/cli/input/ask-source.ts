import { type AskInput, LIMITS, type OptionInput } from "../../core/index.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";
import { parseInput, readAll, readInputFile } from "./read-json.js";

/** The flags of `askline ask` that say what to ask. */
export interface AskFlags {
  readonly question?: string;
  readonly header?: string;
  readonly option?: readonly string[];
  readonly multi?: boolean;
  readonly context?: string;
  readonly file?: string;
}

export interface AskSource {
  readonly input: unknown;
  /** What a program sent, for formats that echo it; flags are none. */
  readonly document?: unknown;
  /** Standard input cannot bring both the ask and its answers. */
  readonly answersFrom: "stdin" | "terminal";
}

const NEXT_STEP = 'run "askline ask --help" for examples';

// A character of JSON text is at most three bytes of UTF-8.
const MOST_BYTES = LIMITS.askLength * 3;

/** Finds what to ask: in the flags, in a file, or on standard input. Undefined where the signal aborts first. */
export async function readAskSource(
  flags: AskFlags,
  world: Pick<World, "stdin" | "readFile">,
  signal: AbortSignal,
): Promise<AskSource | undefined> {
  refuseConflicts(flags);
  if (flags.question !== undefined) return { input: askOfFlags(flags, flags.question), answersFrom: "stdin" };
  if (flags.file !== undefined && flags.file !== "-") {
    return sourceOf(parseAskText(await readInputFile(flags.file, world), flags.file), "stdin");
  }
  if (world.stdin.isTTY) {
    throw new CommandError(
      `there is nothing to ask; give --question or --file, or pipe a JSON ask in; ${NEXT_STEP}`,
    );
  }
  const text = await readAll(world.stdin, MOST_BYTES, signal);
  if (signal.aborted) return undefined;
  if (text === undefined)
    throw new CommandError(`the ask on stdin is larger than ${MOST_BYTES} bytes; send less`);
  if (text.trim() === "") {
    throw new CommandError(
      `there is nothing to ask, for stdin is empty; give --question or --file; ${NEXT_STEP}`,
    );
  }
  return sourceOf(parseAskText(text, "stdin"), "terminal");
}

function sourceOf(document: unknown, answersFrom: AskSource["answersFrom"]): AskSource {
  return { input: document, document, answersFrom };
}

function refuseConflicts(flags: AskFlags): void {
  const parts = (["header", "option", "multi", "context"] as const).filter(
    (name) => flags[name] !== undefined,
  );
  if (flags.file !== undefined && (flags.question !== undefined || parts.length > 0)) {
    const other = flags.question === undefined ? parts[0] : "question";
    throw new CommandError(`--file and --${other} cannot go together; put all of the ask into the file`);
  }
  if (flags.question === undefined && parts.length > 0) {
    throw new CommandError(`--${parts[0]} needs --question; ${NEXT_STEP}`);
  }
}

function askOfFlags({ header, option, multi, context }: AskFlags, question: string): AskInput {
  return {
    questions: [
      {
        question,
        ...(header !== undefined && { header }),
        options: (option ?? []).map(optionOfFlag),
        ...(multi !== undefined && { multiSelect: multi }),
      },
    ],
    ...(context !== undefined && { context }),
  };
}

const DESCRIPTION_MARK = " :: ";

/** `Label` or `Label :: Description`. The spaces count, so that `std::vector` is a label. */
function optionOfFlag(text: string): OptionInput {
  const at = text.indexOf(DESCRIPTION_MARK);
  if (at < 0) return text;
  return { label: text.slice(0, at).trim(), description: text.slice(at + DESCRIPTION_MARK.length).trim() };
}

function parseAskText(text: string, from: string): unknown {
  return parseInput(text, "ask", from, `; ${NEXT_STEP}`);
}
