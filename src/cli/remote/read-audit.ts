import { type Answerer, AsklineError, isRecord } from "../../core/index.js";

/** One thing that happened to an ask. */
export interface AuditEntry {
  readonly at: number;
  /** `ask.created`, `ask.shown`, `ask.opened` … and whatever a newer server may say. */
  readonly type: string;
  readonly by?: Answerer;
  /** That of the event; what was shown is no event. */
  readonly position?: number;
}

/** The body of `GET /v1/asks/{id}/audit`. */
export function readAudit(body: unknown): readonly AuditEntry[] {
  const entries = isRecord(body) && Array.isArray(body.audit) ? body.audit.map(readEntry) : [undefined];
  if (entries.every((entry) => entry !== undefined)) return entries;
  throw new AsklineError("unreachable", "the server answered with something that is no audit; is it ours?");
}

function readEntry(value: unknown): AuditEntry | undefined {
  if (!isRecord(value) || typeof value.at !== "number" || typeof value.type !== "string") return undefined;
  const by = readAnswerer(value.by);
  return {
    at: value.at,
    type: value.type,
    ...(by !== undefined && { by }),
    ...(typeof value.position === "number" && { position: value.position }),
  };
}

function readAnswerer(value: unknown): Answerer | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, id, surface, name } = value;
  if (kind === "person" && typeof id === "string" && typeof surface === "string")
    return { kind, id, surface };
  return kind === "policy" && typeof name === "string" ? { kind, name } : undefined;
}
