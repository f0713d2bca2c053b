// What a card shows as a whole, by its status: that it is loading, why it failed, or the form, of which some parts
// are loaded first.

import type { Ask } from "../../../core/model/ask.js";
import { displayText } from "../../../core/text/display.js";
import { CARD } from "../../../core/words/en/card.js";
import { ENGLISH } from "../../../core/words/languages.js";
import type { FormEvent } from "../../form/event.js";
import type { LiveForm } from "../../form/live-form.js";
import { viewForm } from "../../form/view.js";
import { html, type Part } from "../html.js";
import { approval, neededFor, panels, rich, settled, speechFor } from "./parts.js";
import type { CardSpeech, Scene } from "./scene.js";
import { headPart, newsOf, stepsPart } from "./steps.js";

export type Status =
  | { readonly kind: "empty" }
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "open"; readonly ask: Ask; readonly form: LiveForm };

/** What a card is painted from, and what it does. */
export interface CardView
  extends Pick<Scene, "locale" | "person" | "notice" | "reading" | "hovered" | "visit" | "hover" | "send"> {
  readonly status: Status;
  /** Whether nothing of the form has been shown yet. */
  readonly isFirst: boolean;
  readonly hasClient: boolean;
  readonly previewFrame: string;
  readonly settledAt: number | undefined;
  adopt(styles: string): void;
  click(event: Event, events: () => readonly FormEvent[], sends: boolean): void;
  /** Paints again. */
  paint(): void;
  /** Paints what has been loaded, which changes the layout. */
  reveal(): void;
  retry(): void;
}

/** In the place of a part that is being loaded. */
export const LOADING: unique symbol = Symbol("loading");

/** LOADING if what is there has to stay until what comes next has been loaded. */
export function cardPart(card: CardView): Part {
  const { status, locale } = card;
  const speech = speechFor(locale, card.reveal, card.paint);
  if (status.kind === "empty") return undefined;
  const words = speech?.words ?? CARD;
  const loading = (): Part => framePart(speech, html`<p class="hint">${words.loading}</p>`, words.loading);
  const failed = (why: string): Part =>
    framePart(
      speech,
      html`<div role="alert"><h2 id="title" part="title" tabindex="-1">${words.failed}</h2>
      <p class="hint">${why}</p></div>
      <div class="commands"><button type="button" class="plain" @click=${card.retry}>${words.tryAgain}</button></div>`,
    );
  if (status.kind === "failed") return failed(status.why);
  if (status.kind === "loading" || speech === undefined) return loading();
  try {
    const scene = sceneOf(card, status, speech);
    const needed = neededFor(scene);
    const content = needed?.failed ? undefined : contentPart(card, scene, needed);
    if (content === undefined) return failed("");
    if (content === LOADING) return card.isFirst ? loading() : LOADING;
    return framePart(speech, content, newsPart(card, scene));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function sceneOf(
  card: CardView,
  { ask, form }: Extract<Status, { kind: "open" }>,
  speech: CardSpeech,
): Scene {
  const { state } = form;
  const view = viewForm(state);
  const richly = (): ReturnType<typeof rich.get> => {
    const module = rich.get(card.reveal);
    if (module !== undefined) card.adopt(module.styles);
    return module;
  };
  const scene: Scene = {
    ask,
    state,
    view,
    language: speech,
    words: speech.words,
    locale: card.locale,
    person: card.person,
    saveFailed: form.saving === "failed" && card.hasClient,
    notice: card.notice,
    reading: card.reading,
    now: Date.now(),
    visit: card.visit,
    hovered: card.hovered,
    hover: card.hover,
    send: card.send,
    click:
      (events, sends = false) =>
      (event) =>
        card.click(event, events, sends),
    markdown: (source) => richly()?.markdownPart(source, card.reveal) ?? plainText(source),
    kept: () => (view.kept.length === 0 ? undefined : panels.get(card.reveal)?.keptPart(scene)),
    preview: (content, format, title) =>
      richly()?.previewPart({ content, format, title, frame: card.previewFrame }, card.reveal) ??
      plainText(content),
  };
  return scene;
}

function contentPart(card: CardView, scene: Scene, needed: ReturnType<typeof neededFor>): Part {
  const { ask, words, view, state } = scene;
  const module = needed?.get(card.reveal);
  if (needed !== undefined && module === undefined) return LOADING;
  if (module !== undefined && "styles" in module) card.adopt(module.styles);
  if (module !== undefined && "settledPart" in module) {
    // The actions of an approval are shown again with what was decided.
    const actions = state.ask.approval === undefined ? undefined : approval.get(card.reveal);
    if (state.ask.approval !== undefined && actions === undefined && !approval.failed) return LOADING;
    if (actions !== undefined) card.adopt(actions.styles);
    return html`${headPart(scene)}${module.settledPart(scene, card.settledAt, actions)}`;
  }
  const context =
    ask.context === undefined || view.panel !== "steps" ? undefined : scene.markdown(ask.context);
  return html`${headPart(scene)}
    ${context !== undefined && html`<section class="context" part="context" aria-label=${words.context} role="region" tabindex="0">${context}</section>`}
    ${module === undefined ? stepsPart(scene) : "panelPart" in module ? module.panelPart(scene) : module.approvalPart(scene)}`;
}

/** What is announced. */
function newsPart(card: CardView, scene: Scene): string {
  if (scene.view.ended === undefined) return newsOf(scene);
  return settled.get(card.reveal)?.titleOf(scene, scene.view.ended.outcome, card.settledAt) ?? "";
}

function framePart(speech: CardSpeech | undefined, content: Part, news = ""): Part {
  return html`<section class="card" part="card" lang=${speech?.code ?? ENGLISH}>${content}<p class="unseen" role="status">${news}</p></section>`;
}

function plainText(text: string): Part {
  return html`<p class="said-plain" dir="auto">${displayText(text)}</p>`;
}
