import type { ToolRule } from "../core/index.js";
import { QUESTION_TOOL } from "../dialects/stream/index.js";

/** By the tool's name. A tool without a rule is shown, in a group. */
export type ToolRules = Readonly<Record<string, ToolRule>>;

/** A question stands for its own call and result. */
export const DEFAULT_RULES: ToolRules = {
  [QUESTION_TOOL]: { streamToolUse: false, streamToolResult: false, displayAsContent: true },
};

export function ruleFor(rules: ToolRules, name: string): ToolRule {
  if (Object.hasOwn(rules, name)) return rules[name] ?? {};
  return Object.hasOwn(DEFAULT_RULES, name) ? (DEFAULT_RULES[name] ?? {}) : {};
}
