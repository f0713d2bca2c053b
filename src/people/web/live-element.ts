// What <askline-inbox> and <askline-chat> have in common: an element that follows asks on one stream, shows their cards,
// and paints when something has changed.
//
//   connected --start--> following --the server is gone--> away --it is back--> following
//   any --a failure that trying again cannot repair--> failed
//   any --another client, or disconnected--> stopped

import { keyed } from "lit/directives/keyed.js";
import { systemClock } from "../../core/kit/clock.js";
import type { DraftHint } from "../../core/model/draft-hint.js";
import { AsklineError } from "../../core/model/error.js";
import type { Outcome } from "../../core/model/outcome.js";
import { COLOURS, elementColours, ON_PAGE } from "../../core/text/colours.js";
import { WEB } from "../../core/words/en/web.js";
import { ENGLISH, type FullLanguage, fullLanguageOf } from "../../core/words/languages.js";
import { WEB_TRANSLATIONS } from "../../core/words/on-demand.js";
import type { WebWords } from "../../core/words/web.js";
import { followAsks, isPassing, type LiveAsks } from "../inbox/live-asks.js";
import { styles as base } from "./base.css";
import type { ElementControl } from "./elements.js";
import { html, type Part } from "./html.js";
import { lazyByLanguage } from "./lazy.js";
import { adopt, localeOf, watchProperties } from "./properties.js";
import type { CardClient, CardEvents, InboxClient } from "./types.js";

const translations = lazyByLanguage(WEB_TRANSLATIONS);

const RETRY_MS = 1_000;

interface LiveHost<Client> extends HTMLElement {
  readonly client: Client | undefined;
  readonly person: string | undefined;
  readonly locale: string | undefined;
  readonly surface: string | undefined;
  readonly away: boolean | undefined;
  readonly previewFrame: string | undefined;
}

export interface LiveElementOptions<Name extends string> {
  readonly styles: readonly string[];
  /** The properties that it is painted from, besides those of every such element. */
  readonly properties: readonly Name[];
  /** The name of this surface, if the page gives none. */
  readonly surface: string;
  /** A property was set. A new client has started the element again. */
  changed?(name: Name): void;
  /** Runs until the signal is aborted. */
  started(signal: AbortSignal): void;
  paint(): void;
}

export interface LiveElement<Client> {
  readonly shadow: ShadowRoot;
  /** As it was when the element started. */
  readonly client: Client | undefined;
  readonly live: LiveAsks | undefined;
  readonly failure: unknown;
  readonly isOffline: boolean;
  readonly isAway: boolean;
  readonly locale: string;
  readonly language: FullLanguage;
  words(): WebWords;
  /** Paints soon, once for all that has changed. */
  update(): void;
  /** Starts again, if it has started. */
  restart(): void;
  /** Tries again what may work later. */
  persist(signal: AbortSignal, work: () => Promise<void>): Promise<void>;
  /** The listener is for what the element does besides painting. */
  follow(
    signal: AbortSignal,
    options: Omit<Parameters<typeof followAsks>[1], "clock">,
    listener?: Omit<Parameters<LiveAsks["subscribe"]>[0], "changed">,
  ): Promise<void>;
  cardPart(id: string, onSettled: (event: CustomEvent<CardEvents["settled"]>) => void): Part;
  readonly control: ElementControl;
}

export function createLiveElement<Client extends InboxClient, Name extends string>(
  host: LiveHost<Client>,
  { styles, properties, surface, changed, started, paint }: LiveElementOptions<Name>,
): LiveElement<Client> {
  const shadow = host.attachShadow({ mode: "open" });
  adopt(shadow, elementColours({ ...COLOURS, ...ON_PAGE }), base, ...styles);
  /** Cards that wait for the end of an ask. */
  const endings = new Map<string, Set<(outcome: Outcome) => void>>();
  const reading = new Set<string>();
  /** Cards that follow drafts. */
  const drafts = new Set<{
    readonly draft: (hint: DraftHint) => void;
    readonly missed?: (() => void) | undefined;
  }>();
  let life: AbortController | undefined;
  let client: Client | undefined;
  let live: LiveAsks | undefined;
  let failure: unknown;
  let scheduled = false;

  // Not with a frame: a hidden page gets none, and its title must follow too.
  function update(): void {
    if (scheduled) return;
    scheduled = true;
    setTimeout(() => {
      scheduled = false;
      if (host.isConnected) paint();
    });
  }

  watchProperties(
    host,
    ["client", "person", "locale", "surface", "away", "previewFrame", ...properties],
    (name) => {
      if (name === "client") restart();
      if (properties.includes(name as Name)) changed?.(name as Name);
      update();
    },
  );

  function start(): void {
    life?.abort();
    const own = new AbortController();
    life = own;
    client = host.client;
    failure = undefined;
    own.signal.addEventListener("abort", () => {
      void live?.close();
      live = undefined;
    });
    window.addEventListener("online", update, { signal: own.signal });
    window.addEventListener("offline", update, { signal: own.signal });
    started(own.signal);
    update();
  }

  function restart(): void {
    if (life !== undefined) start();
  }

  const required = (): Client => {
    if (client === undefined) throw new AsklineError("closed", `this ${surface} has no client`);
    return client;
  };
  function ended(id: string, outcome: Outcome): void {
    for (const resolve of endings.get(id) ?? []) resolve(outcome);
    endings.delete(id);
  }
  /** The stream reports nothing of an ask that ended before it began, or while a card was being opened. */
  async function checkEnding(id: string): Promise<void> {
    if (live === undefined || live.isPending(id) || reading.has(id)) return;
    reading.add(id);
    try {
      const { outcome } = await required().get(id);
      if (outcome !== undefined) ended(id, outcome);
    } catch {
      // The next change of the list is another try.
    } finally {
      reading.delete(id);
    }
  }
  /** The element's own, except that cards learn of ends and drafts from the element's stream. */
  const cardClient: CardClient = {
    get: (...call) => required().get(...call),
    settle: (...call) => required().settle(...call),
    saveDraft: (...call) => required().saveDraft(...call),
    draft: (...call) => required().draft(...call),
    watch: (...call) => required().watch(...call),
    opened: async (...call) => required().opened?.(...call),
    get rules() {
      return client?.rules;
    },
    onDraft(draft, missed) {
      const listener = { draft, missed };
      drafts.add(listener);
      return () => drafts.delete(listener);
    },
    wait: (id, { signal } = {}) =>
      new Promise((resolve) => {
        const known = endings.get(id) ?? new Set();
        endings.set(id, known.add(resolve));
        signal?.addEventListener("abort", () => {
          known.delete(resolve);
          if (known.size === 0 && endings.get(id) === known) endings.delete(id);
        });
        void checkEnding(id);
      }),
  };

  const element: LiveElement<Client> = {
    shadow,
    get client() {
      return client;
    },
    get live() {
      return live;
    },
    get failure() {
      return failure;
    },
    get isOffline() {
      return !navigator.onLine;
    },
    get isAway() {
      return !navigator.onLine || host.away === true || live?.awaySince !== undefined;
    },
    get locale() {
      return localeOf(host, host.locale);
    },
    get language() {
      return fullLanguageOf(localeOf(host, host.locale));
    },
    words: () =>
      element.language === ENGLISH ? WEB : (translations[element.language].get(update)?.WEB ?? WEB),
    update,
    restart,
    async persist(signal, work) {
      while (!signal.aborted) {
        try {
          return await work();
        } catch (error) {
          if (signal.aborted) return;
          if (!isPassing(error)) {
            failure = error;
            return update();
          }
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    },
    follow: (signal, options, listener) =>
      element.persist(signal, async () => {
        const following = await followAsks(required(), { ...options, clock: systemClock });
        if (signal.aborted) return void following.close();
        live = following;
        following.subscribe({
          ...listener,
          changed() {
            update();
            for (const id of endings.keys()) void checkEnding(id);
          },
          ended(entry) {
            listener?.ended?.(entry);
            ended(entry.ask.id, entry.outcome);
          },
          draft(hint) {
            for (const card of [...drafts]) card.draft(hint);
          },
          missed() {
            for (const card of [...drafts]) card.missed?.();
          },
        });
        update();
      }),
    cardPart: (id, onSettled) =>
      keyed(
        id,
        html`<askline-card ask-id=${id} .client=${cardClient} locale=${localeOf(host, host.locale)} person=${host.person ?? ""} preview-frame=${host.previewFrame ?? ""} surface=${host.surface ?? surface} @settled=${onSettled}></askline-card>`,
      ) as Part,
    control: {
      connect() {
        if (life === undefined || life.signal.aborted) start();
      },
      disconnect() {
        life?.abort();
        life = undefined;
      },
    },
  };
  return element;
}
