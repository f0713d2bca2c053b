// The words that a person types in plain mode, and where each of them means something.

import type { Question } from "../../core/index.js";
import type { FormView } from "../../form/index.js";
import type { PlainCommand } from "../../words/index.js";

/** By what is typed, in small letters. */
export const COMMANDS: Readonly<Record<string, PlainCommand>> = {
  back: "back",
  b: "back",
  next: "next",
  review: "review",
  skip: "skip",
  s: "skip",
  note: "note",
  n: "note",
  preview: "preview",
  p: "preview",
  other: "other",
  o: "other",
  approve: "approve",
  a: "approve",
  edit: "edit",
  e: "edit",
  reject: "reject",
  r: "reject",
  remember: "remember",
  m: "remember",
  send: "send",
  yes: "send",
  reply: "reply",
  decline: "decline",
  repeat: "repeat",
};

/** Commands that use what stands behind them. Behind any other, words would be lost, so it is not taken as a command. */
export const TAKE_TEXT: ReadonlySet<PlainCommand> = new Set([
  "note",
  "preview",
  "edit",
  "reject",
  "remember",
  "reply",
  "decline",
]);

/** Letters and words that would mean a choice of their own are commands only where they make sense. */
export function isAvailable(
  command: PlainCommand,
  { step, can, rows }: FormView,
  remembers: boolean,
): boolean {
  switch (command) {
    case "remember":
      return remembers;
    case "approve":
    case "edit":
    case "reject":
      return can[command];
    case "skip":
      return can.skip;
    case "back":
      return can.back;
    case "review":
      return can.review;
    case "other":
      // Options and `other` together are parsed as a choice.
      return false;
    case "send":
      return step.kind === "review";
    case "preview":
      return rows.some((row) => "option" in row && row.option?.preview !== undefined);
    default:
      return true;
  }
}

/** What can be typed now, and how. */
export function commandsNow(
  view: FormView,
  remembers: boolean,
): readonly (readonly [PlainCommand, string])[] {
  const { step, rows } = view;
  const can = (command: PlainCommand): boolean => isAvailable(command, view, remembers);
  const textOnly = step.kind === "question" && isTextOnly(step.question);
  const slash = textOnly ? "/" : "";
  const hasOptions = step.kind === "question" && !textOnly;
  const hasOther = hasOptions && rows.some(({ kind }) => kind === "text");
  const all: readonly (readonly [PlainCommand, string, boolean])[] = [
    ["number", "1", hasOptions],
    ["label", "label", hasOptions],
    ["other", "other …", hasOther],
    ["text", "…", textOnly],
    ["preview", "preview 1", can("preview")],
    ["approve", "approve", can("approve")],
    ["edit", "edit", can("edit")],
    ["reject", "reject …", can("reject")],
    ["remember", "remember", remembers],
    ["note", `${slash}note …`, true],
    ["skip", `${slash}skip`, can("skip")],
    ["back", `${slash}back`, can("back")],
    ["next", `${slash}next`, step.kind !== "review"],
    ["review", `${slash}review`, can("review")],
    ["send", "send", can("send")],
    ["reply", `${slash}reply …`, true],
    ["decline", `${slash}decline …`, true],
    ["repeat", `${slash}repeat`, true],
  ];
  return all.filter(([, , isPossible]) => isPossible).map(([command, usage]) => [command, usage]);
}

export function isTextOnly({ options }: Question): boolean {
  return options.every(({ input }) => input);
}
