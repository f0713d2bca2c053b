// What an inbox shows: the bar, then the pending asks with the card of one, the history, or the devices.

import type { Ask } from "../../../core/model/ask.js";
import { projectOf } from "../../../core/model/folder.js";
import { displayAsker, displayLine } from "../../../core/text/display.js";
import { countOf } from "../../inbox/crowd.js";
import { codeOf, type Entry } from "../../inbox/live-asks.js";
import { FILTERS, projectLabel } from "../../inbox/search.js";
import type { AsklineInbox } from "../elements.js";
import { html, type Part } from "../html.js";
import type { LiveElement } from "../live-element.js";
import type { CardEvents, InboxClient, InboxView } from "../types.js";
import { clockTime } from "./about.js";
import { type AsideScene, auditPart, devicesPart, endedRow, rulesPart } from "./aside.js";
import { logoPart, soundPart } from "./icons.js";
import { pendingRow, type RowsScene, windowPart } from "./list.js";
import type { NotifyPanel, NotifyScene } from "./notify.js";
import type { Records } from "./records.js";
import type { Selection } from "./selection.js";
import type { Sound } from "./sound.js";

export const VIEWS: readonly InboxView[] = ["inbox", "history", "devices"];

export interface InboxScene {
  readonly host: AsklineInbox;
  readonly element: LiveElement<InboxClient>;
  readonly view: InboxView;
  readonly selection: Selection;
  readonly records: Records;
  readonly notify: NotifyPanel;
  readonly sound: Sound;
  /** What has just happened; empty after a while. */
  readonly notice: string;
  /** Where the list is folded, on a narrow screen. */
  readonly isListOpen: boolean;
  toggleList(): void;
  go(view: InboxView, ask?: string): void;
  goOn(): void;
  choose(id: string, byKey: boolean): void;
  openSettings(): void;
  paint(): void;
  onListKey(event: KeyboardEvent): void;
  onSettled(event: CustomEvent<CardEvents["settled"]>): void;
}

export function inboxFrame(scene: InboxScene): Part {
  const { element, view, records, notify, sound, notice, go } = scene;
  const text = element.words();
  const total = element.live?.entries.length ?? 0;
  const soundLabel = sound.isOn ? text.soundOn : text.soundOff;
  return html`<div class="frame" lang=${element.language} data-view=${view}>
      <header class="top">
        <h1 class="unseen">${text[view]}</h1>
        <span class="brand">${logoPart()}<span>Askline</span></span>
        <nav aria-label="Askline">${VIEWS.filter(
          (name) => name !== "devices" || element.client?.devices !== undefined,
        ).map(
          (name) =>
            html`<button type="button" class="tab" aria-current=${name === view ? "page" : "false"} @click=${() => go(name)}>${text[name]}${name === "inbox" && total > 0 && html` <span class="count">${total}</span>`}</button>`,
        )}</nav>
        <span class="icons">${notify.bell(notifyScene(scene))}<button type="button" class="icon" aria-pressed=${sound.isOn ? "true" : "false"} title=${soundLabel} aria-label=${soundLabel} @click=${() => {
          sound.toggle();
          element.update();
        }}>${soundPart(sound.isOn)}</button></span>
      </header>
      ${awayPart(scene)}
      <p class="notice" role="status">${notice}</p>
      ${records.problem !== "" && html`<p class="banner bad" role="alert">${records.problem}</p>`}
      <main>${view === "inbox" ? pendingPart(scene) : view === "history" ? historyPart(scene) : settingsPart(scene)}</main>
    </div>`;
}

function awayPart({ element }: InboxScene): Part {
  const text = element.words();
  const failed = element.failure ?? element.live?.failure;
  if (failed !== undefined) {
    const isOut = codeOf(failed) === "unauthorized";
    return html`<div class="banner bad" role="alert">${isOut ? text.signedOut : text.failed(String(failed))}</div>`;
  }
  if (!element.isAway) return false;
  return html`<div class="banner" role="status">${element.isOffline ? text.offline : text.away}</div>`;
}

function pendingPart(scene: InboxScene): Part {
  const { host, element, selection, isListOpen, paint, onListKey } = scene;
  const { shown, search } = selection;
  const text = element.words();
  const entries = element.live?.entries ?? [];
  const rows = rowsScene(scene);
  if (element.live?.isLoaded !== true && entries.length === 0) {
    return html`<div class="empty"><p class="soft">${text.loading}</p></div>`;
  }
  if (entries.length === 0 && host.selected === undefined) {
    return html`<div class="empty">${logoPart()}<h2 class="big" tabindex="-1">${text.nothing}</h2><p class="soft">${text.nothingHint}</p></div>`;
  }
  const isAlone = entries.length <= 1 && search === "";
  const heading =
    countOf(shown) === entries.length
      ? text.waiting(entries.length)
      : text.matching(countOf(shown), entries.length);
  return html`<aside class="side ${isAlone ? "alone" : ""}" data-open=${isListOpen}>
        ${foldPart(scene, heading, isListOpen)}
        <div class="list" role="region" aria-label=${text.questions}>
          ${toolsPart(scene, entries)}
          <div class="scroll" tabindex="-1" @scroll=${paint} @keydown=${onListKey}>${
            shown.length === 0
              ? html`<p class="soft none">${entries.length === 0 ? text.nothingHint : text.noMatch}</p>`
              : windowPart(rows, shown.length, (at) => pendingRow(shown[at] as Entry, rows))
          }</div>
        </div>
      </aside>
      <div class="stage">${stagePart(scene)}</div>`;
}

function foldPart({ toggleList }: InboxScene, heading: string, isOpen: boolean): Part {
  return html`<button type="button" class="fold" aria-expanded=${isOpen} @click=${toggleList}><span>${heading}</span><span class="chevron" aria-hidden="true"></span></button>`;
}

/** The search, and the filters that there is something to choose from. */
function toolsPart({ element, selection }: InboxScene, entries: readonly Entry[]): Part {
  const text = element.words();
  const { kind } = selection;
  const select = (
    label: string,
    value: string,
    options: readonly (readonly [string, string])[],
    set: (value: string) => void,
  ): Part =>
    html`<div class="select"><select aria-label=${label} .value=${value} @change=${(event: Event) => {
      set((event.target as HTMLSelectElement).value);
      element.update();
    }}>${options.map(([id, name]) => html`<option value=${id} ?selected=${id === value}>${name}</option>`)}</select></div>`;
  const oneOf = (name: "session" | "agent", values: readonly string[]): Part => {
    const choices = [...new Set(values)].filter(Boolean).sort();
    if (choices.length <= 1 && selection[name] === "") return false;
    const every = ["", `${text[name]}: ${text.every}`] as const;
    const options = choices.map((value) => [value, displayLine(value)] as const);
    return select(text[name], selection[name], [every, ...options], (value) => {
      selection[name] = value;
    });
  };
  return html`<div class="tools">
      <label class="search"><span class="unseen">${text.search}</span><input type="search" placeholder=${text.search} .value=${selection.search} maxlength="200" @input=${(
        event: Event,
      ) => {
        selection.search = (event.target as HTMLInputElement).value;
        const box = element.shadow.querySelector(".scroll");
        if (box !== null) box.scrollTop = 0;
        element.update();
      }}></label>
      <div class="filters">
        ${select(
          text.filterBy,
          kind,
          FILTERS.map((name) => [name, text.filters[name]] as const),
          (value) => {
            selection.kind = FILTERS.find((name) => name === value) ?? "all";
          },
        )}
        ${oneOf(
          "session",
          entries.map(({ ask }) => ask.session),
        )}
        ${oneOf(
          "agent",
          entries.map(({ ask }) => displayAsker(ask)),
        )}
      </div></div>`;
}

function stagePart(scene: InboxScene): Part {
  const { host, element, view, selection, goOn, onSettled } = scene;
  const text = element.words();
  const id = host.selected;
  if (id === undefined) return html`<div class="empty"><p class="soft">${text.choose}</p></div>`;
  const entry = element.live?.entries.find(({ ask }) => ask.id === id);
  const isOver = entry === undefined && view === "inbox" && element.live?.isLoaded === true;
  return html`${entry !== undefined && aboutPart(scene, entry)}${element.cardPart(id, onSettled)}
      ${
        isOver &&
        selection.shown.length > 0 &&
        html`<p class="onward"><button type="button" class="plain" @click=${goOn}>${text.next}</button></p>`
      }`;
}

function aboutPart({ host, element }: InboxScene, { ask, awaited, unknown }: Entry): Part {
  const text = element.words();
  const project = projectLabel(ask);
  const chat = ask.transcript !== undefined ? host.chatUrl?.(ask.session) : undefined;
  return html`<p class="about">
      ${awaited !== undefined && html`<span class="state" data-awaited=${awaited}>${awaited ? text.awaited : text.notAwaited}</span>`}
      ${unknown.length > 0 && html`<strong>${text.unknown(unknown.map(displayLine).join(", "))}</strong>`}
      ${project !== undefined && html`<span title=${displayLine(projectOf(ask) ?? project)}><bdi>${project}</bdi></span>`}
      ${ask.session !== "" && (chat === undefined ? html`<span><bdi>${displayLine(ask.session)}</bdi></span>` : html`<a href=${chat}>${text.conversation}: <bdi>${displayLine(ask.session)}</bdi></a>`)}
      <time datetime=${new Date(ask.createdAt).toISOString()} title=${clockTime(ask.createdAt, element.locale)}>${text.age(Date.now() - ask.createdAt)}</time>
    </p>`;
}

function historyPart(scene: InboxScene): Part {
  const { host, element, records, isListOpen, paint, onListKey, onSettled } = scene;
  const { ended, older, problem } = records;
  const text = element.words();
  if (ended === undefined) {
    return html`<div class="empty"><p class="soft">${problem === "" ? text.loading : ""}</p></div>`;
  }
  if (ended.length === 0) return html`<div class="empty"><p class="soft">${text.noHistory}</p></div>`;
  const id = host.selected;
  const isOpen = isListOpen || id === undefined;
  return html`<aside class="side" data-open=${isOpen}>
        ${foldPart(scene, text.history, isOpen)}
        <div class="list" role="region" aria-label=${text.history}><div class="scroll" tabindex="-1" @scroll=${paint} @keydown=${onListKey}>
          ${windowPart(rowsScene(scene), ended.length, (at) => endedRow(ended[at] as Ask, asideScene(scene)))}
          ${older !== undefined && html`<p class="onward"><button type="button" class="plain" @click=${() => void records.readMore()}>${text.older}</button></p>`}
        </div></div></aside>
      <div class="stage">${id === undefined ? html`<div class="empty"><p class="soft">${text.choose}</p></div>` : html`${element.cardPart(id, onSettled)}${element.client?.audit !== undefined && auditPart(records.audit(id), asideScene(scene))}`}</div>`;
}

function settingsPart(scene: InboxScene): Part {
  const { records, notify } = scene;
  const aside = asideScene(scene);
  return html`<div class="only">${devicesPart(records.devices, (device) => void records.endDevice(device), aside)}${rulesPart(records.rules, (rule) => void records.revokeRule(rule), aside)}${notify.settings(notifyScene(scene))}</div>`;
}

function notifyScene({ element, records, openSettings }: InboxScene): NotifyScene {
  const { language } = element;
  return { words: element.words().notify, language, attempt: records.attempt, openSettings };
}

function asideScene({ host, element }: InboxScene): AsideScene {
  return { words: element.words(), locale: element.locale, person: host.person ?? "" };
}

function rowsScene({ host, element, choose }: InboxScene): RowsScene {
  const box = element.shadow.querySelector<HTMLElement>(".scroll");
  return { words: element.words(), now: Date.now(), selected: host.selected, choose, box };
}
