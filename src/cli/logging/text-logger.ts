import { displayLine, type LogFields, type Logger } from "../../core/index.js";
import type { World } from "../world.js";
import { isTold, type LogLevel } from "./log-options.js";

/** A line each on stderr, for somebody who looks at it. */
export function textLogger({ stderr }: Pick<World, "stderr">, from: LogLevel): Logger {
  const writeAt =
    (level: "warn" | "error"): Logger["warn"] =>
    (message, ...details) => {
      if (isTold(level, from)) write([message, ...details.map(String)].join(" "));
    };
  const write = (text: string): void => {
    stderr.write(`askline: ${displayLine(text)}\n`);
  };
  return {
    warn: writeAt("warn"),
    error: writeAt("error"),
    event(level, name, fields) {
      if (isTold(level, from)) write(`${name} ${inWords(fields)}`);
    },
  };
}

function inWords(fields: LogFields): string {
  return Object.entries(fields)
    .map(
      ([name, value]) =>
        `${name}=${typeof value === "string" && /[\s"=]/.test(value) ? JSON.stringify(value) : value}`,
    )
    .join(" ");
}
