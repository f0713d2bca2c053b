import { hang } from "../../cells/index.js";
import { displayLine } from "../../core/index.js";
import { pad } from "../output/table.js";

/** What is looked at, in the order in which it is told. */
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
  "clock",
] as const;
export type CheckName = (typeof CHECKS)[number];

/** A warning is worth knowing and stops nothing. What is wrong stops something, and can be mended. */
export type Finding = { readonly check: CheckName; readonly message: string } & (
  | { readonly level: "ok" }
  | { readonly level: "warning" | "wrong"; readonly mend: string }
);

export function ok(check: CheckName, message: string): Finding {
  return { check, level: "ok", message };
}

export function warning(check: CheckName, message: string, mend: string): Finding {
  return { check, level: "warning", message, mend };
}

export function wrong(check: CheckName, message: string, mend: string): Finding {
  return { check, level: "wrong", message, mend };
}

const LEVEL_WIDTH = 8;
const NAME_WIDTH = 11;
// Below this the name of the check has no column of its own.
const NARROW = 64;

/** A line for each finding; below those that are not well, how to mend it. */
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
    return [line, hang(" ".repeat(prefix.length), `mend: ${displayLine(finding.mend)}`, columns)];
  });
  return [...lines, "", verdict(findings)].join("\n");
}

function verdict(findings: readonly Finding[]): string {
  const count = (level: Finding["level"]): number => findings.filter((one) => one.level === level).length;
  const [wrongs, warnings] = [count("wrong"), count("warning")];
  if (wrongs === 0 && warnings === 0) return "All is well.";
  const parts = [
    ...(wrongs === 0
      ? ["Nothing is wrong"]
      : [`${wrongs} ${wrongs === 1 ? "thing is" : "things are"} wrong`]),
    ...(warnings === 0 ? [] : [`${warnings} ${warnings === 1 ? "is" : "are"} worth a look`]),
  ];
  return `${parts.join(", ")}.`;
}

/** What the checks behind that of the store need to know of it. */
export interface ExaminedStore {
  readonly findings: readonly Finding[];
  /** Undefined where the store is not there or cannot be read. */
  readonly contents?: StoreContents;
}

export interface StoreContents {
  readonly newestEventAt?: number;
  /** The store's own clock, where it has one, and this machine's time at the same moment. */
  readonly time?: { readonly there: number; readonly here: number };
  record(namespace: string, key: string): Promise<unknown>;
  close(): Promise<void> | void;
}
