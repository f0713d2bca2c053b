// What the adapter uses of AG-UI 1.0, as plain objects: nothing of it is imported.

/** Something that a run waits for. */
export interface Interrupt {
  id: string;
  reason: string;
  message?: string;
  toolCallId?: string;
  responseSchema?: Record<string, unknown>;
  expiresAt?: string;
  metadata?: Record<string, unknown>;
}

/** The response to an interrupt, in the input of the next run. */
export interface ResumeEntry {
  interruptId: string;
  status: "resolved" | "cancelled";
  payload?: unknown;
  metadata?: Record<string, unknown>;
}

/** The result of a tool call, as a message. Emit it as `TOOL_CALL_RESULT`, with `id` as its `messageId`. */
export interface ToolMessage {
  id: string;
  role: "tool";
  toolCallId: string;
  content: string;
  error?: string;
}
