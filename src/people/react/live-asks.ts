// Asks that stay up to date. All hooks of a page share one stream for each client.

import { useCallback, useEffect, useState } from "react";
import type { Ask } from "../../core/model/ask.js";
import type { AskFilter, Inbox } from "../../core/model/ports.js";
import { matchesFilter } from "../../core/model/visibility.js";

type Watchable = Pick<Inbox, "watch">;

interface Listener {
  changed(ask: Ask): void;
  failed(error: unknown): void;
}

interface Watch {
  readonly listeners: Set<Listener>;
  readonly stop: AbortController;
}

const watches = new WeakMap<Watchable, Watch>();

/** Calls `listener` for every change of an ask, until the returned function is called. */
export function watchAsks(client: Watchable, listener: Listener): () => void {
  const watch = watches.get(client) ?? start(client);
  watch.listeners.add(listener);
  return () => {
    watch.listeners.delete(listener);
    // Another part of the page may begin in the same moment.
    queueMicrotask(() => {
      if (watch.listeners.size > 0) return;
      watch.stop.abort();
      if (watches.get(client) === watch) watches.delete(client);
    });
  };
}

function start(client: Watchable): Watch {
  const watch: Watch = { listeners: new Set(), stop: new AbortController() };
  watches.set(client, watch);
  void follow(client, watch);
  return watch;
}

async function follow(client: Watchable, { listeners, stop }: Watch): Promise<void> {
  try {
    for await (const ask of client.watch({}, { signal: stop.signal })) {
      for (const listener of [...listeners]) listener.changed(ask);
    }
  } catch (error) {
    watches.delete(client);
    if (!stop.signal.aborted) for (const listener of [...listeners]) listener.failed(error);
  }
}

export interface AskState {
  /** Undefined while it is being loaded, and if it cannot be. */
  readonly ask: Ask | undefined;
  readonly loading: boolean;
  readonly error: unknown;
  /** Tries again, such as after an error. */
  reload(): void;
}

/**
 * One ask, up to date: it changes when the ask is answered, here or elsewhere. Without a client or an id, it waits.
 *
 * @example
 * const { ask, loading } = useAsk(client, id);
 */
export function useAsk(client: Pick<Inbox, "get" | "watch"> | undefined, id: string | undefined): AskState {
  const [attempt, reload] = useAttempts();
  const [found, setFound] = useState<{
    readonly of: unknown;
    readonly id?: string;
    readonly ask?: Ask;
    readonly error?: unknown;
  }>();
  useEffect(() => {
    if (client === undefined || id === undefined || id === "") return;
    let isOver = false;
    const read = (): void => {
      client.get(id).then(
        (ask) => isOver || setFound({ of: client, id, ask }),
        (error: unknown) => isOver || setFound({ of: client, id, error }),
      );
    };
    // What a stream carries may lack large previews, so a change is only the reason to read it.
    const stop = watchAsks(client, {
      changed: (ask) => ask.id === id && read(),
      failed: (error) =>
        setFound((before) => (before?.ask === undefined ? { of: client, id, error } : before)),
    });
    read();
    return () => {
      isOver = true;
      stop();
    };
  }, [client, id, attempt]);
  const own = found?.of === client && found?.id === id ? found : undefined;
  return { ask: own?.ask, loading: own === undefined, error: own?.error, reload };
}

export interface InboxState {
  /** The pending asks, the oldest first. */
  readonly asks: readonly Ask[];
  /** Until the first asks have been read. */
  readonly loading: boolean;
  readonly error: unknown;
  /** Tries again, such as after an error. */
  reload(): void;
}

const PAGE = 200;

/**
 * The pending asks of a client, up to date. In lists, large asks come without the content of their previews: show one
 * by its id, as `<AsklineCard client={client} askId={ask.id} />` does.
 *
 * @example
 * const { asks } = useInbox(client);
 */
export function useInbox(
  client: Pick<Inbox, "list" | "watch"> | undefined,
  filter: Pick<AskFilter, "session" | "agentId"> = {},
): InboxState {
  const { session, agentId } = filter;
  const [attempt, reload] = useAttempts();
  const [found, setFound] = useState<{
    readonly of: unknown;
    readonly asks: readonly Ask[];
    readonly loading: boolean;
    readonly error?: unknown;
  }>();
  useEffect(() => {
    if (client === undefined) return;
    const wanted: AskFilter = {
      status: "pending",
      ...(session !== undefined && { session }),
      ...(agentId !== undefined && { agentId }),
    };
    const asks = new Map<string, Ask>();
    // What has changed since, so that a list that was read before cannot bring back what has ended.
    const newer = new Set<string>();
    let isOver = false;
    const show = (state: { readonly loading: boolean; readonly error?: unknown }): void => {
      if (!isOver) setFound({ of: client, asks: [...asks.values()].sort(byAge), ...state });
    };
    const put = (ask: Ask): void => {
      if (matchesFilter(ask, wanted)) asks.set(ask.id, ask);
      else asks.delete(ask.id);
    };
    let isRead = false;
    const stop = watchAsks(client, {
      changed(ask) {
        const had = asks.has(ask.id);
        newer.add(ask.id);
        put(ask);
        if (had || asks.has(ask.id)) show({ loading: !isRead });
      },
      failed: (error) => show({ loading: false, error }),
    });
    void (async () => {
      let after: string | undefined;
      do {
        const page = await client.list(wanted, { limit: PAGE, ...(after !== undefined && { after }) });
        if (isOver) return;
        for (const ask of page.asks) if (!newer.has(ask.id)) put(ask);
        after = page.next;
        isRead = true;
        show({ loading: false });
      } while (after !== undefined);
    })().catch((error: unknown) => show({ loading: false, error }));
    return () => {
      isOver = true;
      stop();
    };
  }, [client, session, agentId, attempt]);
  const own = found?.of === client ? found : undefined;
  return { asks: own?.asks ?? NONE, loading: own?.loading ?? true, error: own?.error, reload };
}

const NONE: readonly Ask[] = [];

function byAge(one: Ask, other: Ask): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}

function useAttempts(): readonly [number, () => void] {
  const [attempt, setAttempt] = useState(0);
  return [attempt, useCallback(() => setAttempt((before) => before + 1), [])];
}
