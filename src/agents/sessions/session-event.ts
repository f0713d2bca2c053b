// Reads the events that an agent writes into a session.

import { formatIssues } from "../../core/kit/issue.js";
import { isRecord } from "../../core/kit/json.js";
import { AsklineError } from "../../core/model/error.js";
import { SESSION_EVENT, type SessionEvent } from "../../core/model/session-event.js";
import { entriesOf } from "../../core/read/field.js";
import { type InputReader, inputReader, typeName } from "../../core/read/input-reader.js";
import { plansOf } from "../../core/read/read-fields.js";

const read = plansOf(SESSION_EVENT);
const TYPES = Object.keys(SESSION_EVENT.variants) as SessionEvent["type"][];

type Fields = Readonly<Record<string, unknown>>;

/** The validated event; throws `invalid_request` with all issues. */
export function requireSessionEvent(input: unknown): SessionEvent {
  const reader = inputReader();
  const event = isRecord(input) ? readEvent(input, reader) : undefined;
  if (!isRecord(input)) reader.add("wrong_type", [], `must be an object with a type, not ${typeName(input)}`);
  if (event !== undefined && reader.issues.length === 0) return event;
  throw new AsklineError("invalid_request", `invalid session event:\n${formatIssues(reader.issues)}`, {
    issues: reader.issues,
  });
}

function readEvent(fields: Fields, reader: InputReader): SessionEvent | undefined {
  const type = reader.choice(fields.type ?? "", ["type"], TYPES);
  if (type === undefined) return undefined;
  const given = withoutUnknown(type, fields, reader);
  // The parser of asks validates a request later.
  return type === "ask" || type === "approve" ? { ...given, type } : read[type]({ type }, given, [], reader);
}

/** A mistyped field would silently not count. */
function withoutUnknown(type: SessionEvent["type"], fields: Fields, reader: InputReader): Fields {
  const known = entriesOf(SESSION_EVENT.variants[type]).flatMap(([name, { known, stored }]) =>
    known || stored ? [] : [name],
  );
  const given = Object.entries(fields).filter(([name, value]) => name !== "type" && value !== undefined);
  for (const [name] of given) {
    if (known.includes(name)) continue;
    reader.add("invalid_value", [name.slice(0, 64)], `unknown field; ${type} takes ${known.join(", ")}`);
  }
  return Object.fromEntries(given);
}
