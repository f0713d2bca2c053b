import { hang } from "../../cells/index.js";
import type { Client } from "../../client/index.js";
import { type Ask, AsklineError, type Clock, displayLine, type Logger } from "../../core/index.js";
import type { World } from "../world/world.js";
import { askTable } from "./ask-table.js";
import { cut } from "./table.js";

/** The live table of `askline watch`, on a screen of its own. */
export interface WatchScreen {
  update(ask: Ask): void;
  /** What stands below the title until it is taken away again. */
  notice(text: string | undefined): void;
  /** Gives the terminal back as it was. */
  close(): void;
}

const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const REST_OF_LINE = "\u001b[K";
const REST_OF_SCREEN = "\u001b[J";
const REFRESH_MS = 1_000;
/** How many asks that have ended stay in sight. */
const MOST_ENDED = 5;

export function openWatchScreen(world: World, url: string): WatchScreen {
  const { stdout, clock } = world;
  const pending = new Map<string, Ask>();
  const ended = new Map<string, Ask>();
  let shown = "";
  let notice: string | undefined;
  let closed = false;

  const draw = (): void => {
    if (closed) return;
    const lines = screenLines({
      url,
      ...(notice !== undefined && { notice }),
      pending: [...pending.values()],
      ended: [...ended.values()].reverse(),
      now: clock.now(),
      columns: stdout.columns ?? 80,
      rows: stdout.rows ?? 24,
    });
    const text = `${HOME}${lines.map((line) => `${line}${REST_OF_LINE}`).join("\n")}${REST_OF_SCREEN}`;
    if (text === shown) return;
    shown = text;
    stdout.write(text);
  };
  const redraw = (): void => {
    shown = "";
    draw();
  };
  const enter = (): void => {
    stdout.write(ENTER);
    redraw();
  };
  const leave = (): void => {
    stdout.write(LEAVE);
  };
  // Before anything is shown: a terminal that was taken must be given back.
  const disposeSuspension = world.suspension?.(leave, enter);
  enter();
  const timer = setInterval(draw, REFRESH_MS);
  stdout.on("resize", redraw);

  return {
    update(ask) {
      pending.delete(ask.id);
      ended.delete(ask.id);
      if (ask.status === "pending") pending.set(ask.id, ask);
      else ended.set(ask.id, ask);
      for (const id of [...ended.keys()].slice(0, -MOST_ENDED)) ended.delete(id);
      draw();
    },
    notice(text) {
      notice = text;
      draw();
    },
    close() {
      closed = true;
      clearInterval(timer);
      stdout.off("resize", redraw);
      disposeSuspension?.();
      leave();
    },
  };
}

export interface WatchState {
  readonly url: string;
  /** What is wrong just now. */
  readonly notice?: string;
  readonly pending: readonly Ask[];
  /** The newest first. */
  readonly ended: readonly Ask[];
  readonly now: number;
  readonly columns: number;
  readonly rows: number;
}

/** The lines of the screen, as many as fit: what is open comes before what has ended. */
export function screenLines(state: WatchState): readonly string[] {
  const { url, notice, pending, ended, now, columns, rows } = state;
  const title = `${pending.length === 0 ? "Nothing is" : `${pending.length}`} waiting for an answer`;
  const whole = `${title} · ${url} · Ctrl-C leaves`;
  const head = [
    whole.length <= columns ? whole : cut(`${title} · Ctrl-C leaves`, columns),
    ...(notice === undefined ? [] : hang("", displayLine(notice), columns).split("\n")),
    "",
  ];
  const oldestFirst = [...pending].sort((one, other) => one.createdAt - other.createdAt);
  // The titles of the table, and a line that says how many do not fit.
  const room = Math.max(1, rows - head.length - 2);
  const visible = oldestFirst.slice(0, room);
  const hidden = oldestFirst.length - visible.length;
  const open = visible.length === 0 ? [] : askTable(visible, { now, columns, statuses: false });
  const more = hidden === 0 ? [] : [cut(`… and ${hidden} more, newer ones`, columns)];
  const left = rows - head.length - open.length - more.length - 3;
  const past =
    left < 1 || ended.length === 0
      ? []
      : [
          ...(open.length === 0 ? [] : [""]),
          "Just ended",
          ...askTable(ended.slice(0, left), { now, columns, statuses: true }).slice(1),
        ];
  return [...head, ...open, ...more, ...past].slice(0, rows);
}

const SHORTEST_TRY_MS = 1_000;

/**
 * Puts an outage on the screen for as long as it lasts: a table that nothing reaches any more looks like one to which
 * nothing happens. The stream tells when it fails and not when it is back, so that is looked for.
 */
export function outageNotice(
  clock: Clock,
  screen: () =>
    | { readonly screen: Pick<WatchScreen, "notice">; readonly client: Pick<Client, "list"> }
    | undefined,
): Logger {
  let away = false;
  const tell = (message: string): void => {
    const at = screen();
    if (away || at === undefined) return;
    away = true;
    at.screen.notice(message);
    void reached(at.client, clock).then(() => {
      away = false;
      at.screen.notice(undefined);
    });
  };
  return { warn: tell, error: tell };
}

/** Resolves when the server answers, or nobody wants to know any more. */
async function reached(client: Pick<Client, "list">, clock: Clock): Promise<void> {
  for (;;) {
    const began = clock.monotonic();
    try {
      await client.list({}, { limit: 1 });
      return;
    } catch (error) {
      if (!(error instanceof AsklineError) || error.code !== "unreachable") return;
    }
    // Mostly a try takes its time by itself. One that is redirected, as by the sign-in page of a network, does not.
    const left = SHORTEST_TRY_MS - (clock.monotonic() - began);
    if (left > 0) await new Promise<void>((resolve) => void clock.schedule(left, resolve));
  }
}
