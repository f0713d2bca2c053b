import { displayLine } from "../../core/text/display.js";
import { hang } from "../../people/cells/wrap.js";
import { pad } from "../output/table.js";

/** The checks, in the order of the report. */
export const CHECKS = [
  "Node",
  "settings",
  "data folder",
  "store",
  "migrations",
  "pg",
  "credentials",
  "port",
  "server",
  "background",
  "agents",
  "notify",
  "deliveries",
  "clock",
] as const;
export type CheckName = (typeof CHECKS)[number];

/** A warning stops nothing; something wrong does. Both say how to fix it. */
export type Finding = { readonly check: CheckName; readonly message: string } & (
  | { readonly level: "ok" }
  | { readonly level: "warning" | "wrong"; readonly fix: string }
);

interface Findings {
  ok(message: string): Finding;
  warning(message: string, fix: string): Finding;
  wrong(message: string, fix: string): Finding;
}

/** What a check finds. */
export function findings(check: CheckName): Findings {
  return {
    ok: (message) => ({ check, level: "ok", message }),
    warning: (message, fix) => ({ check, level: "warning", message, fix }),
    wrong: (message, fix) => ({ check, level: "wrong", message, fix }),
  };
}

const LEVEL_WIDTH = 8;
const NAME_WIDTH = 11;
// In a narrower terminal, the name of the check has no column of its own.
const NARROW = 64;

/** A line for each finding, followed by the fix if there is one. */
export function reportText(findings: readonly Finding[], columns: number | undefined): string {
  const narrow = columns !== undefined && columns < NARROW;
  const lines = findings.flatMap((finding) => {
    const { level, check } = finding;
    const message = displayLine(finding.message);
    const prefix = `${pad(level, LEVEL_WIDTH)} `;
    const line = narrow
      ? hang(prefix, `${check}: ${message}`, columns)
      : hang(`${prefix}${pad(check, NAME_WIDTH)}  `, message, columns);
    if (level === "ok") return [line];
    return [line, hang(" ".repeat(prefix.length), `fix: ${displayLine(finding.fix)}`, columns)];
  });
  return [...lines, "", verdict(findings)].join("\n");
}

function verdict(findings: readonly Finding[]): string {
  const count = (level: Finding["level"]): number => findings.filter((one) => one.level === level).length;
  const [wrongs, warnings] = [count("wrong"), count("warning")];
  if (wrongs === 0 && warnings === 0) return "Everything is fine.";
  const parts = [
    ...(wrongs === 0
      ? ["Nothing is wrong"]
      : [`${wrongs} ${wrongs === 1 ? "thing is" : "things are"} wrong`]),
    ...(warnings === 0 ? [] : [`${warnings} ${warnings === 1 ? "is" : "are"} worth a look`]),
  ];
  return `${parts.join(", ")}.`;
}

/** What later checks need to know about the store. */
export interface ExaminedStore {
  readonly findings: readonly Finding[];
  /** Undefined if the store does not exist or cannot be read. */
  readonly contents?: StoreContents;
}

export interface StoreContents {
  readonly newestEventAt?: number;
  /** The store's own clock, if it has one, and this machine's time at the same moment. */
  readonly time?: { readonly there: number; readonly here: number };
  record(namespace: string, key: string): Promise<unknown>;
  close(): Promise<void> | void;
}
