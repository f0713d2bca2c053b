import type { Ask } from "../../core/model/ask.js";
import { displayLine } from "../../core/text/display.js";
import { askerName, askSummary, outcomeSummary, shortId } from "./ask-summary.js";
import { type Column, tableLines } from "./table.js";
import { relativeTime, shortDuration } from "./units.js";

export interface AskTableOptions {
  readonly now: number;
  /** The width of the terminal. Without one, ids are complete and nothing is cut. */
  readonly columns: number | undefined;
  /** Whether to show a column with the status. */
  readonly statuses: boolean;
}

// A narrower table shows only the id, the age and the question.
const NARROW = 60;
const WIDE = 100;

/** Asks as the lines of a table, titles first. In a narrow terminal, columns are left out before the question is cut. */
export function askTable(
  asks: readonly Ask[],
  { now, columns, statuses }: AskTableOptions,
): readonly string[] {
  const room = columns ?? Number.POSITIVE_INFINITY;
  const has = (test: (ask: Ask) => boolean): boolean => asks.some(test);
  const table: readonly (Column<Ask> | false)[] = [
    { title: "ID", cell: (ask) => (columns === undefined ? ask.id : shortId(ask)) },
    { title: "AGE", cell: ({ createdAt }) => shortDuration(now - createdAt) },
    statuses && { title: "STATUS", cell: ({ status }) => status },
    room >= NARROW && { title: "FROM", cell: askerName, most: 16 },
    room >= WIDE && has(({ session }) => session !== "") && sessionColumn,
    room >= NARROW &&
      has(({ deadline, status }) => deadline !== undefined && status === "pending") && {
        title: "DUE",
        cell: ({ deadline, status }) =>
          deadline === undefined || status !== "pending" ? "" : relativeTime(deadline, now),
      },
    {
      title: "QUESTION",
      cell: (ask) => {
        const ending = outcomeSummary(ask);
        return ending === "" ? askSummary(ask) : `${askSummary(ask)} -> ${ending}`;
      },
    },
  ];
  return tableLines(table, asks, columns);
}

const sessionColumn: Column<Ask> = {
  title: "SESSION",
  cell: ({ session }) => displayLine(session),
  most: 20,
};
