import { type Ask, displayLine } from "../../core/index.js";
import type { AuditEntry } from "../remote/read-audit.js";
import { askerName, askSummary } from "./ask-summary.js";
import { cut } from "./cut.js";
import { type Column, tableLines } from "./table.js";
import { exactTime } from "./time.js";

// Below this there is no room for the date.
const NARROW = 60;

/** What happened to an ask, a line each, below what was asked. */
export function auditText(ask: Ask, audit: readonly AuditEntry[], columns: number | undefined): string {
  const narrow = columns !== undefined && columns < NARROW;
  const table: readonly (Column<AuditEntry> | false)[] = [
    !narrow && { title: "WHEN", cell: ({ at }) => exactTime(at) },
    { title: "AFTER", cell: ({ at }) => `+${elapsed(at - ask.createdAt)}` },
    { title: "WHAT", cell: ({ type }) => whatOf(type) },
    { title: "WHO", cell: (entry) => whoOf(entry, ask), most: narrow ? 14 : 24 },
    { title: "WHERE", cell: ({ by }) => (by?.kind === "person" ? displayLine(by.surface) : "") },
  ];
  const title = `${ask.id}${narrow ? "\n" : ", "}asked ${exactTime(ask.createdAt)}`;
  const summary = askSummary(ask);
  return [
    title,
    columns === undefined ? summary : cut(summary, columns),
    "",
    ...tableLines(
      table.filter((column) => column !== false),
      audit,
      columns,
    ),
  ].join("\n");
}

function whatOf(type: string): string {
  return type === "ask.created" ? "asked" : displayLine(type.replace(/^ask\./, ""));
}

function whoOf({ type, by }: AuditEntry, ask: Ask): string {
  if (by !== undefined) return by.kind === "person" ? displayLine(by.id) : `policy ${displayLine(by.name)}`;
  return type === "ask.created" || type === "ask.withdrawn" ? askerName(ask) : "";
}

/** `0.4s`, `12s`, `3m 05s`, `2h 10m`, `3d 4h`: exact enough to compare lines. */
function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole}s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)}m ${String(whole % 60).padStart(2, "0")}s`;
  if (whole < 86_400)
    return `${Math.floor(whole / 3_600)}h ${String(Math.floor(whole / 60) % 60).padStart(2, "0")}m`;
  return `${Math.floor(whole / 86_400)}d ${Math.floor(whole / 3_600) % 24}h`;
}
