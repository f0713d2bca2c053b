// <askline-card>: one ask, pending or settled.
//
//   nothing to show --ask, or ask-id and client--> loading --> open form --settled--> settled
//                                                         --> failed --try again--> loading
//
// The form decides everything (askline/form). Here are the element, its properties and its life; what it shows is in
// card/view.ts.

import { render } from "lit/html.js";
import { isRecord } from "../../core/kit/json.js";
import type { Ask } from "../../core/model/ask.js";
import { COLOURS, elementColours } from "../../core/text/colours.js";
import { CARD as ENGLISH } from "../../core/words/en/card.js";
import type { FormEvent } from "../form/event.js";
import { type LiveForm, openForm } from "../form/live-form.js";
import { styles as base } from "./base.css";
import { BaseElement } from "./base-element.js";
import { styles } from "./card/card.css";
import { createCountdown } from "./card/countdown.js";
import { moveFocus, placeOf } from "./card/focus.js";
import { createGuard } from "./card/guard.js";
import { eventOfKey } from "./card/keyboard.js";
import { approval, loadAhead, retryParts, speechFor } from "./card/parts.js";
import { cardInbox, fire, personAt } from "./card/port.js";
import type { Reading } from "./card/reading.js";
import { askFrom, follow, isSame, outcomeOf } from "./card/source.js";
import { type CardView, cardPart, LOADING, type Status } from "./card/view.js";
import { localeOf } from "./properties.js";
import type { CardAsk, CardClient, CardEventName, CardEvents } from "./types.js";

/**
 * Shows one ask and lets a person answer it.
 *
 * @example
 * const card = new AsklineCard();
 * card.ask = { questions: [{ question: "Which authentication?", options: ["OAuth", "API key"] }] };
 * card.addEventListener("answer", (event) => console.log(event.detail.answers));
 * document.body.append(card);
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: only overloads of what the class inherits.
export class AsklineCard extends BaseElement {
  static readonly observedAttributes: readonly string[] = [
    "ask-id",
    "answer-on-pick",
    "locale",
    "person",
    "surface",
    "preview-frame",
  ];

  #ask: CardAsk | undefined;
  #client: CardClient | undefined;
  #draft: unknown;
  #shadow: ShadowRoot = this.attachShadow({ mode: "open" });
  #status: Status = { kind: "empty" };
  #life: AbortController | undefined;
  /** What the form that is open, or being opened, was opened with. */
  #opened:
    | { readonly source: unknown; readonly client: CardClient | undefined; readonly stop: AbortController }
    | undefined;
  #guard = createGuard();
  #reading: Reading | undefined;
  #hovered: string | undefined;
  #notice = "";
  #place = "";
  #cursor = "";
  #visit = 0;
  #scheduled = false;
  /** Whether the focus follows the cursor at the next paint. */
  #moves = false;
  /** Whether what had the focus cannot have it for now, because it is gone or disabled. */
  #displaced = false;
  #countdown = createCountdown(() => this.#paint());
  #settledAt: number | undefined;

  /** The ask to show, or questions as an agent asks them. Takes the place of `askId`. */
  get ask(): CardAsk | undefined {
    return this.#ask;
  }
  set ask(ask: CardAsk | undefined | null) {
    this.#ask = ask ?? undefined;
    this.#changed();
  }

  /** The id of an ask that `client` has. */
  get askId(): string {
    return this.getAttribute("ask-id") ?? "";
  }
  set askId(id: string | undefined | null) {
    this.#attribute("ask-id", id);
  }

  /** Where the ask is read from and answers go. Without one, the page does both: see the events. */
  get client(): CardClient | undefined {
    return this.#client;
  }
  set client(client: CardClient | undefined | null) {
    this.#client = client ?? undefined;
    this.#changed();
  }

  /** What the event `draft` gave before. A later one is merged with what was typed since. */
  get draft(): unknown {
    return this.#draft;
  }
  set draft(draft: unknown) {
    this.#draft = draft;
    if (this.#status.kind === "open" && isRecord(draft)) this.#status.form.dispatch({ type: "merge", draft });
  }

  /** Picking the one answer, or approving, also sends it. */
  get answerOnPick(): boolean {
    return this.hasAttribute("answer-on-pick");
  }
  set answerOnPick(on: boolean) {
    this.toggleAttribute("answer-on-pick", on);
  }

  /** The language, such as `vi-VN`; the page's by default. */
  get locale(): string {
    return localeOf(this, this.getAttribute("locale"));
  }
  set locale(locale: string | undefined | null) {
    this.#attribute("locale", locale);
  }

  /** The id of the person at this page, by which the card knows their own answers. */
  get person(): string {
    return this.getAttribute("person") ?? "";
  }
  set person(id: string | undefined | null) {
    this.#attribute("person", id);
  }

  /** The name of this surface, which is stored with an answer. */
  get surface(): string {
    return this.getAttribute("surface") || "card";
  }
  set surface(name: string | undefined | null) {
    this.#attribute("surface", name);
  }

  /** A page that shows HTML previews under a policy of its own; see docs/card.md. */
  get previewFrame(): string {
    return this.getAttribute("preview-frame") ?? "";
  }
  set previewFrame(url: string | undefined | null) {
    this.#attribute("preview-frame", url);
  }

  connectedCallback(): void {
    for (const name of [
      "ask",
      "askId",
      "client",
      "draft",
      "answerOnPick",
      "locale",
      "person",
      "surface",
      "previewFrame",
    ]) {
      this.#upgrade(name);
    }
    this.#adopt(elementColours(COLOURS));
    this.#adopt(base);
    this.#adopt(styles);
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.#guard.connect(this.#shadow, signal, () => this.#paint());
    this.#shadow.addEventListener("keydown", (event) => this.#key(event as KeyboardEvent), { signal });
    this.#shadow.addEventListener("focusin", (event) => this.#focused(event), { signal });
    document.addEventListener("visibilitychange", () => this.#refreshDraft(), { signal });
    this.#changed();
  }

  disconnectedCallback(): void {
    this.#life?.abort();
    // A node that is moved is connected again at once, and keeps its form.
    queueMicrotask(() => {
      if (!this.isConnected) this.#close();
    });
  }

  attributeChangedCallback(): void {
    this.#changed();
  }

  /** Puts the focus on the heading, such as after the card was added to a page at a person's request. */
  override focus(options?: FocusOptions): void {
    this.#shadow.querySelector<HTMLElement>("#title")?.focus(options);
  }

  #attribute(name: string, value: string | undefined | null): void {
    if (value === undefined || value === null) this.removeAttribute(name);
    else this.setAttribute(name, value);
  }

  /** A property that was set before the element was defined hides the accessor. */
  #upgrade(name: string): void {
    if (!Object.hasOwn(this, name)) return;
    const own = this as unknown as Record<string, unknown>;
    const value = own[name];
    delete own[name];
    own[name] = value;
  }

  #sheets = new Map<string, CSSStyleSheet>();
  #adopt(text: string): void {
    if (this.#sheets.has(text)) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    this.#sheets.set(text, sheet);
    this.#shadow.adoptedStyleSheets = [...this.#sheets.values()];
  }

  #changed(): void {
    if (this.#scheduled || !this.isConnected) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      if (!this.isConnected) return;
      this.#open();
      this.#paint();
    });
  }

  /** Opens a form if there is another ask than before. The same ask, given again, says at most how it ended. */
  #open(): void {
    const source = this.#ask ?? (this.askId === "" ? undefined : this.askId);
    const before = this.#opened;
    if (before !== undefined && before.client === this.#client && isSame(before.source, source)) {
      if (isRecord(source)) this.#extended(source as Partial<Ask>);
      const outcome = outcomeOf(source);
      if (outcome !== undefined && this.#status.kind === "open")
        this.#status.form.dispatch({ type: "settled", outcome });
      return;
    }
    this.#close();
    if (source === undefined || (typeof source === "string" && this.#client === undefined)) {
      this.#status = { kind: "empty" };
      return;
    }
    const stop = new AbortController();
    this.#opened = { source, client: this.#client, stop };
    this.#status = { kind: "loading" };
    this.#notice = "";
    void this.#connect(source, stop.signal).catch((error: unknown) => {
      if (stop.signal.aborted) return;
      this.#status = { kind: "failed", why: error instanceof Error ? error.message : String(error) };
      this.#paint();
    });
  }

  async #connect(source: CardAsk | string, signal: AbortSignal): Promise<void> {
    const client = this.#client;
    const ask = await askFrom(source, client);
    if (signal.aborted) return;
    const by = personAt(this.person || "me", this.surface);
    // From before the draft is read: one that is saved later is hinted at.
    let opened: LiveForm | undefined;
    let isOld = false;
    const refresh = (): void => {
      isOld = true;
      void opened?.refresh();
    };
    if (ask.outcome === undefined) {
      const stopHints = client?.onDraft?.(({ askId, surface }) => {
        if (askId === ask.id && surface !== this.surface) refresh();
      }, refresh);
      signal.addEventListener("abort", () => stopHints?.());
    }
    const form = await openForm(ask, {
      inbox: cardInbox({
        target: this,
        ask,
        client,
        draft: () => this.#draft,
        extended: (later) => this.#extended(later),
      }),
      by,
      answerOnPick: this.answerOnPick,
      remembers: client?.rules !== undefined,
      reportsShown: true,
      onChange: (changed) => this.#formChanged(changed),
    });
    if (signal.aborted) {
      await form.close();
      return;
    }
    this.#settledAt = ask.settledAt;
    this.#status = { kind: "open", ask, form };
    this.#paint();
    if (client === undefined || ask.outcome !== undefined) return;
    opened = form;
    if (isOld) void form.refresh();
    void client.opened?.(ask.id, { by }).catch(() => undefined);
    void follow(client, ask, signal).then((outcome) => {
      if (outcome !== undefined && !signal.aborted) form.dispatch({ type: "settled", outcome });
    });
  }

  /** The deadline has moved. */
  #extended({ deadline }: Partial<Ask>): void {
    if (this.#status.kind !== "open" || deadline === undefined) return;
    this.#status = { ...this.#status, ask: { ...this.#status.ask, deadline } };
    this.#paint();
  }

  #close(): void {
    this.#opened?.stop.abort();
    this.#opened = undefined;
    if (this.#status.kind === "open") void this.#status.form.close();
    this.#status = { kind: "empty" };
    this.#reading?.close();
    this.#reading = undefined;
    this.#place = "";
    this.#hovered = undefined;
    this.#countdown.until(undefined);
  }

  #refreshDraft(): void {
    if (document.hidden || this.#status.kind !== "open" || this.#client === undefined) return;
    const { form } = this.#status;
    if (form.state.phase.kind === "open") void form.refresh();
  }

  #formChanged(form: LiveForm): void {
    this.#reading?.markShown(form);
    const { state } = form;
    if (state.phase.kind === "settled" && this.#settledAt === undefined) {
      this.#settledAt = Date.now();
      const { outcome, ours } = state.phase;
      const id = this.#status.kind === "open" ? this.#status.ask.id : "";
      queueMicrotask(() => fire(this, "settled", { id, outcome, ours }));
    }
    this.#paint();
  }

  #send(...events: readonly FormEvent[]): void {
    if (this.#status.kind !== "open") return;
    const { form } = this.#status;
    const { tried } = form.state;
    this.#notice = "";
    for (const event of events) form.dispatch(event);
    if (form.state.tried !== tried) this.#reading?.lead(form.state);
  }

  #key(event: KeyboardEvent): void {
    if (this.#status.kind !== "open") return;
    const { state } = this.#status.form;
    const focused = this.#shadow.activeElement ?? undefined;
    const meant = eventOfKey(state, event, focused);
    if (meant === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#moves = true;
    // From the heading, the first arrow leads to the row under the cursor, not past it.
    const onRow = focused instanceof HTMLElement && focused.dataset.row !== undefined;
    const leads = meant.type === "move" && !onRow && state.cursor !== "";
    this.#send(leads ? { type: "focus", row: state.cursor } : meant);
    this.#paint();
  }

  /** The row that has the focus is the row under the cursor. */
  #focused(event: Event): void {
    loadAhead();
    if (this.#status.kind !== "open" || !(event.target instanceof HTMLElement)) return;
    const { row, id } = event.target.dataset;
    const { form } = this.#status;
    if (id !== undefined) {
      const step = form.state.ask.approval?.actions.findIndex((action) => action.id === id) ?? -1;
      if (step >= 0 && form.state.step !== step && form.state.panel === "steps")
        form.dispatch({ type: "go", step });
    }
    // Of several actions, what belongs to none of them belongs to the review.
    else if (form.state.ask.approval !== undefined && form.state.panel === "steps")
      form.dispatch({ type: "review" });
    if (row !== undefined) form.dispatch({ type: "focus", row });
  }

  #paint(): void {
    if (!this.isConnected || this.#guard.isPressed) return;
    const hadFocus =
      this.matches(":focus-within") || (this.#displaced && document.activeElement === document.body);
    const open = this.#status.kind === "open" ? this.#status : undefined;
    const state = open?.form.state;
    const place = state === undefined ? "" : placeOf(state);
    const isNew = place !== this.#place;
    if (isNew) this.#visit += 1;
    const content = cardPart(this.#view());
    // Keep the current view and focus until the next part has loaded.
    if (content === LOADING) return;
    render(content, this.#shadow);
    for (const input of this.#shadow.querySelectorAll("input")) {
      input.checked = input.closest("[data-picked]") !== null;
    }
    if (!CSS.supports("field-sizing", "content")) this.#shadow.querySelectorAll("textarea").forEach(grow);
    if (state?.ask.approval !== undefined && state.phase.kind !== "settled") {
      this.#reading ??= approval
        .get(() => undefined)
        ?.createReading({
          changed: () => open && this.#formChanged(open.form),
          moved: () => this.#guard.shown(false),
        });
      this.#reading?.watch(this.#shadow);
    }
    if (isNew) {
      this.#guard.shown(this.#place === "" || place === "settled");
      this.#place = place;
    }
    // A choice that came from elsewhere takes the focus with the cursor: Enter sends what is marked.
    const { row: focusedRow } = (this.#shadow.activeElement as HTMLElement | null)?.dataset ?? {};
    this.#moves ||=
      focusedRow !== undefined &&
      focusedRow === this.#cursor &&
      !!state?.cursor &&
      state.cursor !== focusedRow;
    this.#cursor = state?.cursor ?? "";
    const waits = state === undefined || state.phase.kind === "sending";
    if (state !== undefined && hadFocus && (isNew || this.#moves || (this.#displaced && !waits)))
      moveFocus(this.#shadow, state, isNew);
    this.#moves = false;
    // The heading has the focus while what had it is gone or disabled.
    const focused = this.#shadow.activeElement;
    const isLost = !focused || focused.matches(":disabled") || (this.#displaced && focused.id === "title");
    this.#displaced = hadFocus && waits && isLost;
    if (this.#displaced) this.focus();
    this.#countdown.until(state?.phase.kind === "settled" ? undefined : open?.ask.deadline);
  }

  #view(): CardView {
    return {
      status: this.#status,
      isFirst: this.#place === "",
      locale: this.locale,
      person: this.person,
      previewFrame: this.previewFrame,
      hasClient: this.#client !== undefined,
      settledAt: this.#settledAt,
      notice: this.#notice,
      reading: this.#reading,
      hovered: this.#hovered,
      visit: this.#visit,
      hover: (row) => {
        if (this.#hovered === row) return;
        this.#hovered = row;
        this.#paint();
      },
      send: (event) => this.#send(event),
      click: (event, events, sends) => this.#click(event, events, sends),
      adopt: (text) => this.#adopt(text),
      paint: () => this.#paint(),
      reveal: () => this.#reveal(),
      retry: () => this.#retry(),
    };
  }

  #retry(): void {
    retryParts();
    if (this.#status.kind === "failed") this.#close();
    this.#changed();
  }

  /** Something that was loaded changes the layout: what is under the pointer now may be new. */
  #reveal(): void {
    this.#guard.shown(true);
    this.#paint();
  }

  #click(event: Event, events: () => readonly FormEvent[], sends: boolean): void {
    if (!this.#guard.accepts(event, sends)) {
      event.preventDefault();
      const { reveal, paint } = this.#view();
      this.#notice = (speechFor(this.locale, reveal, paint)?.words ?? ENGLISH).clickAgain;
      this.#paint();
      return;
    }
    this.#moves = true;
    this.#send(...events());
    this.#paint();
  }
}

export interface AsklineCard {
  addEventListener<Name extends CardEventName>(
    name: Name,
    listener: (this: AsklineCard, event: CustomEvent<CardEvents[Name]>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (this: HTMLElement, event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

function grow(area: HTMLTextAreaElement): void {
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight + 2}px`;
}

declare global {
  interface HTMLElementTagNameMap {
    "askline-card": AsklineCard;
  }
}
