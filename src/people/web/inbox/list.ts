// The list of asks. Only the rows that can be seen are in the page, however many there are.

import { displayAsker, displayLine } from "../../../core/text/display.js";
import { titleOf } from "../../../core/text/title.js";
import type { WebWords } from "../../../core/words/web.js";
import { type Folded, moreText } from "../../inbox/crowd.js";
import type { Entry } from "../../inbox/live-asks.js";
import { projectLabel } from "../../inbox/search.js";
import { html, type Part } from "../html.js";

/** As in the style sheet. */
export const ROW_HEIGHT = 88;
const MORE_ROWS = 6;
/** Before the list has a size. */
const FIRST_HEIGHT = 900;

export interface RowsScene {
  readonly words: WebWords;
  readonly now: number;
  readonly selected: string | undefined;
  /** The scrolling box of the list, once there is one. */
  readonly box: HTMLElement | null;
  readonly choose: (id: string, byKey: boolean) => void;
}

export interface ListRow {
  readonly id: string;
  readonly content: Part;
}

/** The visible part of a list. */
export function windowPart(scene: RowsScene, count: number, rowAt: (index: number) => ListRow): Part {
  const { box } = scene;
  const height = box === null || box.clientHeight === 0 ? FIRST_HEIGHT : box.clientHeight;
  const top = box?.scrollTop ?? 0;
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - MORE_ROWS);
  const last = Math.min(count, Math.ceil((top + height) / ROW_HEIGHT) + MORE_ROWS);
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
    const index = first + offset;
    const { id, content } = rowAt(index);
    return html`<li aria-setsize=${count} aria-posinset=${index + 1}><button type="button" class="row"
      aria-current=${id === scene.selected ? "true" : "false"} data-id=${id} data-index=${index}
      @click=${(event: MouseEvent) => scene.choose(id, event.detail === 0)}>${content}</button></li>`;
  });
  return html`<ol class="rows" data-before=${first * ROW_HEIGHT} data-after=${Math.max(0, count - last) * ROW_HEIGHT}>${rows}</ol>`;
}

/** The room of the rows that are not in the page. Not by an attribute, which the page's policy forbids. */
export function makeRoom(root: ParentNode): void {
  for (const list of root.querySelectorAll<HTMLElement>(".rows")) {
    list.style.paddingTop = `${list.dataset.before ?? 0}px`;
    list.style.paddingBottom = `${list.dataset.after ?? 0}px`;
  }
}

/** One pending ask, or the rest of an agent. */
export function pendingRow({ ask, awaited, draft, more }: Folded<Entry>, { words, now }: RowsScene): ListRow {
  if (more !== undefined) {
    return {
      id: ask.id,
      content: html`<span class="title" dir="auto">${moreText(more, words)}</span>`,
    };
  }
  const { deadline, overdue } = ask;
  const isSoon = deadline !== undefined && deadline - now < 5 * 60_000;
  const facts = [projectLabel(ask), displayAsker(ask)].filter((fact) => fact !== undefined && fact !== "");
  const content = html`<span class="title" dir="auto">${titleOf(ask, words)}</span>
    <span class="meta">${
      awaited === true &&
      html`<span class="live" title=${words.awaited}><span class="unseen">${words.awaited}</span></span>`
    }<span class="who"><bdi>${facts.length > 0 ? facts.join(" · ") : displayLine(ask.session)}</bdi></span>${
      draft && html`<span class="tag">${words.draft}</span>`
    }${
      overdue
        ? html`<span class="when late">${words.overdue}</span>`
        : deadline === undefined
          ? html`<span class="when">${words.age(now - ask.createdAt)}</span>`
          : html`<span class="when ${isSoon ? "late" : ""}">${words.due(deadline - now)}</span>`
    }</span>`;
  return { id: ask.id, content };
}
