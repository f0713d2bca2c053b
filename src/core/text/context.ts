// What an agent shows as evidence, in the Markdown of a context.

import { LIMITS } from "../kit/limits.js";

/** A code block that its own text cannot end. */
export function codeBlock(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** A context within its limit; one that is cut says so. */
export function cutContext(text: string): string {
  if (text.length <= LIMITS.contextLength) return text;
  const note = (left: number): string => `\n\n**Not shown: ${left} more characters.**`;
  const kept = LIMITS.contextLength - note(text.length).length;
  return `${text.slice(0, kept)}${note(text.length - kept)}`;
}
