// Times as a page tells them. A page does not run: what it says of "in five minutes" was true when it was
// sent, and may be looked at much later, after a laptop has slept. So what matters is told by the clock too,
// and by that of everyone: a server does not know where its reader is.

import { type Ask, transition } from "../../core/index.js";
import { type Html, html } from "./html.js";

export function age(milliseconds: number): string {
  const [amount, unit] = duration(milliseconds);
  return amount === 0 ? "just now" : `${amount} ${unit}${amount === 1 ? "" : "s"} ago`;
}

/** When an ask ends by itself, and what is said then in nobody's name; nothing where that never happens. */
export function deadlineView(ask: Ask, now: number): Html | undefined {
  const { deadline } = ask;
  if (deadline === undefined || ask.overdue || ask.outcome !== undefined) return undefined;
  const next = transition(ask, { type: "deadline" }, deadline);
  const answered = next.kind === "settled" && next.outcome.kind === "answered";
  const [amount, unit] = duration(deadline - now);
  const left = amount === 0 ? "within a minute" : `in ${amount} ${unit}${amount === 1 ? "" : "s"}`;
  return html`<span>${next.kind === "settled" ? "ends" : "due"} ${left}, ${clockTime(deadline, now)}${answered && "; then what is recommended is taken"}</span>`;
}

/** A time of the day; with the day, where that is another. */
export function clockTime(time: number, now: number): Html {
  const [iso, today] = [new Date(time).toISOString(), new Date(now).toISOString()];
  const [day = "", clock = ""] = iso.split("T", 2);
  const shown = `${today.startsWith(day) ? "" : `${day} `}${clock.slice(0, 5)} UTC`;
  return html`<time datetime="${iso}">${shown}</time>`;
}

function duration(milliseconds: number): readonly [number, string] {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 60) return [minutes, "minute"];
  if (minutes < 48 * 60) return [Math.floor(minutes / 60), "hour"];
  return [Math.floor(minutes / (24 * 60)), "day"];
}
