import { displayLine } from "../../core/index.js";
import { hang } from "../../terminal/wrap.js";
import { pad } from "../screen/cut.js";
import type { Finding } from "./finding.js";

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
