// A form by JSON schema, as a prompt. An answer that does not fit the form is never sent: the person gets the form again,
// and reads why.

import { isBlank } from "../../core/kit/fold.js";
import type { Outcome } from "../../core/model/outcome.js";
import {
  askOfForm,
  correctedMessage,
  type FormProblem,
  type FormReply,
  replyToForm,
} from "../shapes/shared/schema-form.js";
import type { Content, Prompt } from "./relay.js";

type FormPrompt<R> =
  | ({ readonly ok: true } & Pick<Prompt<R>, "content" | "reply">)
  | { readonly ok: false; readonly message: string };

/** `toReply` gets undefined if nobody decided, and returns undefined if nothing is sent. */
export function formPrompt<R>(
  schema: unknown,
  message: string,
  toReply: (read: FormReply | undefined, outcome: Outcome) => R | undefined,
): FormPrompt<R> {
  const form = askOfForm(schema);
  if (!form.ok) return form;
  const contentOf = (problems: readonly FormProblem[]): Content => {
    const context = correctedMessage(message, problems);
    return isBlank(context) ? form.content : { ...form.content, context };
  };
  return {
    ok: true,
    content: contentOf([]),
    reply(ask, outcome) {
      const read = replyToForm(schema, ask.questions, outcome);
      const problems = read?.action === "accept" ? read.problems : [];
      if (problems.length > 0) return { again: contentOf(problems) };
      const reply = toReply(read, outcome);
      return reply === undefined ? undefined : { reply };
    },
  };
}
