// What an <askline-inbox> shows and does.
//
//   loading --first list--> live --the server is gone--> away --it is back--> live
//   any --signed out--> failed
//
// The chosen ask stays chosen while others come and go. When the person ends it, the next one takes its place; when
// somebody else ends it, its card says so and stays until the person goes on.

import { keyed } from "lit/directives/keyed.js";
import { render } from "lit/html.js";
import { type Ask, AsklineError, displayLine, type Outcome, systemClock } from "../../core/index.js";
import {
  codeOf,
  type Entry,
  followAsks,
  isPassing,
  type LiveAsks,
  projectOf,
  searchFor,
} from "../../inbox/index.js";
import { WEB as ENGLISH } from "../../words/en/web.js";
import { fullLanguageOf } from "../../words/languages.js";
import type { InboxFilter } from "../../words/terminal-inbox.js";
import type { WebWords } from "../../words/web.js";
import type { AsklineInbox, ElementControl } from "../elements.js";
import { html } from "../html.js";
import { lazy } from "../lazy.js";
import { adopt, localeOf, watchProperties } from "../properties.js";
import type { Part } from "../scene.js";
import type {
  CardClient,
  CardEvents,
  InboxAuditEntry,
  InboxDevice,
  InboxEvents,
  InboxRule,
  InboxView,
} from "../types.js";
import { agentOf, clockTime, slim, titleOf } from "./about.js";
import { type AsideScene, auditPart, devicesPart, endedRow, rulesPart } from "./aside.js";
import { logoPart, soundPart } from "./icons.js";
import { styles } from "./inbox.css";
import { makeRoom, pendingRow, ROW_HEIGHT, type RowsScene, windowPart } from "./list.js";
import { createNotify, type NotifyScene } from "./notify.js";
import { createSound } from "./sound.js";

const vietnamese = lazy(() => import("../../words/vi/web.js"));

const NOTICE_MS = 8_000;
const TICK_MS = 20_000;
const RETRY_MS = 1_000;
const HISTORY_PAGE = 50;
const VIEWS: readonly InboxView[] = ["inbox", "history", "devices"];
const FILTERS: readonly InboxFilter[] = ["all", "awaited", "due"];

export function control(host: AsklineInbox): ElementControl {
  const shadow = host.attachShadow({ mode: "open" });
  adopt(shadow, styles);
  const sound = createSound();
  // While an answer is sent, its button is disabled and has lost the focus.
  let isInCard = false;
  shadow.addEventListener("focusin", ({ target }) => {
    isInCard = target instanceof Element && target.localName === "askline-card";
  });
  const notify = createNotify(() => host.notifications, update);
  const endings = new Map<string, Set<(outcome: Outcome) => void>>();
  let life: AbortController | undefined;
  let live: LiveAsks | undefined;
  let client: AsklineInbox["client"];
  let failure: unknown;
  let scheduled = false;
  let wasAway = false;
  let notice = "";
  let noticeTimer: ReturnType<typeof setTimeout> | undefined;
  let counted = -1;
  // The list.
  let search = "";
  let kind: InboxFilter = "all";
  let session = "";
  let agent = "";
  let isListOpen = false;
  let index = 0;
  let shown: readonly Entry[] = [];
  /** The ask of the card, also after it has ended. */
  let chosen: Ask | undefined;
  // The history.
  let ended: readonly Ask[] | undefined;
  let older: string | undefined;
  let audit: { readonly id: string; readonly entries?: readonly InboxAuditEntry[] } | undefined;
  let devices: readonly InboxDevice[] | undefined;
  let rules: readonly InboxRule[] | undefined;
  let problem = "";

  const view = (): InboxView => VIEWS.find((name) => name === host.view) ?? "inbox";
  const person = (): string => host.person ?? "";
  const words = (): WebWords =>
    fullLanguageOf(localeOf(host)) === "vi" ? (vietnamese.get(update)?.WEB ?? ENGLISH) : ENGLISH;
  const fire = <Name extends keyof InboxEvents>(name: Name, detail: InboxEvents[Name]): void => {
    host.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  };

  /** Paints soon, once for all that has changed. A hidden page gets no frames, and its title must follow too. */
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
    [
      "client",
      "person",
      "locale",
      "surface",
      "view",
      "selected",
      "away",
      "previewFrame",
      "chatUrl",
      "notifications",
    ],
    (name) => {
      if (name === "notifications") void readNotifications();
      if (name === "client" && life !== undefined) start();
      if (name === "view") viewChanged();
      if (name === "selected" && view() === "history") void readAudit();
      update();
    },
  );

  function start(): void {
    life?.abort();
    const own = new AbortController();
    life = own;
    client = host.client;
    live = undefined;
    failure = undefined;
    ended = undefined;
    if (client !== undefined) void follow(client, own.signal);
    void readNotifications();
    viewChanged();
    const tick = setInterval(update, TICK_MS);
    own.signal.addEventListener("abort", () => {
      clearInterval(tick);
      clearTimeout(noticeTimer);
      void live?.close();
      live = undefined;
    });
    window.addEventListener("online", update, { signal: own.signal });
    window.addEventListener("offline", update, { signal: own.signal });
    window.addEventListener("resize", update, { signal: own.signal });
    host.ownerDocument.addEventListener("keydown", onKey, { signal: own.signal });
    update();
  }

  async function follow(inbox: NonNullable<AsklineInbox["client"]>, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        const following = await followAsks(inbox, { filter: {}, clock: systemClock, keep: slim });
        if (signal.aborted) return void following.close();
        live = following;
        following.subscribe({
          changed: update,
          arrived(ask) {
            sound.play();
            say(words().arrived(titleOf(ask, words())));
          },
          ended({ ask, outcome }) {
            fire("ended", { id: ask.id });
            for (const resolve of endings.get(ask.id) ?? []) resolve(outcome);
            endings.delete(ask.id);
            ended =
              ended === undefined
                ? undefined
                : [{ ...ask, status: outcome.kind, outcome, settledAt: Date.now() }, ...ended];
          },
        });
        return update();
      } catch (error) {
        if (signal.aborted) return;
        if (!isPassing(error)) {
          failure = error;
          return update();
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        if (signal.aborted) return;
      }
    }
  }

  /** The card's client: the inbox's own, except that it learns of ends and drafts from the inbox's stream. */
  const cardClient: CardClient = {
    get: (...call) => required().get(...call),
    answer: (...call) => required().answer(...call),
    decide: (...call) => required().decide(...call),
    decline: (...call) => required().decline(...call),
    reply: (...call) => required().reply(...call),
    saveDraft: (...call) => required().saveDraft(...call),
    draft: (...call) => required().draft(...call),
    watch: (...call) => required().watch(...call),
    opened: async (...call) => required().opened?.(...call),
    get rules() {
      return client?.rules;
    },
    onDraft: (listener) =>
      live?.subscribe({ changed: () => undefined, draft: listener }) ?? (() => undefined),
    wait: (id, { signal } = {}) =>
      new Promise((resolve) => {
        const known = endings.get(id) ?? new Set();
        endings.set(id, known.add(resolve));
        signal?.addEventListener("abort", () => known.delete(resolve));
      }),
  };
  function required(): NonNullable<AsklineInbox["client"]> {
    if (client === undefined) throw new AsklineError("closed", "the inbox has no client");
    return client;
  }

  function say(text: string): void {
    notice = text;
    clearTimeout(noticeTimer);
    noticeTimer = setTimeout(() => {
      notice = "";
      update();
    }, NOTICE_MS);
    update();
  }

  function go(to: InboxView, ask?: string): void {
    host.view = to;
    host.selected = ask;
    isListOpen = false;
    fire("navigate", { view: to, ...(ask !== undefined && { ask }) });
    update();
  }

  function choose(id: string, byKey: boolean): void {
    index = shown.findIndex(({ ask }) => ask.id === id);
    go(view() === "history" ? "history" : "inbox", id);
    if (byKey) focusCard();
    else if (isNarrow()) scrollTo(0, 0);
  }

  function viewChanged(): void {
    problem = "";
    if (view() === "history" && ended === undefined) void readHistory();
    if (view() === "history") void readAudit();
    if (view() === "devices") void readDevices().then(readRules);
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    problem = "";
    try {
      await work();
    } catch (error) {
      problem = words().failed(error instanceof Error ? error.message : String(error));
    }
    update();
  }

  const readHistory = (): Promise<void> =>
    attempt(async () => {
      if (client === undefined) return;
      const page = await client.list(
        { status: "settled" },
        { limit: HISTORY_PAGE, order: "newest", ...(older !== undefined && { after: older }) },
      );
      const known = new Set(ended?.map(({ id }) => id));
      ended = [...(ended ?? []), ...page.asks.filter(({ id }) => !known.has(id)).map(slimEnded)];
      older = page.next;
    });

  const readAudit = (): Promise<void> =>
    attempt(async () => {
      const id = host.selected;
      if (id === undefined || client?.audit === undefined || audit?.id === id) return;
      audit = { id };
      const entries = await client.audit(id);
      if (audit.id === id) audit = { id, entries };
    });

  const readDevices = (): Promise<void> =>
    attempt(async () => {
      devices = await client?.devices?.();
    });

  const readRules = (): Promise<void> =>
    attempt(async () => {
      rules = await client?.rules?.();
    });

  const revokeRule = (rule: InboxRule): Promise<void> =>
    attempt(async () => {
      try {
        await client?.revokeRule?.(rule.id);
      } finally {
        rules = await client?.rules?.();
      }
    });

  /** Without them, the inbox works all the same. */
  const readNotifications = (): Promise<void> => notify.refresh().catch(() => undefined);

  const endDevice = (device: InboxDevice): Promise<void> =>
    attempt(async () => {
      await client?.endDevice?.(device.id);
      if (device.current === true) fire("signedout", {});
      else await readDevices();
    });

  /** The card's ask ended by what the person sent: the next one takes its place. */
  function onSettled({ detail }: CustomEvent<CardEvents["settled"]>): void {
    const { id, outcome, ours } = detail;
    // The stream may have said it before: then the list no longer has it.
    const ask = chosen?.id === id ? chosen : undefined;
    const hadFocus = isInCard;
    live?.end(id, outcome);
    update();
    if (!ours || view() !== "inbox") return;
    if (ask !== undefined) say(words().sent(outcome.kind, titleOf(ask, words())));
    const left = listed();
    const next = left[Math.min(index, left.length - 1)]?.ask.id;
    go("inbox", next);
    if (hadFocus) focusCard();
    if (isNarrow()) scrollTo({ top: 0 });
  }

  function onKey(event: KeyboardEvent): void {
    const target = event.composedPath()[0];
    const isTyping = target instanceof HTMLElement && /^(input|textarea|select)$/.test(target.localName);
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const field = shadow.querySelector<HTMLInputElement>("input[type=search]");
    if (field === null || event.defaultPrevented) return;
    event.preventDefault();
    isListOpen = true;
    paint();
    field.focus();
  }

  /** The arrows move within the list, also to rows that are not in the page yet. */
  function onListKey(event: KeyboardEvent): void {
    const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(".row") : null;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (row === null || step === undefined) return;
    event.preventDefault();
    const count = view() === "history" ? (ended?.length ?? 0) : shown.length;
    const to = Math.max(0, Math.min(count - 1, Number(row.dataset.index) + step));
    const box = shadow.querySelector<HTMLElement>(".scroll");
    if (box !== null) {
      const [top, bottom] = [to * ROW_HEIGHT, (to + 1) * ROW_HEIGHT];
      if (top < box.scrollTop) box.scrollTop = top;
      if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
    }
    paint();
    shadow.querySelector<HTMLElement>(`.row[data-index="${to}"]`)?.focus();
  }

  /** The card has a heading once its ask has been loaded. */
  function focusCard(tries = 100): void {
    requestAnimationFrame(() => {
      const card = shadow.querySelector("askline-card");
      const isReady = card?.askId === host.selected && card?.shadowRoot?.querySelector("#title");
      if (isReady) card?.focus();
      else if (host.selected === undefined) shadow.querySelector<HTMLElement>(".empty .big")?.focus();
      else if (tries > 0) focusCard(tries - 1);
    });
  }

  const isNarrow = (): boolean => host.clientWidth < 832;

  function listed(): readonly Entry[] {
    const matches = searchFor(search);
    return (live?.entries ?? []).filter(
      ({ ask, awaited }) =>
        (kind !== "awaited" || awaited === true) &&
        (kind !== "due" || ask.deadline !== undefined) &&
        (session === "" || ask.session === session) &&
        (agent === "" || agentOf(ask) === agent) &&
        matches(ask, titleOf(ask, words())),
    );
  }

  function paint(): void {
    shown = listed();
    const count = live?.entries.length ?? 0;
    if (live?.isLoaded === true && count !== counted) {
      counted = count;
      fire("waiting", { count });
    }
    const known = shown.findIndex(({ ask }) => ask.id === host.selected);
    if (known >= 0) index = known;
    chosen = shown[known]?.ask ?? (chosen?.id === host.selected ? chosen : undefined);
    if (view() === "inbox" && host.selected === undefined && shown.length > 0) {
      index = Math.min(index, shown.length - 1);
      chosen = shown[index]?.ask;
      host.selected = chosen?.id;
    }
    render(frame(), shadow);
    makeRoom(shadow);
  }

  function awayPart(): Part {
    const isOffline = !navigator.onLine;
    const failed = failure ?? live?.failure;
    if (failed !== undefined) {
      const isOut = codeOf(failed) === "unauthorized";
      return html`<div class="banner bad" role="alert">${isOut ? words().signedOut : words().failed(String(failed))}</div>`;
    }
    const isAway = isOffline || host.away === true || live?.awaySince !== undefined;
    if (wasAway && !isAway) say(words().back);
    wasAway = isAway;
    return (
      isAway && html`<div class="banner" role="status">${isOffline ? words().offline : words().away}</div>`
    );
  }

  function frame(): Part {
    const text = words();
    const current = view();
    const total = live?.entries.length ?? 0;
    return html`<div class="frame" lang=${fullLanguageOf(localeOf(host))} data-view=${current}>
      <header class="top">
        <h1 class="unseen">${text[current]}</h1>
        <span class="brand">${logoPart()}<span>Askline</span></span>
        <nav aria-label="Askline">${VIEWS.filter(
          (name) => name !== "devices" || client?.devices !== undefined,
        ).map(
          (name) =>
            html`<button type="button" class="tab" aria-current=${name === current ? "page" : "false"} @click=${() => go(name)}>${text[name]}${name === "inbox" && total > 0 && html` <span class="count">${total}</span>`}</button>`,
        )}</nav>
        <span class="icons">${notify.bell(notifyScene())}<button type="button" class="icon" aria-pressed=${sound.isOn ? "true" : "false"} title=${sound.isOn ? text.soundOn : text.soundOff} aria-label=${sound.isOn ? text.soundOn : text.soundOff} @click=${() => {
          sound.toggle();
          update();
        }}>${soundPart(sound.isOn)}</button></span>
      </header>
      ${awayPart()}
      <p class="notice" role="status">${notice}</p>
      ${problem !== "" && html`<p class="banner bad" role="alert">${problem}</p>`}
      <main>${current === "inbox" ? inboxPart() : current === "history" ? historyPart() : html`<div class="only">${devicesPart(devices, (device) => void endDevice(device), aside())}${rulesPart(rules, (rule) => void revokeRule(rule), aside())}${notify.settings(notifyScene())}</div>`}</main>
    </div>`;
  }

  function notifyScene(): NotifyScene {
    return {
      ...{ words: words().notify, language: fullLanguageOf(localeOf(host)), attempt },
      openSettings() {
        go("devices");
        paint();
        shadow.querySelector<HTMLElement>("#notify-title")?.focus();
      },
    };
  }

  function aside(): AsideScene {
    return { words: words(), locale: localeOf(host), person: person() };
  }

  function rowsScene(): RowsScene {
    return {
      ...{ words: words(), now: Date.now(), selected: host.selected, choose },
      box: shadow.querySelector<HTMLElement>(".scroll"),
      scrolled: paint,
    };
  }

  function inboxPart(): Part {
    const text = words();
    const entries = live?.entries ?? [];
    const scene = rowsScene();
    const isAlone = entries.length <= 1 && search === "";
    if (live?.isLoaded !== true && entries.length === 0)
      return html`<div class="empty"><p class="soft">${text.loading}</p></div>`;
    if (entries.length === 0 && host.selected === undefined) {
      return html`<div class="empty">${logoPart()}<h2 class="big" tabindex="-1">${text.nothing}</h2><p class="soft">${text.nothingHint}</p></div>`;
    }
    const heading =
      shown.length === entries.length
        ? text.waiting(entries.length)
        : text.matching(shown.length, entries.length);
    return html`<aside class="side ${isAlone ? "alone" : ""}" data-open=${isListOpen}>
        <button type="button" class="fold" aria-expanded=${isListOpen} @click=${() => {
          isListOpen = !isListOpen;
          update();
        }}><span>${heading}</span><span class="chevron" aria-hidden="true"></span></button>
        <div class="list" role="region" aria-label=${text.questions}>
          ${toolsPart(entries)}
          <div class="scroll" tabindex="-1" @scroll=${paint} @keydown=${onListKey}>${
            shown.length === 0
              ? html`<p class="soft none">${entries.length === 0 ? text.nothingHint : text.noMatch}</p>`
              : windowPart(scene, shown.length, (at) => pendingRow(shown[at] as Entry, scene))
          }</div>
        </div>
      </aside>
      <div class="stage">${stagePart()}</div>`;
  }

  function toolsPart(entries: readonly Entry[]): Part {
    const text = words();
    const choices = (values: readonly string[]): readonly string[] =>
      [...new Set(values)].filter(Boolean).sort();
    const sessions = choices(entries.map(({ ask }) => ask.session));
    const agents = choices(entries.map(({ ask }) => agentOf(ask)));
    const select = (
      label: string,
      value: string,
      options: readonly (readonly [string, string])[],
      set: (value: string) => void,
    ): Part =>
      html`<div class="select"><select aria-label=${label} .value=${value} @change=${(event: Event) => {
        set((event.target as HTMLSelectElement).value);
        update();
      }}>${options.map(([id, name]) => html`<option value=${id} ?selected=${id === value}>${name}</option>`)}</select></div>`;
    return html`<div class="tools">
      <label class="search"><span class="unseen">${text.search}</span><input type="search" placeholder=${text.search} .value=${search} maxlength="200" @input=${(
        event: Event,
      ) => {
        search = (event.target as HTMLInputElement).value;
        const box = shadow.querySelector(".scroll");
        if (box !== null) box.scrollTop = 0;
        update();
      }}></label>
      <div class="filters">
        ${select(
          text.filterBy,
          kind,
          FILTERS.map((name) => [name, text.filters[name]] as const),
          (value) => {
            kind = FILTERS.find((name) => name === value) ?? "all";
          },
        )}
        ${
          (sessions.length > 1 || session !== "") &&
          select(
            text.session,
            session,
            [
              ["", `${text.session}: ${text.every}`],
              ...sessions.map((name) => [name, displayLine(name)] as const),
            ],
            (value) => {
              session = value;
            },
          )
        }
        ${
          (agents.length > 1 || agent !== "") &&
          select(
            text.agent,
            agent,
            [["", `${text.agent}: ${text.every}`], ...agents.map((name) => [name, name] as const)],
            (value) => {
              agent = value;
            },
          )
        }
      </div></div>`;
  }

  function stagePart(): Part {
    const text = words();
    const id = host.selected;
    if (id === undefined) return html`<div class="empty"><p class="soft">${text.choose}</p></div>`;
    const entry = live?.entries.find(({ ask }) => ask.id === id);
    const isOver = entry === undefined && view() === "inbox" && live?.isLoaded === true;
    return html`${entry !== undefined && aboutPart(entry)}${keyed(id, cardPart(id))}
      ${
        isOver &&
        shown.length > 0 &&
        html`<p class="onward"><button type="button" class="plain" @click=${() => {
          go("inbox", shown[Math.min(index, shown.length - 1)]?.ask.id);
          focusCard();
        }}>${text.next}</button></p>`
      }`;
  }

  function cardPart(id: string): Part {
    return html`<askline-card ask-id=${id} .client=${cardClient} locale=${localeOf(host)} person=${person()} preview-frame=${host.previewFrame ?? ""} surface=${host.surface ?? "inbox"} @settled=${onSettled}></askline-card>`;
  }

  function aboutPart({ ask, awaited }: Entry): Part {
    const text = words();
    const project = projectOf(ask);
    const { cwd } = ask.metadata ?? {};
    const chat = ask.transcript !== undefined ? host.chatUrl?.(ask.session) : undefined;
    return html`<p class="about">
      ${awaited !== undefined && html`<span class="state" data-awaited=${awaited}>${awaited ? text.awaited : text.notAwaited}</span>`}
      ${project !== undefined && html`<span title=${typeof cwd === "string" ? displayLine(cwd) : project}><bdi>${project}</bdi></span>`}
      ${ask.session !== "" && (chat === undefined ? html`<span><bdi>${displayLine(ask.session)}</bdi></span>` : html`<a href=${chat}>${text.conversation}: <bdi>${displayLine(ask.session)}</bdi></a>`)}
      <time datetime=${new Date(ask.createdAt).toISOString()} title=${clockTime(ask.createdAt, localeOf(host))}>${text.age(Date.now() - ask.createdAt)}</time>
    </p>`;
  }

  function historyPart(): Part {
    const text = words();
    const scene = rowsScene();
    if (ended === undefined)
      return html`<div class="empty"><p class="soft">${problem === "" ? text.loading : ""}</p></div>`;
    if (ended.length === 0) return html`<div class="empty"><p class="soft">${text.noHistory}</p></div>`;
    const list = ended;
    const id = host.selected;
    return html`<aside class="side" data-open=${isListOpen || id === undefined}>
        <button type="button" class="fold" aria-expanded=${isListOpen || id === undefined} @click=${() => {
          isListOpen = !isListOpen;
          update();
        }}><span>${text.history}</span><span class="chevron" aria-hidden="true"></span></button>
        <div class="list" role="region" aria-label=${text.history}><div class="scroll" tabindex="-1" @scroll=${paint} @keydown=${onListKey}>
          ${windowPart(scene, list.length, (at) => endedRow(list[at] as Ask, aside()))}
          ${older !== undefined && html`<p class="onward"><button type="button" class="plain" @click=${() => void readHistory()}>${text.older}</button></p>`}
        </div></div></aside>
      <div class="stage">${id === undefined ? html`<div class="empty"><p class="soft">${text.choose}</p></div>` : html`${keyed(id, cardPart(id))}${client?.audit !== undefined && auditPart(audit?.id === id ? audit.entries : undefined, aside())}`}</div>`;
  }

  return {
    connect() {
      if (life === undefined || life.signal.aborted) start();
    },
    disconnect() {
      life?.abort();
      life = undefined;
    },
  };
}

/** The history needs who ended an ask, and not what was said. */
function slimEnded(ask: Ask): Ask {
  const { outcome } = ask;
  const short =
    outcome === undefined
      ? undefined
      : "by" in outcome
        ? { kind: outcome.kind, by: outcome.by }
        : { kind: outcome.kind };
  return { ...slim(ask), ...(short !== undefined && { outcome: short as Outcome }) };
}
