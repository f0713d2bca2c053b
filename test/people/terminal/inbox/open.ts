// The inbox on the cells of a terminal without a window, over a hub in memory.

import type { DraftHint } from "../../../../src/core/model/draft-hint.ts";
import type { MutedAgent } from "../../../../src/core/model/notifications.ts";
import { isAskedBy } from "../../../../src/core/model/visibility.ts";
import { inboxWords } from "../../../../src/core/words/terminal-inbox.ts";
import { createHub, type Hub, memoryStore } from "../../../../src/hub/index.ts";
import type { Ask, AskInput } from "../../../../src/index.ts";
import type { FormEvent } from "../../../../src/people/form/event.ts";
import { crowdControl } from "../../../../src/people/inbox/crowd-control.ts";
import { followAsks, type LiveAsks, type WatchedInbox } from "../../../../src/people/inbox/live-asks.ts";
import {
  type InboxEnding,
  type OpenedAsk,
  runRichInbox,
} from "../../../../src/people/terminal/inbox/rich-inbox.ts";
import { type FakeClock, fakeClock } from "../../../../src/testing/fake-clock.ts";
import { until } from "../../../server/open-server.ts";
import { type Headless, headlessTerminal } from "../screen/headless.ts";

export interface OpenedInbox {
  readonly hub: Hub;
  readonly clock: FakeClock;
  readonly terminal: Headless;
  readonly live: LiveAsks;
  readonly ended: Promise<InboxEnding>;
  /** What was opened, in order. */
  readonly opened: { readonly ask: Ask; readonly first: FormEvent | undefined }[];
  readonly titles: (string | undefined)[];
  /** Makes every call of the inbox fail, or lets them work again. */
  reachable(isReachable: boolean): void;
  post(input: AskInput): Promise<Ask>;
  press(...keys: readonly string[]): Promise<void>;
  screen(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface OpenInboxOptions {
  readonly size?: readonly [columns: number, rows: number];
  readonly asks?: readonly AskInput[];
  readonly open?: (ask: Ask) => Promise<OpenedAsk>;
  readonly locale?: string;
}

export async function openInbox({
  size: [columns, rows] = [80, 24],
  asks = [],
  open = async () => ({}),
  locale = "en",
}: OpenInboxOptions = {}): Promise<OpenedInbox> {
  const clock = fakeClock();
  const hub = await createHub({ store: memoryStore(), clock });
  for (const ask of asks) {
    await hub.post(ask, { asker: "local" });
    await clock.advance(1);
  }
  let isReachable = true;
  const away = async (): Promise<void> => {
    const { AsklineError } = await import("../../../../src/index.ts");
    if (!isReachable) throw new AsklineError("unreachable", "the server does not answer");
  };
  const inbox: WatchedInbox = {
    ...hub,
    async list(filter, page) {
      await away();
      const found = await hub.list({ ...filter, person: "ana" }, page);
      return { ...found, awaited: found.asks.filter(({ id }) => hub.isAwaited(id)).map(({ id }) => id) };
    },
    onDraft: (listener: (hint: DraftHint) => void) => hub.onDraft("ana", listener),
  };
  let muted: readonly MutedAgent[] = [];
  const muting = {
    ...inbox,
    notifications: async () => ({ muted }),
    async changeNotifications({
      mute,
      unmute,
    }: {
      readonly mute?: MutedAgent;
      readonly unmute?: MutedAgent;
    }) {
      muted = [
        ...muted.filter((one) => unmute === undefined || !isAskedBy(one, unmute)),
        ...(mute === undefined ? [] : [mute]),
      ];
      return { muted };
    },
  };
  const live = await followAsks(inbox, { filter: {}, clock });
  const terminal = headlessTerminal(columns, rows);
  await terminal.write("$ inbox\r\n");
  const opened: OpenedInbox["opened"] = [];
  const titles: (string | undefined)[] = [];
  const stop = new AbortController();
  const by = { kind: "person", id: "ana", surface: "terminal" } as const;
  const words = inboxWords(locale);
  const crowd = crowdControl({ inbox: () => muting, live: () => live, by: () => by, words: () => words });
  await crowd.read();
  const ended = runRichInbox({
    live,
    crowd,
    terminal: terminal.seam,
    capabilities: {
      ...{ colors: 256, cursor: true, unicode: true, hyperlinks: false, bracketedPaste: true },
      ...{ keyboard: "plain", reflow: "shifted" },
    },
    clock,
    locale,
    url: "http://127.0.0.1:4780",
    signal: stop.signal,
    open: async (ask, first) => {
      opened.push({ ask, first });
      return open(ask);
    },
    setTitle: (text) => void titles.push(text),
  });
  await until(() => (live.isLoaded && live.entries.length === asks.length ? true : undefined));
  await clock.advance(250);
  await terminal.drawn();
  return {
    hub,
    clock,
    terminal,
    live,
    ended,
    opened,
    titles,
    reachable(value) {
      isReachable = value;
    },
    async post(input) {
      const ask = await hub.post(input, { asker: "local" });
      await until(() => live.entries.some(({ ask: { id } }) => id === ask.id) || undefined);
      return ask;
    },
    async press(...keys) {
      for (const key of keys) {
        terminal.type(key);
        if (key === "\x1b") await clock.advance(60);
      }
      await terminal.drawn();
    },
    async screen() {
      await terminal.drawn();
      return terminal.lines().slice(1);
    },
    async close() {
      stop.abort();
      await ended;
      await live.close();
      await hub.close();
      terminal.close();
    },
  };
}
