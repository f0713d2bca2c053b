// <askline-card>: one ask, pending or settled.
//
//   nothing to show --ask, or ask-id and client--> loading --> open form --settled--> settled
//                                                         --> failed --try again--> loading
//
// The form decides everything (askline/form). Here are the element, its properties, where the focus goes, and what is
// loaded when.

import { render } from "lit/html.js";
import { type Ask, displayText, isRecord, type Outcome } from "../core/index.js";
import { type FormEvent, type LiveForm, openForm, viewForm } from "../form/index.js";
import type { CardLanguage, CardWords } from "../words/card.js";
import { CARD as ENGLISH } from "../words/en/card.js";
import { languageOf } from "../words/languages.js";
import { styles } from "./card.css";
import { createGuard } from "./guard.js";
import { html } from "./html.js";
import { cardInbox, fire, personAt } from "./inbox.js";
import { eventOfKey } from "./keyboard.js";
import { lazy } from "./lazy.js";
import type { Part, Scene } from "./scene.js";
import { headPart, newsOf, stepsPart } from "./steps.js";
import type { CardAsk, CardClient, CardEventName, CardEvents } from "./types.js";

const rich = lazy(() => import("./rich.js"));
const approval = lazy(() => import("./approval.js"));
const panels = lazy(() => import("./panels.js"));
const settled = lazy(() => import("./settled.js"));
const vietnamese = lazy(() => import("../words/vi/card.js"));
const issues = {
  en: lazy(() => import("../words/en/issues.js")),
  vi: lazy(() => import("../words/vi/issues.js")),
};
const parsing = () => import("./parse.js");

/** On a server there are no elements: the class can be imported there, and not made. */
const BaseElement: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

type Status =
  | { readonly kind: "empty" }
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "open"; readonly ask: Ask; readonly form: LiveForm };

/** In the place of a part that is being loaded. */
const LOADING = Symbol("loading");

const COUNTDOWN_MS = 10_000;

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
  #hovered: string | undefined;
  #notice = "";
  #place = "";
  #scheduled = false;
  #focus: "heading" | "cursor" | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
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
    const given = this.getAttribute("locale") ?? this.closest("[lang]")?.getAttribute("lang");
    return given || document.documentElement.lang || navigator.language || "en";
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
    this.#adopt(styles);
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.#guard.connect(this.#shadow, signal);
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
    const ask =
      typeof source === "string"
        ? await (client as CardClient).get(source)
        : isStored(source)
          ? client !== undefined && lacksPreviews(source)
            ? await client.get(source.id)
            : source
          : (await parsing()).parsedAsk(source);
    const by = personAt(this.person || "me", this.surface);
    const form = await openForm(ask, {
      inbox: cardInbox({ target: this, ask, client, draft: () => this.#draft }),
      by,
      answerOnPick: this.answerOnPick,
      remembers: client?.rules !== undefined,
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
    void client.opened?.(ask.id, { by }).catch(() => undefined);
    const stopHints = client.onDraft?.(({ askId, surface }) => {
      if (askId === ask.id && surface !== this.surface) void form.refresh();
    });
    signal.addEventListener("abort", () => stopHints?.());
    void follow(client, ask, signal).then((outcome) => {
      if (outcome !== undefined && !signal.aborted) form.dispatch({ type: "settled", outcome });
    });
  }

  #close(): void {
    this.#opened?.stop.abort();
    this.#opened = undefined;
    if (this.#status.kind === "open") void this.#status.form.close();
    this.#status = { kind: "empty" };
    this.#place = "";
    this.#hovered = undefined;
    clearTimeout(this.#timer);
  }

  #refreshDraft(): void {
    if (
      document.visibilityState === "visible" &&
      this.#status.kind === "open" &&
      this.#client !== undefined
    ) {
      if (this.#status.form.state.phase.kind === "open") void this.#status.form.refresh();
    }
  }

  #formChanged({ state }: LiveForm): void {
    if (state.phase.kind === "settled" && this.#settledAt === undefined) {
      this.#settledAt = Date.now();
      const { outcome, ours } = state.phase;
      const id = this.#status.kind === "open" ? this.#status.ask.id : "";
      queueMicrotask(() => fire(this, "settled", { id, outcome, ours }));
    }
    this.#paint();
  }

  #send(event: FormEvent): void {
    if (this.#status.kind !== "open") return;
    this.#notice = "";
    this.#status.form.dispatch(event);
  }

  #key(event: KeyboardEvent): void {
    if (this.#status.kind !== "open") return;
    const { state } = this.#status.form;
    const focused = this.#shadow.activeElement ?? undefined;
    const meant = eventOfKey(state, event, focused);
    if (meant === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#focus = "cursor";
    // From the heading, the first arrow leads to the row under the cursor, not past it.
    const onRow = focused instanceof HTMLElement && focused.dataset.row !== undefined;
    this.#send(meant.type === "move" && !onRow ? { type: "focus", row: state.cursor } : meant);
    this.#paint();
  }

  /** The row that has the focus is the row under the cursor. */
  #focused(event: Event): void {
    // A person begins to answer: what may come next is loaded now.
    panels.get(() => undefined);
    settled.get(() => undefined);
    if (this.#status.kind !== "open" || !(event.target instanceof HTMLElement)) return;
    const { row, id } = event.target.dataset;
    const { form } = this.#status;
    if (id !== undefined) {
      const step = form.state.ask.approval?.actions.findIndex((action) => action.id === id) ?? -1;
      if (step >= 0 && form.state.step !== step && form.state.panel === "steps")
        form.dispatch({ type: "go", step });
    }
    if (row !== undefined) form.dispatch({ type: "focus", row });
  }

  #paint(): void {
    if (!this.isConnected) return;
    const hadFocus = this.matches(":focus-within");
    const place = this.#placeOf();
    const isNew = place !== this.#place;
    const template = this.#template();
    // What is there stays until what comes next has been loaded, and with it the focus.
    if (template === LOADING) return;
    render(template, this.#shadow);
    for (const input of this.#shadow.querySelectorAll("input")) {
      input.checked = input.closest("[data-picked]") !== null;
    }
    if (!CSS.supports("field-sizing", "content")) this.#shadow.querySelectorAll("textarea").forEach(grow);
    if (isNew) {
      this.#guard.shown(this.#place === "" || place === "settled");
      this.#place = place;
    }
    if (hadFocus && (isNew || this.#focus !== undefined)) this.#moveFocus(isNew);
    this.#focus = undefined;
    this.#tick();
  }

  /** What is shown; with another, the focus goes to its heading. */
  #placeOf(): string {
    if (this.#status.kind !== "open") return "";
    const { phase, panel, step, ask } = this.#status.form.state;
    if (phase.kind === "settled") return "settled";
    return ask.approval === undefined || panel !== "steps"
      ? `${panel} ${panel === "steps" ? step : ""}`
      : "actions";
  }

  #moveFocus(isNew: boolean): void {
    if (this.#status.kind !== "open") return;
    const { cursor, typing, ask, step, panel, phase } = this.#status.form.state;
    const heading = this.#shadow.querySelector<HTMLElement>("#title");
    const id = panel === "steps" ? ask.approval?.actions[step]?.id : undefined;
    const rows = [...this.#shadow.querySelectorAll<HTMLElement>("[data-row]")].filter(
      ({ dataset }) => dataset.row === cursor && (dataset.id === undefined || dataset.id === id),
    );
    const row = typing
      ? rows.find((one) => one instanceof HTMLTextAreaElement)
      : rows.find((one) => !(one instanceof HTMLTextAreaElement));
    // A panel is opened to write in it.
    const target =
      isNew && (panel === "steps" || phase.kind === "settled") ? heading : (row ?? rows[0] ?? heading);
    if (target !== this.#shadow.activeElement) target?.focus();
  }

  #tick(): void {
    clearTimeout(this.#timer);
    if (this.#status.kind !== "open") return;
    const { ask, form } = this.#status;
    if (ask.deadline === undefined || form.state.phase.kind === "settled") return;
    const left = ask.deadline - Date.now();
    if (left <= 0) return;
    this.#timer = setTimeout(() => this.#paint(), Math.min(left, left > 90_000 ? 60_000 : COUNTDOWN_MS));
  }

  #template(): Part {
    const again = (): void => this.#reveal();
    const language = this.#language();
    const status = this.#status;
    if (status.kind === "empty") return undefined;
    const words = language?.words ?? ENGLISH;
    if (status.kind === "failed") return this.#failed(words.failed, status.why, words.tryAgain);
    if (status.kind === "loading" || language === undefined) return this.#loading(words.loading);
    const { ask, form } = status;
    const scene: Scene = {
      ask,
      state: form.state,
      view: viewForm(form.state),
      language,
      words,
      locale: this.locale,
      person: this.person,
      saveFailed: form.saving === "failed" && this.#client !== undefined,
      notice: this.#notice,
      now: Date.now(),
      hovered: this.#hovered,
      hover: (row) => {
        if (this.#hovered === row) return;
        this.#hovered = row;
        this.#paint();
      },
      send: (event) => this.#send(event),
      click:
        (events, sends = false) =>
        (event) =>
          this.#click(event, events, sends),
      markdown: (source) => {
        const module = rich.get(again);
        if (module !== undefined) this.#adopt(module.styles);
        return module?.markdownPart(source, again) ?? plainText(source);
      },
      kept: () => (viewForm(form.state).kept.length === 0 ? undefined : panels.get(again)?.keptPart(scene)),
      preview: (content, format, title) => {
        const module = rich.get(again);
        if (module !== undefined) this.#adopt(module.styles);
        return (
          module?.previewPart({ content, format, title, frame: this.previewFrame }, again) ??
          plainText(content)
        );
      },
    };
    try {
      const content = this.#content(scene, again);
      if (content === LOADING) return this.#place === "" ? this.#loading(words.loading) : LOADING;
      return this.#frame(content, this.#news(scene, again));
    } catch (error) {
      return this.#failed(
        words.failed,
        error instanceof Error ? error.message : String(error),
        words.tryAgain,
      );
    }
  }

  /** Undefined while it is being loaded. The words for problems are loaded at once too, though not needed yet. */
  #language(): CardLanguage | undefined {
    const again = (): void => this.#reveal();
    const code = languageOf(this.locale) === "vi" && !vietnamese.failed ? "vi" : "en";
    const words: CardWords | undefined = code === "en" ? ENGLISH : vietnamese.get(again)?.CARD;
    const problems = issues[code].get(() => this.#paint())?.ISSUES;
    return words === undefined ? undefined : { words, issues: problems ?? {} };
  }

  #content(scene: Scene, again: () => void): Part {
    const { ask, words, view, state } = scene;
    const needed = neededFor(scene);
    const module = needed?.get(again);
    if (needed?.failed) return this.#failed(words.failed, "", words.tryAgain);
    if (needed !== undefined && module === undefined) return LOADING;
    if (module !== undefined && "styles" in module) this.#adopt(module.styles);
    if (module !== undefined && "settledPart" in module) {
      // The actions of an approval are shown again with what was decided.
      const actions = state.ask.approval === undefined ? undefined : approval.get(again);
      if (state.ask.approval !== undefined && actions === undefined && !approval.failed) return LOADING;
      if (actions !== undefined) this.#adopt(actions.styles);
      return html`${headPart(scene)}${module.settledPart(scene, this.#settledAt, actions)}`;
    }
    const context =
      ask.context === undefined || view.panel !== "steps" ? undefined : scene.markdown(ask.context);
    return html`${headPart(scene)}
      ${context !== undefined && html`<section class="context" part="context" aria-label=${words.context} role="region" tabindex="0">${context}</section>`}
      ${module === undefined ? stepsPart(scene) : "panelPart" in module ? module.panelPart(scene) : module.approvalPart(scene)}`;
  }

  #news(scene: Scene, again: () => void): string {
    if (scene.view.ended === undefined) return newsOf(scene);
    return settled.get(again)?.titleOf(scene, scene.view.ended.outcome, this.#settledAt) ?? "";
  }

  #frame(content: Part, news = ""): Part {
    return html`<section class="card" part="card" lang=${languageOf(this.locale) === "vi" ? "vi" : "en"}>${content}<p class="unseen" role="status">${news}</p></section>`;
  }

  #loading(text: string): Part {
    return this.#frame(html`<p class="hint">${text}</p>`, text);
  }

  #failed(title: string, why: string, again: string): Part {
    return this.#frame(html`<div role="alert"><h2 id="title" part="title" tabindex="-1">${title}</h2>
      <p class="hint">${why}</p></div>
      <div class="commands"><button type="button" class="plain" @click=${() => this.#retry()}>${again}</button></div>`);
  }

  #retry(): void {
    for (const part of [rich, approval, panels, settled, vietnamese, issues.en, issues.vi]) part.retry();
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
      this.#notice = (this.#language()?.words ?? ENGLISH).clickAgain;
      this.#paint();
      return;
    }
    this.#focus = "cursor";
    for (const one of events()) this.#send(one);
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

/** What else is needed to show this. */
function neededFor({ view, state }: Scene): typeof settled | typeof approval | typeof panels | undefined {
  if (view.ended !== undefined) return settled;
  if (view.panel !== "steps") return panels;
  if (state.ask.approval !== undefined) return approval;
  return view.step.kind === "review" ? panels : undefined;
}

/** The ask's end, however the client reports it. */
async function follow(client: CardClient, ask: Ask, signal: AbortSignal): Promise<Outcome | undefined> {
  try {
    if (client.wait !== undefined) return await client.wait(ask.id, { signal });
    for await (const changed of client.watch({ session: ask.session }, { signal })) {
      if (changed.id === ask.id && changed.outcome !== undefined) return changed.outcome;
    }
  } catch {
    // Closed, or not allowed to wait: what is sent still learns how the ask ended.
  }
  return undefined;
}

function isStored(ask: CardAsk): ask is Ask {
  return typeof ask.id === "string" && "status" in ask && "createdAt" in ask && Array.isArray(ask.questions);
}

/** Whether it comes from a list, which leaves out what is large. */
function lacksPreviews({ questions }: Ask): boolean {
  return questions.some(({ options }) => options.some(({ preview }) => preview?.omitted));
}

function outcomeOf(source: unknown): Outcome | undefined {
  return isRecord(source) && isRecord(source.outcome) ? (source.outcome as unknown as Outcome) : undefined;
}

/** Frameworks give an equal object each time they render. */
function isSame(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (!isRecord(before) || !isRecord(after)) return false;
  if (typeof before.id === "string" && before.id !== "") return before.id === after.id;
  return JSON.stringify(before) === JSON.stringify(after);
}

function plainText(text: string): Part {
  return html`<p class="said-plain" dir="auto">${displayText(text)}</p>`;
}

function grow(area: HTMLTextAreaElement): void {
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight + 2}px`;
}
