// What an inbox says about an ask besides its card.

import type { Ask } from "../../../core/model/ask.js";

const LONGEST_KEPT = 300;

/** What the list needs of an ask: two thousand with all their previews would take too much memory. */
export function slim(ask: Ask): Ask {
  const { context, approval } = ask;
  return {
    ...ask,
    questions: ask.questions.map((question) => ({
      ...question,
      question: question.question.slice(0, LONGEST_KEPT),
      options: [],
    })),
    ...(context !== undefined && { context: context.slice(0, LONGEST_KEPT) }),
    ...(approval !== undefined && {
      approval: { ...approval, actions: approval.actions.map((action) => ({ ...action, args: {} })) },
    }),
  };
}

/** A time in the person's own zone, with the date if it is not today. */
export function clockTime(time: number, locale: string, now: number = Date.now()): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return new Intl.DateTimeFormat(locale, {
    ...(isToday ? {} : { dateStyle: "medium" as const }),
    timeStyle: "short",
  }).format(date);
}
