// Times on a page. The page is static and may be read much later, so "in five minutes" comes with a clock time, in
// UTC: the server does not know the reader's time zone.

import { type Ask, transition } from "../../core/index.js";
import type { PageTimeUnit, PageWords } from "../../words/index.js";
import { type Html, html } from "./html.js";

export function age(milliseconds: number, words: PageWords): string {
  return words.ago(...duration(milliseconds));
}

/** When an ask ends by itself, and how; undefined if it does not. */
export function deadlineView(ask: Ask, now: number, words: PageWords): Html | undefined {
  const { deadline } = ask;
  if (deadline === undefined || ask.overdue || ask.outcome !== undefined) return undefined;
  const next = transition(ask, { type: "deadline" }, deadline);
  const answered = next.kind === "settled" && next.outcome.kind === "answered";
  const left = words.deadline(...duration(deadline - now), next.kind === "settled");
  return html`<span>${left}, ${clockTime(deadline, now)}${answered && `; ${words.thenRecommended}`}</span>`;
}

/** A time of day, with the date if it is not today. */
export function clockTime(time: number, now: number): Html {
  const [iso, today] = [new Date(time).toISOString(), new Date(now).toISOString()];
  const [day = "", clock = ""] = iso.split("T", 2);
  const shown = `${today.startsWith(day) ? "" : `${day} `}${clock.slice(0, 5)} UTC`;
  return html`<time datetime="${iso}">${shown}</time>`;
}

function duration(milliseconds: number): readonly [amount: number, unit: PageTimeUnit] {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 60) return [minutes, "minute"];
  if (minutes < 48 * 60) return [Math.floor(minutes / 60), "hour"];
  return [Math.floor(minutes / (24 * 60)), "day"];
}
