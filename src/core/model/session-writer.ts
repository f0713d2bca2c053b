// The agent's side of a session, in this process or over the wire.

import type { ActionInput } from "./approval.js";
import type { DeliveredOutcome } from "./outcome.js";
import type { QuestionInput } from "./question.js";

/** How the calls of a tool are shown. */
export interface ToolRule {
  /** Whether the call itself is shown; true by default. */
  readonly streamToolUse?: boolean;
  /** Whether its result is shown; true by default. */
  readonly streamToolResult?: boolean;
  /** Shows the call outside of any group, and closes the open group first. */
  readonly displayAsContent?: boolean;
}

export interface SessionToolUse {
  readonly id: string;
  readonly name: string;
  /** What the tool is about to do, for a person to read. */
  readonly message?: string;
  /** Overrides the rule for its name. */
  readonly rule?: ToolRule;
}

export interface SessionToolResult {
  /** The id of the tool use. */
  readonly id: string;
  /** `success` by default. */
  readonly status?: "success" | "error";
}

export interface SessionAskOptions {
  /** The tool-call id. Asking again with it, even after a restart, is the same request. */
  readonly key?: string;
  /** Background for the person, as Markdown. */
  readonly context?: string;
  /** Overrides the session's timeout; `null` for no deadline. */
  readonly timeoutMs?: number | null;
  /** Aborting it withdraws the request. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the request is stored and can be answered. */
  readonly onAsked?: (request: SessionRequest) => void;
}

export interface SessionRequest {
  readonly askId: string;
  /** The name of the request in the stream: `<session>_<n>`. */
  readonly approvalKey: string;
}

export interface SessionEnding extends SessionRequest {
  readonly outcome: DeliveredOutcome;
  /** How it ended, as text for a model. */
  readonly text: string;
}

/** Writes to a session, in the order of the calls. Each call resolves when it is stored, or rejects and stores nothing. */
export interface SessionWriter {
  readonly sessionId: string;
  user(text: string): Promise<void>;
  thinking(text: string): Promise<void>;
  text(text: string, options?: { readonly final?: boolean }): Promise<void>;
  toolUse(use: SessionToolUse): Promise<void>;
  toolResult(result: SessionToolResult): Promise<void>;
  /** Describes the open group; by default, the message of its last tool does. */
  summary(text: string): Promise<void>;
  /** Asks, and waits until the ask ends. */
  ask(questions: readonly QuestionInput[], options?: SessionAskOptions): Promise<SessionEnding>;
  approve(actions: readonly ActionInput[], options?: SessionAskOptions): Promise<SessionEnding>;
}
