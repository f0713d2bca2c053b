// The words that a person types in plain mode, and where each of them means something.

import type { Question } from "../../../core/model/question.js";
import type { PlainCommand } from "../../../core/words/form.js";
import type { FormView } from "../../form/view.js";

interface Command {
  readonly usage: string;
  /** What else is typed for it; its name is no command if it is not typed at all. */
  readonly typed?: readonly string[];
  /** It uses what stands behind it. Behind any other, words would be lost, so it is not taken as a command. */
  readonly takesText?: true;
  /** With a slash before it where a text is the answer. */
  readonly slashed?: true;
}

const COMMANDS: Readonly<Record<PlainCommand, Command>> = {
  number: { usage: "1" },
  label: { usage: "label" },
  other: { usage: "other …", typed: ["o"] },
  text: { usage: "…" },
  preview: { usage: "preview 1", typed: ["p"], takesText: true },
  approve: { usage: "approve", typed: ["a"] },
  edit: { usage: "edit", typed: ["e"], takesText: true },
  reject: { usage: "reject …", typed: ["r"], takesText: true },
  remember: { usage: "remember", typed: ["m"], takesText: true },
  note: { usage: "note …", typed: ["n"], takesText: true, slashed: true },
  skip: { usage: "skip", typed: ["s"], slashed: true },
  back: { usage: "back", typed: ["b"], slashed: true },
  next: { usage: "next", typed: [], slashed: true },
  review: { usage: "review", typed: [], slashed: true },
  send: { usage: "send", typed: ["yes"] },
  reply: { usage: "reply …", typed: [], takesText: true, slashed: true },
  decline: { usage: "decline …", typed: [], takesText: true, slashed: true },
  repeat: { usage: "repeat", typed: [], slashed: true },
};
// Safe to cast: these are the keys of the table.
const NAMES = Object.keys(COMMANDS) as readonly PlainCommand[];

/** The command of a word in small letters. */
export function commandOf(word: string): PlainCommand | undefined {
  return NAMES.find((name) => {
    const { typed } = COMMANDS[name];
    return typed !== undefined && (name === word || typed.includes(word));
  });
}

export function takesText(command: PlainCommand): boolean {
  return COMMANDS[command].takesText === true;
}

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
  const textOnly = step.kind === "question" && isTextOnly(step.question);
  const hasOptions = step.kind === "question" && !textOnly;
  const isPossible = (command: PlainCommand): boolean => {
    switch (command) {
      case "number":
      case "label":
        return hasOptions;
      case "other":
        return hasOptions && rows.some(({ kind }) => kind === "text");
      case "text":
        return textOnly;
      case "next":
        return step.kind !== "review";
      default:
        return isAvailable(command, view, remembers);
    }
  };
  return NAMES.filter(isPossible).map((command) => {
    const { usage, slashed } = COMMANDS[command];
    return [command, slashed && textOnly ? `/${usage}` : usage];
  });
}

export function isTextOnly({ options }: Question): boolean {
  return options.every(({ input }) => input);
}
