import type { Ask } from "../../core/model/ask.js";
import type { ToolRule } from "../../core/model/session-writer.js";
import { QUESTION_TOOL } from "../shapes/stream/shapes.js";

export interface SessionTimeouts {
  /** How long a question waits, in milliseconds; 600,000 by default, `null` for no limit. */
  readonly questionMs?: number | null;
  /** How long an approval waits, in milliseconds; 300,000 by default, `null` for no limit. */
  readonly approvalMs?: number | null;
}

export const DEFAULT_TIMEOUTS: Required<SessionTimeouts> = { questionMs: 600_000, approvalMs: 300_000 };

/** How long the ask was open for when it was created; undefined without a deadline. */
export function timeoutSecondsOf({ deadline, createdAt }: Ask): number | undefined {
  return deadline === undefined ? undefined : Math.max(0, Math.round((deadline - createdAt) / 1_000));
}

/** Rules by tool name. A tool without a rule is shown in a group. */
export type ToolRules = Readonly<Record<string, ToolRule>>;

/** The question itself is shown in place of the tool's call and result. */
const DEFAULT_RULES: ToolRules = {
  [QUESTION_TOOL]: { streamToolUse: false, streamToolResult: false, displayAsContent: true },
};

export function ruleFor(rules: ToolRules, name: string): ToolRule {
  if (Object.hasOwn(rules, name)) return rules[name] ?? {};
  return Object.hasOwn(DEFAULT_RULES, name) ? (DEFAULT_RULES[name] ?? {}) : {};
}
