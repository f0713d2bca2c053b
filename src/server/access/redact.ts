// A reader of the log must not be able to answer for a person.

import type { LogFields, Logger } from "../../core/kit/logger.js";

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/askline_([0-9a-f]{12})[\w-]{43}/g, "askline_$1…"],
  [/link_[\w-]+\.[\w-]+/g, "link_…"],
  [/ticket_[\w-]{43}/g, "ticket_…"],
  [/([?&](?:code|token|ticket)=)[^&\s"']+/g, "$1…"],
  [/(\/i\/)[\w-]{22}(?![\w-])/g, "$1…"],
  [/(cookie:\s*|authorization:\s*\w+\s+)[^\r\n]+/gi, "$1…"],
];

/** The text without tokens, tickets, links, codes and cookies. */
function redact(text: string): string {
  return SECRETS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}

function redactFields(fields: LogFields): LogFields {
  const entries = Object.entries(fields);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? redact(value) : value]),
  );
}

export function redactingLogger(logger: Logger): Logger {
  const clean = (details: readonly unknown[]): readonly unknown[] =>
    details.map((detail) =>
      redact(detail instanceof Error ? (detail.stack ?? String(detail)) : String(detail)),
    );
  const event = logger.event?.bind(logger);
  return {
    ...(event !== undefined && {
      event: (level, name, fields) => event(level, name, redactFields(fields)),
    }),
    warn: (message, ...details) => logger.warn(redact(message), ...clean(details)),
    error: (message, ...details) => logger.error(redact(message), ...clean(details)),
  };
}
