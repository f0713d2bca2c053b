import type { Action, Decision } from "../../core/model/approval.js";
import type { SubmittedDecision } from "../../core/model/ending.js";
import type { DecisionKind } from "../../core/model/kinds.js";
import { validateDecisions } from "../../core/rules/validate-decisions.js";
import { displayJson, displayLine, displayText } from "../../core/text/display.js";
import { hang } from "../cells/wrap.js";
import type { PromptResult } from "./ask-question.js";
import type { Dialogue } from "./dialogue.js";

const CHOICES = {
  approve: "a) approve",
  edit: "e) edit",
  reject: "r) reject",
} satisfies Record<DecisionKind, string>;

/** Asks about one action until the decision is valid. A blank line cancels the whole approval. */
export async function askAction(
  dialogue: Dialogue,
  action: Action,
  position: number,
  count: number,
): Promise<PromptResult<Decision>> {
  dialogue.say(actionText(action, position, count, dialogue.columns));
  dialogue.say(`  ${action.allow.map((kind) => CHOICES[kind]).join("  ")}\n`);
  for (;;) {
    const reply = await readDecision(dialogue, action);
    if (reply.kind === "again") continue;
    if (reply.kind !== "value") return reply;
    const alone = { questions: [], approval: { actions: [action] } };
    const checked = validateDecisions(alone, { decisions: [reply.value] });
    const decision = checked.ok ? checked.decisions[0] : undefined;
    if (decision !== undefined) return { kind: "value", value: decision };
    if (!checked.ok) dialogue.explain(checked.issues.map(({ message }) => message).join("\n"));
  }
}

/** An action with its arguments; safe to show. */
export function actionText(
  action: Action,
  position: number,
  count: number,
  columns: number | undefined,
): string {
  const lines = [
    "",
    `[${position}/${count}] ${displayLine(action.name)}`,
    ...(action.description === undefined ? [] : [hang("", displayText(action.description), columns)]),
    ...displayJson(JSON.stringify(action.args, undefined, 2))
      .split("\n")
      .map((line) => hangJson(line, columns)),
  ];
  return `${lines.join("\n")}\n`;
}

/** A line of JSON. In a narrow terminal it wraps with a deeper indent than the next line. */
function hangJson(line: string, columns: number | undefined): string {
  const indent = /^ */.exec(line)?.[0] ?? "";
  return hang(`  ${indent}  `, line.slice(indent.length), columns).slice(2);
}

type Reply = PromptResult<SubmittedDecision> | { readonly kind: "again" };

const COMMAND = /^(a|approve|e|edit|r|reject)(?:\s+(.*))?$/i;
const KINDS: Readonly<Record<string, DecisionKind>> = { a: "approve", e: "edit", r: "reject" };

async function readDecision(dialogue: Dialogue, action: Action): Promise<Reply> {
  const line = await dialogue.ask("> decide: ");
  if (line.kind !== "line") return line;
  if (line.text.trim() === "") return { kind: "cancelled" };
  const [, word = "", rest = ""] = COMMAND.exec(line.text.trim()) ?? [];
  const kind = KINDS[word.charAt(0).toLowerCase()];
  if (kind === undefined || !action.allow.includes(kind) || (kind === "approve" && rest !== "")) {
    const letters = action.allow.map((allowed) => allowed.charAt(0)).join(" or ");
    dialogue.explain(`invalid decision "${displayLine(line.text.trim())}"; type ${letters}`);
    return { kind: "again" };
  }
  switch (kind) {
    case "approve":
      return { kind: "value", value: { action: action.id, kind } };
    case "edit":
      return readArguments(dialogue, action, rest);
    case "reject":
      return readReason(dialogue, action, rest);
  }
}

/** Reads one line of JSON; a blank line goes back to the choice. */
async function readArguments(dialogue: Dialogue, action: Action, given: string): Promise<Reply> {
  let text = given;
  for (;;) {
    if (text === "") {
      const line = await dialogue.askText("  arguments (JSON on one line): ");
      if (line.kind !== "line") return line;
      text = line.text.trim();
      if (text === "") return { kind: "again" };
    }
    try {
      return { kind: "value", value: { action: action.id, kind: "edit", args: JSON.parse(text) } };
    } catch (error) {
      const reason = error instanceof Error ? displayLine(error.message) : "not JSON";
      dialogue.explain(`that is not JSON (${reason}); type it again, or a blank line to go back`);
      text = "";
    }
  }
}

async function readReason(dialogue: Dialogue, action: Action, given: string): Promise<Reply> {
  let message = given;
  if (message === "") {
    const line = await dialogue.askText("  reason (optional): ");
    if (line.kind === "aborted") return line;
    // The rejection is valid even if the input ends before a reason.
    message = line.kind === "line" ? line.text.trim() : "";
  }
  return {
    kind: "value",
    value: { action: action.id, kind: "reject", ...(message !== "" && { message }) },
  };
}
