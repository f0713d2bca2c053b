import type { Client } from "../../client/connect.js";
import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import { displayLine } from "../../core/text/display.js";
import { hang } from "../../people/cells/wrap.js";
import type { World } from "../world/world.js";
import { askTable } from "./ask-table.js";
import { cut } from "./table.js";

/** The live table of `askline watch`, on a screen of its own. */
export interface WatchScreen {
  update(ask: Ask): void;
  /** Shows a line below the title; undefined removes it. */
  notice(text: string | undefined): void;
  /** Restores the terminal. */
  close(): void;
}

const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const REST_OF_LINE = "\u001b[K";
const REST_OF_SCREEN = "\u001b[J";
const REFRESH_MS = 1_000;
/** How many ended asks stay visible. */
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
      notice,
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
  // Registered before anything is drawn, so that the terminal is always restored.
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
  /** A current problem, such as an outage. */
  readonly notice?: string | undefined;
  readonly pending: readonly Ask[];
  /** Newest first. */
  readonly ended: readonly Ask[];
  readonly now: number;
  readonly columns: number;
  readonly rows: number;
}

/** The lines that fit on the screen: pending asks first, then ended ones. */
export function screenLines(state: WatchState): readonly string[] {
  const { url, notice, pending, ended, now, columns, rows } = state;
  const title = `${pending.length === 0 ? "Nothing is" : `${pending.length}`} waiting for an answer`;
  const whole = `${title} · ${url} · Ctrl-C quits`;
  const head = [
    whole.length <= columns ? whole : cut(`${title} · Ctrl-C quits`, columns),
    ...(notice === undefined ? [] : hang("", displayLine(notice), columns).split("\n")),
    "",
  ];
  const oldestFirst = [...pending].sort((one, other) => one.createdAt - other.createdAt);
  // Minus the titles of the table, and the line with the number of hidden asks.
  const room = Math.max(1, rows - head.length - 2);
  const visible = oldestFirst.slice(0, room);
  const hidden = oldestFirst.length - visible.length;
  const open = visible.length === 0 ? [] : askTable(visible, { now, columns, statuses: false });
  const more = hidden === 0 ? [] : [cut(`… and ${hidden} newer ones`, columns)];
  const left = rows - head.length - open.length - more.length - 3;
  const past =
    left < 1 || ended.length === 0
      ? []
      : [
          ...(open.length === 0 ? [] : [""]),
          "Recently ended",
          ...askTable(ended.slice(0, left), { now, columns, statuses: true }).slice(1),
        ];
  return [...head, ...open, ...more, ...past].slice(0, rows);
}

const SHORTEST_TRY_MS = 1_000;

/**
 * Shows an outage on the screen while it lasts: otherwise a disconnected table looks like a quiet one. The stream
 * reports failures but not recovery, so the server is polled until it responds.
 */
export function outageNotice(
  clock: Clock,
  screen: () =>
    | { readonly screen: Pick<WatchScreen, "notice">; readonly client: Pick<Client, "list"> }
    | undefined,
): Logger {
  let away = false;
  const show = (message: string): void => {
    const at = screen();
    if (away || at === undefined) return;
    away = true;
    at.screen.notice(message);
    void reached(at.client, clock).then(() => {
      away = false;
      at.screen.notice(undefined);
    });
  };
  return { warn: show, error: show };
}

/** Resolves when the server responds, or when the client was closed. */
async function reached(client: Pick<Client, "list">, clock: Clock): Promise<void> {
  for (;;) {
    const began = clock.monotonic();
    try {
      await client.list({}, { limit: 1 });
      return;
    } catch (error) {
      if (!(error instanceof AsklineError) || error.code !== "unreachable") return;
    }
    // Usually an attempt takes a while by itself. A redirect, as by the sign-in page of a network, fails immediately.
    const left = SHORTEST_TRY_MS - (clock.monotonic() - began);
    if (left > 0) await new Promise<void>((resolve) => void clock.schedule(left, resolve));
  }
}
