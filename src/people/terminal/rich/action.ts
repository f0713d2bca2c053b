// An action as the form and the page show it: its name, its description, and the arguments that it would be run with.

import { displayJson } from "../../../core/text/display.js";
import type { FormWords } from "../../../core/words/form.js";
import { type StyledLine, styled } from "../../cells/line.js";
import { argsText } from "../../form/json-text.js";
import type { FormState, Step } from "../../form/state.js";
import { type ActionText, markLine } from "./seen.js";
import { hangLines, modelLine, modelLines, wrapped } from "./text.js";

type ActionStep = Extract<Step, { kind: "action" }>;

/** The agent's arguments, the person's as they stand, and whether it is those that are approved. */
export function textsOf(
  { parts, step: index }: FormState,
  { id, action }: ActionStep,
): { readonly own: ActionText; readonly current: ActionText; readonly isEdit: boolean } {
  const part = parts[index];
  const args = argsText(action.args);
  const current = part?.kind === "decision" ? part.args : args;
  return {
    own: { id, args, isChanged: false },
    current: { id, args: current, isChanged: current !== args },
    isEdit: part?.kind === "decision" && part.decision === "edit",
  };
}

export function nameLines({ action }: ActionStep, of: ActionText, width: number): readonly StyledLine[] {
  const name = wrapped([modelLine(action.name)], width, { bold: true });
  const { description } = action;
  return [
    ...markLine(name, of, 0, width),
    ...(description === undefined ? [] : wrapped(modelLines(description), width)),
  ];
}

/** Changed arguments stand below a heading. */
export function argsLines(of: ActionText, words: FormWords, width: number): readonly StyledLine[] {
  const rows = displayJson(of.args)
    .split("\n")
    .flatMap((line, index) =>
      markLine(
        hangLines(
          [styled(`  ${/^ */.exec(line)?.[0] ?? ""}`)],
          (room) => wrapped([line.trimStart()], room, { color: "code" }),
          width,
        ),
        of,
        index + 1,
        width,
      ),
    );
  return of.isChanged ? [...wrapped([`${words.edit}:`], width), ...rows] : rows;
}
