// The words of the pages, put together with what they are about. All words are in `src/words`.

import {
  type Answerer,
  type Ask,
  displayLine,
  type Issue,
  LIMITS,
  type Outcome,
  type Question,
  type SubmittedAnswer,
} from "../../core/index.js";
import { acceptedLanguage, issueText, type PageWords, pageWords } from "../../words/index.js";
import type { RequestHeaders } from "../http/request.js";

export const PRODUCT = "Askline";

/** The words in the language that a browser asks for. */
export function wordsFor(headers: RequestHeaders): PageWords {
  return pageWords(acceptedLanguage(headers.get("accept-language")));
}

/** How many questions are waiting; `further` if earlier pages have questions. */
export function waitingTitle(words: PageWords, count: number, more: boolean, further: boolean): string {
  if (count > 0) return words.waiting(count, more, further);
  return more ? words.noneHere : further ? words.noFurther : words.nothing;
}

/** The title of an ask, in one line. */
export function titleOf({ questions, approval }: Ask, words: PageWords): string {
  const [action] = approval?.actions ?? [];
  if (action !== undefined) {
    return displayLine(words.runAction(action.name, (approval?.actions.length ?? 1) - 1));
  }
  const [first] = questions;
  if (questions.length <= 1) return displayLine(first?.question ?? "");
  const headers = questions.flatMap(({ header }) => header ?? []);
  const subject = headers.length === questions.length ? headers.join(", ") : (first?.question ?? "");
  return displayLine(words.questions(questions.length, subject));
}

/** How an ask ended, for the person who looks at it. */
export function endedTitle(outcome: Outcome, person: string, words: PageWords): string {
  const by = "by" in outcome ? outcome.by : undefined;
  const own = by?.kind === "person" && by.id === person;
  switch (outcome.kind) {
    case "answered":
    case "decided":
    case "declined":
    case "replied":
      if (!own) return words.endedBy(outcome.kind, describe(by, words));
      return by.via === undefined
        ? words.ended[outcome.kind]
        : `${words.ended[outcome.kind]}, ${words.reportedBy(displayLine(by.via))}`;
    case "expired":
    case "withdrawn":
    case "unavailable":
      return words.ended[outcome.kind];
  }
}

function describe(by: Answerer | undefined, words: PageWords): string {
  if (by === undefined) return words.someone;
  return displayLine(
    by.kind === "person" ? `${by.id} (${surfaceOf(by, words)})` : words.policy(by.name, by.rule, by.madeBy),
  );
}

/** Where a person answered, and which agent's process says so, if one does. */
export function surfaceOf(
  { surface, via }: Extract<Answerer, { readonly kind: "person" }>,
  words: PageWords,
): string {
  return via === undefined ? surface : `${surface}, ${words.reportedBy(via)}`;
}

/** An issue in words for the person who filled in the form. `answered` is the question that it is about. */
export function issueWords(
  { code, path }: Issue,
  answered: { readonly question: Question; readonly answer: SubmittedAnswer } | undefined,
  words: PageWords,
): string {
  const { question, answer } = answered ?? {};
  if (code === "too_many_picks" && question?.multiSelect === false) return words.onlyOne;
  return issueText({ code, values: valuesOf() }, words.language);

  function valuesOf(): Readonly<Record<string, number | boolean>> {
    switch (code) {
      case "too_few_picks":
        return { min: question?.minPicks ?? 1, count: answer?.selected?.length ?? 0 };
      case "too_many_picks":
        return question?.maxPicks === undefined ? {} : { max: question.maxPicks };
      case "too_long": {
        const [text, max] =
          path.at(-1) === "note" ? [answer?.note, LIMITS.noteLength] : [answer?.text, LIMITS.textLength];
        return text === undefined ? {} : { max, count: text.length };
      }
      default:
        return question === undefined
          ? {}
          : { options: question.options.length > 0, text: question.freeText };
    }
  }
}
