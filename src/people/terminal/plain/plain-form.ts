// A form line by line: what there is to know is written once, a person types a line, and nothing is drawn over. For
// screen readers, and for terminals without a cursor.
//
// A line is a number, a label, text, or a command. In a question that takes only text, commands begin with a slash,
// because any word may be the answer.

import type { Question } from "../../../core/model/question.js";
import { displayJson, displayText } from "../../../core/text/display.js";
import { panelWords } from "../../../core/words/basics.js";
import { formWords, type PlainCommand } from "../../../core/words/form.js";
import { issueText } from "../../../core/words/issues.js";
import { plainText } from "../../cells/line.js";
import { hang } from "../../cells/wrap.js";
import type { FormEvent } from "../../form/event.js";
import { argsText } from "../../form/json-text.js";
import type { LiveForm } from "../../form/live-form.js";
import type { Row } from "../../form/rows.js";
import { stepsOf } from "../../form/state.js";
import { type FormView, viewForm } from "../../form/view.js";
import type { Dialogue } from "../dialogue.js";
import { rememberingOf } from "../remembering.js";
import { answerText, decisionText, FIELD_LABELS } from "../rich/blocks.js";
import { loadMarkdown, markdownLines, modelLine, modelLines } from "../rich/text.js";
import { commandOf, commandsNow, isAvailable, isTextOnly, takesText } from "./commands.js";
import { chosenText, isLabel, numberOf, rowText } from "./row-text.js";

/** Where the output does not say how wide it is. */
const USUAL_COLUMNS = 80;

/** What sends, or may send, without saying what. */
const SENDING: ReadonlySet<PlainCommand> = new Set(["next", "send", "approve", "reject"]);

/** The panels that end the ask with a text, and whether it may be empty. */
const MAY_BE_EMPTY = { reply: false, decline: true } as const;

type TextPanel = keyof typeof MAY_BE_EMPTY;

function isPanel(command: PlainCommand): command is TextPanel {
  return command in MAY_BE_EMPTY;
}

type FormDriver = Pick<LiveForm, "state" | "dispatch">;

export type PlainEnding = { readonly kind: "settled" | "ended" | "aborted" };

export interface PlainOptions {
  readonly context: string | undefined;
  readonly locale: string | undefined;
  /** Resolves at the next change of the form, for one that is sent to a server. */
  readonly nextChange?: () => Promise<void>;
}

/** Asks until the form has ended, or nobody answers any more. */
export async function runPlainForm(
  driver: FormDriver,
  dialogue: Dialogue,
  { context, locale, nextChange }: PlainOptions,
): Promise<PlainEnding> {
  const words = formWords(locale);
  const say = (text: string, prefix = ""): void => dialogue.say(`${hang(prefix, text, dialogue.columns)}\n`);
  if (context !== undefined) {
    dialogue.say("\n");
    await sayMarkdown(driver.state.ask, context);
  }
  let shown: number | undefined;
  /** What is chosen and typed, as far as it was written or came from here. */
  let known = driver.state.parts;
  const dispatch = (event: FormEvent): void => {
    const before = driver.state.parts;
    driver.dispatch(event);
    known = driver.state.parts.map((part, index) =>
      part !== before[index] && known[index] === before[index] ? part : (known[index] ?? part),
    );
  };
  while (driver.state.phase.kind !== "settled") {
    if (driver.state.phase.kind === "sending") {
      await nextChange?.();
      explainIssues();
      continue;
    }
    const view = viewForm(driver.state);
    if (shown !== driver.state.step) showStep(view);
    shown = driver.state.step;
    const line = await ask(view);
    if (line.kind !== "line") return { kind: line.kind === "end" ? "ended" : "aborted" };
    const text = line.text.trim();
    if (text === "") dialogue.explain(words.plain.blank);
    else {
      const again = await take(text, view);
      if (again === "ended" || again === "aborted") return { kind: again };
      if (again === "repeat") shown = undefined;
      explainIssues();
    }
  }
  return { kind: "settled" };

  async function sayMarkdown(owner: object, source: string, indent = ""): Promise<void> {
    await loadMarkdown([source]);
    const lines = markdownLines(owner, source, (dialogue.columns ?? USUAL_COLUMNS) - indent.length, true);
    dialogue.say(`${lines.map((line) => `${indent}${plainText(line)}`).join("\n")}\n`);
  }

  function ask({ step, picks }: FormView): ReturnType<Dialogue["ask"]> {
    const { plain } = words;
    if (step.kind === "review") return dialogue.ask(plain.reviewPrompt);
    if (step.kind === "action") return dialogue.ask(plain.decide);
    if (isTextOnly(step.question)) return dialogue.askText(`${words.answer}: `);
    return dialogue.ask(picks === undefined ? plain.choose : plain.chooseSeveral);
  }

  function showStep(view: FormView): void {
    const { step } = view;
    const steps = stepsOf(driver.state.ask).filter(({ kind }) => kind !== "review");
    const place =
      steps.length > 1 && step.kind !== "review"
        ? `${words.plain.place(driver.state.step + 1, steps.length)}`
        : "";
    const header =
      step.kind === "question" && step.question.header !== undefined ? modelLine(step.question.header) : "";
    say(`\n${[place, header].filter((part) => part !== "").join(": ")}`.trimEnd());
    if (step.kind === "review") say(`${words.review}`);
    if (step.kind === "question") say(modelLines(step.question.question).join("\n"));
    if (step.kind === "action") {
      say(modelLine(step.action.name));
      if (step.action.description !== undefined) say(modelLines(step.action.description).join("\n"));
      say(displayJson(argsText(step.action.args)), "  ");
    }
    if (view.picks !== undefined) say(words.picks(view.picks.min, view.picks.max, view.picks.count));
    for (const row of view.rows) {
      const text = row.kind === "step" ? stepText(row) : rowText(row, words, locale, step);
      if (text !== undefined)
        say(text, `${"number" in row && row.number !== undefined ? row.number : "-"}. `);
    }
    const counts = rememberingOf(driver.state, locale)?.text;
    if (counts !== undefined) say(`${counts} (${words.plain.rememberHint})`);
    const now = chosenText(view, words);
    if (now !== undefined) say(words.plain.chosen(now));
    if (step.kind === "action") dispatch({ type: "shown", id: step.id, args: argsText(step.action.args) });
    for (const row of view.rows) {
      if (row.kind !== "field" || row.value.trim() === "") continue;
      const text = row.field === "args" ? displayJson(row.value) : displayText(row.value);
      say(`${FIELD_LABELS[row.field](words)}${row.unused ? ` (${words.unused})` : ""}: ${text}`);
      if (row.field === "args" && step.kind === "action")
        dispatch({ type: "shown", id: step.id, args: row.value });
    }
    known = driver.state.parts;
  }

  function stepText(row: Extract<Row, { kind: "step" }>): string {
    const step = stepsOf(driver.state.ask)[row.step];
    if (step?.kind === "question") {
      const title = modelLine(step.question.header ?? step.question.question);
      return `${title}: ${displayText(answerText(step.question, row.answer, words))}`;
    }
    const title = step?.kind === "action" ? modelLine(step.action.name) : "";
    return `${title}: ${displayText(decisionText(row.decision, words))}`;
  }

  /** Ends the ask with a text of its own; where that is not possible, says why and goes back. */
  function endWith(panel: TextPanel, text: string): void {
    dispatch({ type: panel });
    const field = viewForm(driver.state).rows.find((row) => row.kind === "field")?.field;
    if (field !== undefined) dispatch({ type: "type", field, text });
    dispatch({ type: "submit" });
    if (driver.state.phase.kind !== "open") return;
    explainIssues();
    dispatch({ type: "back" });
  }

  function explainIssues(): void {
    const { issues, refused } = viewForm(driver.state);
    for (const issue of issues) dialogue.explain(issueText(issue, locale));
    if (refused !== undefined) dialogue.explain(words.refused(refused));
  }

  /** Does what a line says. */
  async function take(line: string, view: FormView): Promise<"repeat" | "ended" | "aborted" | undefined> {
    const { step } = view;
    const textOnly = step.kind === "question" && isTextOnly(step.question);
    const remembers = rememberingOf(driver.state, locale) !== undefined;
    if (line === "?" || /^\/?help$/i.test(line)) {
      for (const [command, usage] of commandsNow(view, remembers))
        say(`${usage}: ${words.plain.help[command]}`, "  ");
      return undefined;
    }
    const [, slash, name = "", rest = ""] = /^(\/?)([a-z]+)(?:\s+([\s\S]*))?$/i.exec(line) ?? [];
    const command = commandOf(name.toLowerCase());
    if (command !== undefined && (slash === "/" || !textOnly) && isAvailable(command, view, remembers)) {
      if (rest.trim() === "" || takesText(command)) return run(command, rest.trim(), view);
      if (slash === "/") {
        dialogue.explain(words.plain.notUnderstood(modelLine(line)));
        return undefined;
      }
    }
    if (step.kind === "question") return textOnly ? typed(line) : choose(line, step.question, view);
    return pickNumber(line, view);
  }

  async function run(
    command: PlainCommand,
    rest: string,
    view: FormView,
  ): Promise<"repeat" | "ended" | "aborted" | undefined> {
    // Chosen or typed on another surface meanwhile: nobody sends what they were not told.
    const isNews = driver.state.parts.some((part, index) => part !== known[index]);
    if (isNews && SENDING.has(command)) return "repeat";
    switch (command) {
      case "back":
      case "next":
      case "review":
      case "skip":
        dispatch({ type: command });
        return undefined;
      case "repeat":
        return "repeat";
      case "send":
        dispatch({ type: "submit" });
        return undefined;
      case "note":
        return withText(rest, `${words.note}: `, (text) => addNote(text, view));
      case "preview": {
        const row = view.rows.find((one) => "number" in one && `${one.number}` === rest);
        const preview = row !== undefined && "option" in row ? row.option?.preview : undefined;
        if (preview === undefined) dialogue.explain(words.plain.noPreview);
        else if (preview.format === "markdown") await sayMarkdown(preview, preview.content, "  ");
        else say(modelLines(preview.content).join("\n"), "  ");
        return undefined;
      }
      case "other":
        return withText(rest, `${words.answer}: `, (text) => void typed(text));
      case "approve":
        dispatch({ type: "approve" });
        dispatch({ type: "next" });
        return undefined;
      case "edit":
        if (rest === "" && view.step.kind === "action")
          say(displayJson(argsText(view.step.action.args)), "  ");
        return withText(rest, words.plain.argsPrompt, (text) => {
          dispatch({ type: "type", field: "args", text });
          if (view.step.kind === "action") dispatch({ type: "shown", id: view.step.id, args: text });
          dispatch({ type: "next" });
        });
      case "reject":
        return withText(
          rest,
          `${words.reason}: `,
          (text) => {
            dispatch({ type: "reject" });
            dispatch({ type: "type", field: "message", text });
            dispatch({ type: "next" });
          },
          true,
        );
      case "remember":
        return remember(rest);
      default:
        if (isPanel(command)) {
          const prompt = `${panelWords(words)[command].field}: `;
          return withText(rest, prompt, (text) => endWith(command, text), MAY_BE_EMPTY[command]);
        }
        dialogue.explain(words.plain.notUnderstood(command));
        return undefined;
    }
  }

  /** By its number; without one, says what there is to choose from. */
  async function remember(given: string): Promise<"ended" | "aborted" | undefined> {
    const choices = rememberingOf(driver.state, locale)?.choices ?? [];
    if (given === "") for (const [index, { text }] of choices.entries()) say(text, `  ${index + 1}. `);
    return withText(given, words.plain.rememberPrompt, (number) => {
      const choice = /^\d+$/.test(number) ? choices[Number(number) - 1] : undefined;
      if (choice === undefined) return dialogue.explain(words.plain.wholeNumber(choices.length));
      dispatch({ type: "remember", remember: choice.remember });
      const counts = rememberingOf(driver.state, locale)?.text;
      if (counts !== undefined) say(counts);
    });
  }

  /** Takes a text that stood behind a command, or asks for it; an empty one takes the command back, unless it may be empty. */
  async function withText(
    given: string,
    prompt: string,
    use: (text: string) => void,
    mayBeEmpty = false,
  ): Promise<"ended" | "aborted" | undefined> {
    if (given !== "") {
      use(given);
      return undefined;
    }
    const line = await dialogue.askText(prompt);
    if (line.kind !== "line") return line.kind === "end" ? "ended" : "aborted";
    if (line.text.trim() !== "" || mayBeEmpty) use(line.text.trim());
    return undefined;
  }

  function addNote(text: string, { step }: FormView): void {
    dispatch({ type: "type", field: step.kind === "question" ? "note" : "overall", text });
    say(`${words.note}: ${displayText(text)}`);
  }

  function typed(text: string): undefined {
    dispatch({ type: "type", field: "text", text });
    dispatch({ type: "next" });
  }

  /** Numbers and labels, separated by commas; `other` and what follows is text. Nothing is chosen unless all is clear. */
  async function choose(
    line: string,
    question: Question,
    view: FormView,
  ): Promise<"ended" | "aborted" | undefined> {
    const rows = view.rows.filter((row) => row.kind === "option" || row.kind === "text");
    const keys: string[] = [];
    let text: string | undefined;
    let rest = line;
    while (rest !== "") {
      const own = /^(?:o|other)(?:\s+([\s\S]+))?$/i.exec(rest);
      const whole = rows.find((row) => isLabel(row, rest));
      const comma = view.picks === undefined || whole !== undefined ? -1 : rest.indexOf(",");
      const part = (comma < 0 ? rest : rest.slice(0, comma)).trim();
      const row =
        whole ??
        rows.find((one) => numberOf(one) === part.replace(/[).]$/, "")) ??
        rows.find((one) => isLabel(one, part));
      if (row?.kind === "option") keys.push(row.key);
      else if (row?.kind === "text") text ??= "";
      else if (own !== null && rows.some(({ kind }) => kind === "text")) {
        text = own[1] ?? "";
        break;
      } else if (part !== "") {
        const last = Math.max(...rows.map((one) => Number(numberOf(one) ?? 0)));
        dialogue.explain(
          /^\d+$/.test(part) ? words.plain.wholeNumber(last) : words.plain.notUnderstood(modelLine(part)),
        );
        return undefined;
      }
      rest = comma < 0 ? "" : rest.slice(comma + 1).trim();
    }
    const picks = new Set(keys);
    const most = question.multiSelect ? (question.maxPicks ?? Number.POSITIVE_INFINITY) : 1;
    if (picks.size + (text === undefined ? 0 : 1) > most) {
      dialogue.explain(issueText({ code: "too_many_picks", values: { max: most } }, locale));
      return undefined;
    }
    const use = (own: string | undefined): void => {
      dispatch({ type: "clear" });
      for (const key of picks) dispatch({ type: "pick", row: key });
      if (own !== undefined) dispatch({ type: "type", field: "text", text: own });
      dispatch({ type: "next" });
    };
    if (text === "") return withText("", `${words.answer}: `, use);
    use(text);
    return undefined;
  }

  /** In the review a number opens a step; of an action it is the decision. */
  async function pickNumber(
    line: string,
    view: FormView,
  ): Promise<"ended" | "aborted" | "repeat" | undefined> {
    const row = view.rows.find((one) => numberOf(one) === line.replace(/[).]$/, ""));
    if (row?.kind === "step") {
      dispatch({ type: "go", step: row.step });
      return undefined;
    }
    if (row?.kind === "decision") return run(row.decision, "", view);
    dialogue.explain(words.plain.notUnderstood(modelLine(line)));
    return undefined;
  }
}
