import { unreachable } from "../../client/failed-try.js";
import { judgeResponse } from "../../client/responses.js";
import { isRecord } from "../../core/kit/json.js";
import { items } from "../../core/kit/pages.js";
import type { Ask } from "../../core/model/ask.js";
import { AUDIT_ENTRY, type AuditEntry, SYSTEM_EVENT, type SystemEvent } from "../../core/model/audit.js";
import { AsklineError } from "../../core/model/error.js";
import { received } from "../../core/read/stored.js";
import { displayLine } from "../../core/text/display.js";
import { SYSTEM_LOG } from "../../hub/records/system-log.js";
import { findAsk } from "../connect/find-ask.js";
import { type Remote, type RemoteFlags, withClient } from "../connect/open-client.js";
import { ASK_ID, type Define, examples, withReader } from "../input/command.js";
import { askerName, askSummary } from "../output/ask-summary.js";
import { columnsOf, print } from "../output/print.js";
import { type Column, cut, printTable, tableLines } from "../output/table.js";
import { exactTime } from "../output/units.js";
import { withPresentStore } from "../settings/store.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withReader(command)
    .argument("[id]", ASK_ID)
    .option("--system", "instead of one ask: sign-ins, tokens, rules, people, exports and settings")
    .option("--db <store>", "with --system: the store to read, without a server (ASKLINE_DB)")
    .addHelpText("after", HELP)
    .action(async (id: string | undefined) => {
      const flags = command.optsWithGlobals() as AuditFlags;
      if ((id === undefined) !== (flags.system === true))
        throw new CommandError("give the id of an ask, or --system");
      end(await (id === undefined ? runSystemAudit(flags, world) : runAudit(id, flags, world)));
    });
};

const HELP = `
Lists when the ask was asked, shown, opened, extended, overdue and ended. "shown" means that it was sent to a surface
of that person while it was pending; "opened" means that the person looked at it there.
With --system, lists who signed in, which tokens and rules were made and ended, which people were revoked, what was
exported, and the settings that servers started with: from the server for an admin's token (--token or ASKLINE_TOKEN),
otherwise from the store.
${examples("askline audit 3f9a12bc", "askline audit 3f9a12bc --json", "askline audit --system")}`;

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

interface AuditFlags extends RemoteFlags {
  readonly system?: boolean;
}

const PAGE = 500;

/** `askline audit --system`: what happened to the system, oldest first. */
async function runSystemAudit(flags: AuditFlags, world: World): Promise<number> {
  const audit: SystemEvent[] = [];
  const readPages = async (read: (after: number) => Promise<unknown>): Promise<void> => {
    const events = items<SystemEvent, number>(
      PAGE,
      ({ position }) => position,
      async (after = 0) => readSystemAudit(await read(after)),
    );
    for await (const event of events) audit.push(event);
  };
  if ((flags.token ?? world.environment.ASKLINE_TOKEN) === undefined) {
    await withPresentStore(flags, world, (store) =>
      readPages(async (after) => ({ audit: await store.logs.read(SYSTEM_LOG, { after, limit: PAGE }) })),
    );
  } else {
    await withClient(flags, "person", world, (remote) =>
      readPages((after) => readRoute(remote, `/v1/audit?limit=${PAGE}&after=${after}`, world.clock.now())),
    );
  }
  const table: readonly Column<SystemEvent>[] = [
    { title: "WHEN", cell: ({ at }) => exactTime(at) },
    { title: "WHAT", cell: ({ type }) => displayLine(type) },
    { title: "WHICH", cell: ({ subject = "" }) => displayLine(subject), most: 24 },
    { title: "DETAILS", cell: ({ data }) => displayLine(detailsOf(data)) },
  ];
  await printTable(world, flags.json, { audit }, audit, table, "Nothing was recorded yet.");
  return 0;
}

function readSystemAudit(body: unknown): readonly SystemEvent[] {
  const entries = isRecord(body) && Array.isArray(body.audit) ? (body.audit as readonly unknown[]) : [];
  return entries.flatMap((entry) => received(SYSTEM_EVENT, entry) ?? []);
}

/** `role: agent, name: builder`. */
function detailsOf(data: unknown): string {
  return Object.entries(isRecord(data) ? data : {})
    .filter(([, value]) => !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

/** The body of `GET /v1/asks/{id}/audit`. */
export function readAudit(body: unknown): readonly AuditEntry[] {
  const entries =
    isRecord(body) && Array.isArray(body.audit)
      ? body.audit.map((entry) => received(AUDIT_ENTRY, entry))
      : [undefined];
  if (entries.every((entry) => entry !== undefined)) return entries;
  throw new AsklineError(
    "unreachable",
    "the server did not send an audit; check that the URL is an Askline server",
  );
}

const LONGEST_MS = 15_000;

/** Reads a route that the client has no method for. Rejects with the same errors as the client. */
export async function readRoute({ url, token, fetch }: Remote, path: string, now: number): Promise<unknown> {
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
    throw unreachable(url, error).error;
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
    ...tableLines(table, audit, columns),
  ].join("\n");
}

function whatOf(type: string): string {
  return type === "ask.created" ? "asked" : displayLine(type.replace(/^ask\./, ""));
}

function whereOf(by: AuditEntry["by"]): string {
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
