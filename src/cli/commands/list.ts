import { pages } from "../../core/kit/pages.js";
import { defined } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import type { AskFilter, AskPage } from "../../core/model/ports.js";
import { displayLine } from "../../core/text/display.js";
import { fold } from "../../people/inbox/crowd.js";
import { type RemoteFlags, withClient } from "../connect/open-client.js";
import { type Define, examples, readStatus, withReader } from "../input/command.js";
import { shellQuote } from "../output/answer-hint.js";
import { shortId } from "../output/ask-summary.js";
import { askTable } from "../output/ask-table.js";
import { columnsOf, print } from "../output/print.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withReader(command)
    .option("--status <status>", "pending, settled, all, or how they ended: answered, expired …", "pending")
    .option("--session <id>", "only asks of this conversation")
    .option("--agent <id>", "only asks of this agent")
    .option("--limit <count>", "at most this many, up to 500", "50")
    .option("--after <cursor>", "continue after a page; the page prints the cursor")
    .option("--newest", "newest first")
    .option("--all", "every pending ask, also the rest of an agent that has more than 20")
    .addHelpText(
      "after",
      examples(
        "askline list",
        "askline list --status all --newest",
        "askline list --json | jq -r '.asks[].id'",
      ),
    )
    .action(async () => end(await runList(command.optsWithGlobals() as ListFlags, world)));
};

/** Asks that are read to find those of other agents. */
const MOST_READ = 20_000;

export interface ListFlags extends RemoteFlags {
  readonly status: string;
  readonly session?: string;
  readonly agent?: string;
  readonly limit: string;
  readonly after?: string;
  readonly newest?: boolean;
  readonly all?: boolean;
}

/** `askline list`: the pending asks, or others. */
async function runList(flags: ListFlags, world: World): Promise<number> {
  const limit = readLimit(flags.limit);
  const filter = readFilter(flags);
  return withClient(flags, "person", world, async ({ client, hint }) => {
    const order = flags.newest ? "newest" : "oldest";
    const readPage = (after: string | undefined, count: number): ReturnType<typeof client.list> =>
      client.list(filter, { limit: count, order, after });
    const page = await readPage(flags.after, limit);
    const isFolded = flags.status === "pending" && !flags.all && !flags.json && isCrowded(page.asks);
    if (isFolded) {
      // One agent may have thousands: what others ask comes after them.
      const asks: Ask[] = [];
      const unknown: NonNullable<AskPage["unknown"]>[number][] = [];
      for await (const read of pages<string, AskPage>(async (after) =>
        after === undefined ? page : readPage(after, 500),
      )) {
        asks.push(...read.asks);
        unknown.push(...(read.unknown ?? []));
        if (asks.length >= MOST_READ) break;
      }
      await print(world, false, undefined, () =>
        foldedLines({ asks, unknown }, flags, world, hint).join("\n"),
      );
      return 0;
    }
    const more =
      page.next === undefined
        ? []
        : ["", `More: askline list${hint}${filterHint(flags)} --after ${shellQuote(page.next)}`];
    await print(world, flags.json, page, () =>
      [...listLines(page.asks, flags, world, hint), ...unknownLines(page), ...more].join("\n"),
    );
    return 0;
  });
}

function isCrowded(asks: readonly Ask[]): boolean {
  return fold(asks.map((ask) => ({ ask }))).some(({ more }) => more !== undefined);
}

/** Of each agent the first asks, then how many more there are. */
function foldedLines(
  { asks, unknown }: AskPage,
  flags: ListFlags,
  world: World,
  hint: string,
): readonly string[] {
  const rows = fold(asks.map((ask) => ({ ask })));
  const shown = rows.flatMap(({ ask, more }) => (more === undefined ? [ask] : []));
  const rest = rows.flatMap(({ more }) => (more === undefined ? [] : [more]));
  return [
    ...listLines(shown, flags, world, hint),
    ...unknownLines({
      asks: shown,
      unknown: unknown?.filter(({ ask }) => shown.some(({ id }) => id === ask)) ?? [],
    }),
    "",
    ...rest.map(({ agent, count }) => `${count} more of ${displayLine(agent)}`),
    `Every ask: askline list${hint}${filterHint(flags)} --all`,
  ];
}

function listLines(asks: readonly Ask[], flags: ListFlags, world: World, hint: string): readonly string[] {
  const columns = columnsOf(world);
  if (asks.length === 0) {
    return [flags.status === "pending" ? "Nothing is waiting for an answer." : "No asks found."];
  }
  const lines = askTable(asks, { now: world.clock.now(), columns, statuses: flags.status !== "pending" });
  return columns === undefined || flags.status !== "pending"
    ? lines
    : [...lines, "", nextStep(asks.slice(0, 1).map(shortId).join(""), hint)];
}

function unknownLines({ unknown = [], asks }: AskPage): readonly string[] {
  return unknown.map(({ ask, people }) => {
    const id = asks
      .filter((each) => each.id === ask)
      .map(shortId)
      .join("");
    return `warning: ${id} is for ${people.map(displayLine).join(", ")}, whom the server does not know, or who left`;
  });
}

function nextStep(id: string, hint: string): string {
  return `askline show ${id}${hint}, or askline answer ${id}${hint}`;
}

/** The flags that choose asks, for the line that prints the next page. */
function filterHint({ status, session, agent, limit, newest, all, as }: ListFlags): string {
  const given = [
    ...(status === "pending" ? [] : ["--status", status]),
    ...(session === undefined ? [] : ["--session", session]),
    ...(agent === undefined ? [] : ["--agent", agent]),
    ...(limit === "50" ? [] : ["--limit", limit]),
    ...(newest ? ["--newest"] : []),
    ...(all ? ["--all"] : []),
    ...(as === undefined || as === "person" ? [] : ["--as", as]),
  ];
  return given.map((word) => ` ${shellQuote(word)}`).join("");
}

/** The filter of `--status`, `--session` and `--agent`. */
function readFilter(flags: Pick<ListFlags, "status" | "session" | "agent">): AskFilter {
  return defined({ status: readStatus(flags.status), session: flags.session, agentId: flags.agent });
}

function readLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= 500) return limit;
  throw new CommandError(`--limit "${text}" must be a number from 1 to 500`);
}
