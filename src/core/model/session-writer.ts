// The agent's side of a session: what it writes, in this process or over the wire.

import type { ActionInput } from "./approval.js";
import type { Outcome } from "./outcome.js";
import type { QuestionInput } from "./question.js";

/** How the calls of a tool are shown. */
export interface ToolRule {
  /** Whether the call itself is shown; true where it is not given. */
  readonly streamToolUse?: boolean;
  /** Whether its result is shown; true where it is not given. */
  readonly streamToolResult?: boolean;
  /** Outside of any group: the open one is closed first. */
  readonly displayAsContent?: boolean;
}

export interface SessionToolUse {
  readonly id: string;
  readonly name: string;
  /** What the tool is about to do, in words for a person. */
  readonly message?: string;
  /** For this call, instead of the rule for its name. */
  readonly rule?: ToolRule;
}

export interface SessionToolResult {
  /** That of the tool use. */
  readonly id: string;
  /** `success` where it is not given. */
  readonly status?: "success" | "error";
}

export interface SessionAskOptions {
  /** The tool-call id: asking again with it, even after a restart, is the same request. */
  readonly key?: string;
  /** Markdown for the person who decides. */
  readonly context?: string;
  /** Instead of the session's; `null` for no deadline. */
  readonly timeoutMs?: number | null;
  /** An abort withdraws the request. */
  readonly signal?: AbortSignal;
  /** Called once it is stored and can be answered. */
  readonly onAsked?: (request: SessionRequest) => void;
}

export interface SessionRequest {
  readonly askId: string;
  /** How clients of the stream name the request: `<session>_<n>`. */
  readonly approvalKey: string;
}

export interface SessionEnding extends SessionRequest {
  readonly outcome: Outcome;
  /** How it ended, in words for a model. */
  readonly text: string;
}

/** Writes a session in the order of the calls. Each resolves when it is stored, or rejects and stores nothing. */
export interface SessionWriter {
  readonly sessionId: string;
  user(text: string): Promise<void>;
  thinking(text: string): Promise<void>;
  text(text: string, options?: { readonly final?: boolean }): Promise<void>;
  toolUse(use: SessionToolUse): Promise<void>;
  toolResult(result: SessionToolResult): Promise<void>;
  /** What the open group is about; without it, the message of its last tool says so. */
  summary(text: string): Promise<void>;
  /** Asks, and waits for the end. */
  ask(questions: readonly QuestionInput[], options?: SessionAskOptions): Promise<SessionEnding>;
  approve(actions: readonly ActionInput[], options?: SessionAskOptions): Promise<SessionEnding>;
}
