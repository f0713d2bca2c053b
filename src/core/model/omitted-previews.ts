// Large asks are mostly previews. Where many asks are sent at once, those are left out, and read again by a person who
// opens one.

import type { Ask } from "./ask.js";
import type { Option, Preview } from "./option.js";

/** The ask without the contents of its previews. */
export function omitPreviews<A extends Pick<Ask, "questions">>(ask: A): A {
  const questions = ask.questions.map((question) => ({
    ...question,
    options: question.options.map((option) =>
      option.preview === undefined ? option : { ...option, preview: omit(option.preview) },
    ),
  }));
  return { ...ask, questions };
}

/** Whether a preview of the ask was left out: the ask, read by its id, has it. */
export function hasOmittedPreviews({ questions }: Pick<Ask, "questions">): boolean {
  const isOmitted = ({ preview }: Option): boolean => preview?.omitted !== undefined;
  return questions.some(({ options }) => options.some(isOmitted));
}

function omit(preview: Preview): Preview {
  if (preview.content === "") return preview;
  return { format: preview.format, content: "", omitted: new TextEncoder().encode(preview.content).length };
}
