// The losses that the head comments of the dialects list, as functions: what comes back of an ask that was
// encoded and decoded again.

import { type AskRequest, CATCH_ALL_LABELS, type Option, type Preview } from "../../src/core/index.js";

/** Nothing but the questions: no address, no deadline, and the defaults of the profile. */
export function questionsAlone(ask: AskRequest, allowPartial: boolean): AskRequest {
  return {
    questions: ask.questions,
    session: "",
    recipients: [],
    onDeadline: "expire",
    allowPartial,
    requireSurface: false,
  };
}

export function withoutBounds(ask: AskRequest): AskRequest {
  return {
    ...ask,
    questions: ask.questions.map(({ minPicks: _least, maxPicks: _most, ...question }) => question),
  };
}

export function withFreshIds(ask: AskRequest, option = "o"): AskRequest {
  return {
    ...ask,
    questions: ask.questions.map((question, index) => ({
      ...question,
      id: `q${index + 1}`,
      options: question.options.map((each, at) => ({ ...each, id: `${option}${at + 1}` })),
    })),
  };
}

export function withFreeText(ask: AskRequest, freeText: boolean): AskRequest {
  return { ...ask, questions: ask.questions.map((question) => ({ ...question, freeText })) };
}

/** `recommended` and `input` are only what the label says. */
export function flaggedByLabel(ask: AskRequest): AskRequest {
  return {
    ...ask,
    questions: ask.questions.map((question) => {
      const catchAll = question.freeText
        ? question.options.findIndex(({ label }) => CATCH_ALL_LABELS.includes(label))
        : -1;
      return {
        ...question,
        options: question.options.map(
          ({ recommended: _recommended, input: _input, ...option }, at): Option => ({
            ...option,
            ...(/\(recommended\)\s*$/i.test(option.label) && { recommended: true as const }),
            ...(at === catchAll && { input: true as const }),
          }),
        ),
      };
    }),
  };
}

/** Previews of one format, or none at all. */
export function withPreviews(ask: AskRequest, format: Preview["format"] | undefined): AskRequest {
  return {
    ...ask,
    questions: ask.questions.map((question) => ({
      ...question,
      options: question.options.map(({ preview, ...option }) => ({
        ...option,
        ...(preview !== undefined && format !== undefined && { preview: { ...preview, format } }),
      })),
    })),
  };
}
