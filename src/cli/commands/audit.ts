import { judgeResponse } from "../../client/responses.js";
import { type Answerer, type Ask, AsklineError, displayLine, isRecord } from "../../core/index.js";
import { findAsk } from "../connect/find-ask.js";
import { type Remote, type RemoteFlags, withClient } from "../connect/open-client.js";
import { ASK_ID, type Define, examples, withReader } from "../input/command.js";
import { askerName, askSummary } from "../output/ask-summary.js";
import { columnsOf, print } from "../output/print.js";
import { type Column, cut, tableLines } from "../output/table.js";
import { exactTime } from "../output/units.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withReader(command)
    .argument("<id>", ASK_ID)
    .addHelpText("after", HELP)
    .action(async (id: string) => end(await runAudit(id, command.optsWithGlobals(), world)));
};

const HELP = `
Lists when the ask was asked, shown, opened, extended, overdue and ended. "shown" means that it was sent to a surface
of that person while it was pending; "opened" means that the person looked at it there.
${examples("askline audit 3f9a12bc", "askline audit 3f9a12bc --json")}`;

/** `askline audit ID`: asked, shown, opened, answered: who, when and where. */
async function runAudit(id: string, flags: RemoteFlags, world: World): Promise<number> {
  return withClient(flags, "person", world, async (remote) => {
    const ask = await findAsk(remote.client, id, remote.hint);
    const path = `/v1/asks/${encodeURIComponent(ask.id)}/audit`;
    const audit = readAudit(await readRoute(remote, path, world.clock.now()));
    await print(world, flags.json, { id: ask.id, asker: ask.asker, audit }, () =>
      auditText(ask, audit, columnsOf(world)),
    );
    return 0;
  });
}

/** One thing that happened to an ask. */
export interface AuditEntry {
  readonly at: number;
  /** `ask.created`, `ask.shown`, `ask.opened` …; a newer server may send other types. */
  readonly type: string;
  readonly by?: Answerer;
  /** The position of the event. Showings are not events and have none. */
  readonly position?: number;
  /** More about it, such as why a delivery fails. */
  readonly detail?: string;
}

/** The body of `GET /v1/asks/{id}/audit`. */
export function readAudit(body: unknown): readonly AuditEntry[] {
  const entries = isRecord(body) && Array.isArray(body.audit) ? body.audit.map(readEntry) : [undefined];
  if (entries.every((entry) => entry !== undefined)) return entries;
  throw new AsklineError(
    "unreachable",
    "the server did not send an audit; check that the URL is an Askline server",
  );
}

function readEntry(value: unknown): AuditEntry | undefined {
  if (!isRecord(value) || typeof value.at !== "number" || typeof value.type !== "string") return undefined;
  const by = readAnswerer(value.by);
  return {
    at: value.at,
    type: value.type,
    ...(by !== undefined && { by }),
    ...(typeof value.position === "number" && { position: value.position }),
    ...(typeof value.detail === "string" && { detail: value.detail }),
  };
}

function readAnswerer(value: unknown): Answerer | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, id, surface, name } = value;
  if (kind === "person" && typeof id === "string" && typeof surface === "string")
    return { kind, id, surface, ...texts(value, "via") };
  return kind === "policy" && typeof name === "string"
    ? { kind, name, ...texts(value, "rule", "madeBy") }
    : undefined;
}

function texts<Name extends string>(
  value: Readonly<Record<string, unknown>>,
  ...names: readonly Name[]
): { readonly [Each in Name]?: string } {
  return Object.fromEntries(
    names.filter((name) => typeof value[name] === "string").map((name) => [name, value[name]]),
  ) as {
    readonly [Each in Name]?: string;
  };
}

const LONGEST_MS = 15_000;

/** Reads a route that the client has no method for. Rejects with the same errors as the client. */
export async function readRoute({ url, token }: Remote, path: string, now: number): Promise<unknown> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    text = await response.text();
  } catch (error) {
    throw new AsklineError("unreachable", `cannot reach ${url}`, { cause: error });
  }
  const { status, headers } = response;
  if (!response.ok) throw judgeResponse({ base: url, status, headers, text, now }).error;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AsklineError("unreachable", `the response of ${url} is not JSON`, {
      cause: error,
    });
  }
}

// A narrower table leaves out the date.
const NARROW = 60;

/** A title, the question, and one line per event. */
export function auditText(ask: Ask, audit: readonly AuditEntry[], columns: number | undefined): string {
  const narrow = columns !== undefined && columns < NARROW;
  const table: readonly (Column<AuditEntry> | false)[] = [
    !narrow && { title: "WHEN", cell: ({ at }) => exactTime(at) },
    { title: "AFTER", cell: ({ at }) => `+${elapsed(at - ask.createdAt)}` },
    { title: "WHAT", cell: ({ type }) => whatOf(type) },
    { title: "WHO", cell: (entry) => whoOf(entry, ask), most: narrow ? 14 : 24 },
    { title: "WHERE", cell: ({ by, detail }) => (detail === undefined ? whereOf(by) : displayLine(detail)) },
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

function whereOf(by: Answerer | undefined): string {
  if (by?.kind === "person") {
    return displayLine(by.via === undefined ? by.surface : `reported by ${by.via} (${by.surface})`);
  }
  const rule = by?.rule === undefined ? "" : `rule ${by.rule}`;
  const maker = by?.madeBy === undefined ? "" : `made by ${by.madeBy}`;
  return displayLine([rule, maker].filter((part) => part !== "").join(", "));
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
