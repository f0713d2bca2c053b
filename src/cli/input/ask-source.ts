import { LIMITS } from "../../core/kit/limits.js";
import type { AskInput } from "../../core/model/ask.js";
import type { OptionInput } from "../../core/model/option.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";
import { parseInput, readAll, readInputFile } from "./read-json.js";

/** The flags of `askline ask` that make up an ask. */
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
  /** The JSON document, for formats that echo it; absent for flags. */
  readonly document?: unknown;
  /** Stdin cannot carry both the ask and its answers. */
  readonly answersFrom: "stdin" | "terminal";
}

const NEXT_STEP = 'run "askline ask --help" for examples';

// A character of JSON text is at most three bytes of UTF-8.
const MOST_BYTES = LIMITS.askLength * 3;

/** Reads the ask from the flags, a file or stdin. Undefined if the signal aborts first. */
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
      `there is nothing to ask; use --question or --file, or pipe in a JSON ask; ${NEXT_STEP}`,
    );
  }
  const text = await readAll(world.stdin, MOST_BYTES, signal);
  if (signal.aborted) return undefined;
  if (text === undefined)
    throw new CommandError(`the ask on stdin is larger than ${MOST_BYTES} bytes; shorten it`);
  if (text.trim() === "") {
    throw new CommandError(
      `there is nothing to ask, because stdin is empty; use --question or --file; ${NEXT_STEP}`,
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
    throw new CommandError(`--file and --${other} cannot be combined; put the whole ask into the file`);
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

/** `Label` or `Label :: Description`. The spaces are required, so `std::vector` is a label. */
function optionOfFlag(text: string): OptionInput {
  const at = text.indexOf(DESCRIPTION_MARK);
  if (at < 0) return text;
  return { label: text.slice(0, at).trim(), description: text.slice(at + DESCRIPTION_MARK.length).trim() };
}

function parseAskText(text: string, from: string): unknown {
  return parseInput(text, "ask", from, `; ${NEXT_STEP}`);
}
