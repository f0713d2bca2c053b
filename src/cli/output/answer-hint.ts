import type { Ask } from "../../core/model/ask.js";
import { projectOf } from "../../core/model/folder.js";
import type { Question } from "../../core/model/question.js";
import { displayLine } from "../../core/text/display.js";
import { numberedOptions } from "../../people/terminal/selection.js";
import { shortId } from "./ask-summary.js";

/** Command lines that answer this ask. */
export function answerHint(ask: Ask, hint: string): string {
  const id = shortId(ask);
  if (ask.approval !== undefined)
    return `askline approve ${id}${hint}\naskline reject ${id}${hint} --reason "…"`;
  const [only, second] = ask.questions;
  if (only !== undefined && second === undefined) return `askline answer ${id}${hint} ${flagFor(only)}`;
  return `askline answer ${id}${hint} ${ask.questions.map(valueFor).join(" ")}`;
}

/** What a new ask is about, and the command lines that answer it. */
export function whatAndHow(ask: Ask, hint: string): string {
  const about = ask.approval?.actions[0]?.name ?? ask.questions[0]?.question ?? "";
  return `${displayLine(about)}\n  ${answerHint(ask, hint).replaceAll("\n", "\n  ")}`;
}

/** The same with the agent that asks, and the folder it works in. */
export function agentAsks(agent: string, ask: Ask, hint: string): string {
  const folder = projectOf(ask) ?? "";
  return `${agent} asks${folder && ` in ${displayLine(folder)}`}: ${whatAndHow(ask, hint)}`;
}

function flagFor(question: Question): string {
  const options = numberedOptions(question);
  if (options.length === 0) return '--text "…"';
  return question.multiSelect && options.length > 1 ? "--pick 1 --pick 2" : "--pick 1";
}

function valueFor(question: Question): string {
  const options = numberedOptions(question);
  if (options.length === 0) return `${question.id}="…"`;
  return question.multiSelect && options.length > 1 ? `${question.id}=1,2` : `${question.id}=1`;
}

/** A `curl` command line that posts JSON with the headers in a file. */
export function curlLine(headersFile: string, url: string, body: unknown): string {
  return `curl -sS -H ${shellQuote(`@${headersFile}`)} -d ${shellQuote(JSON.stringify(body))} ${shellQuote(url)}`;
}

/** Quotes a word for a POSIX shell if necessary. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
