// One example of each body, for the page and for readers of the document. A test sends those that are sent to a
// real server, and compares those that come back with their schemas.

import type { Json } from "../../core/kit/json.js";
import type { SchemaName } from "./schemas.js";

const ASK = {
  id: "ask_0199c1f2a7d07c3a9b54d2f1",
  status: "pending",
  createdAt: 1_767_225_600_000,
  session: "",
  asker: "builder",
  questions: [
    {
      id: "q1",
      question: "Which authentication should the API use?",
      header: "Auth",
      options: [
        {
          id: "o1",
          label: "OAuth",
          description: "Users sign in with an account they have",
          recommended: true,
        },
        { id: "o2", label: "API key", description: "Simple, one secret a client" },
      ],
      multiSelect: false,
      freeText: true,
    },
  ],
  key: "call_1",
  recipients: ["ana"],
  onDeadline: "expire",
  allowPartial: false,
  requireSurface: false,
} as const;

const DRAFT = {
  version: 1,
  answers: [{ question: "q1", selected: ["o2"], own: false, at: 1_767_225_660_000, surface: "terminal" }],
  decisions: [],
  step: { kind: "question", id: "q1" },
} as const;

export const EXAMPLES: Readonly<Partial<Record<SchemaName, Json>>> = {
  AskInput: {
    questions: [
      {
        question: "Which authentication should the API use?",
        header: "Auth",
        options: [
          { label: "OAuth", description: "Users sign in with an account they have", recommended: true },
          { label: "API key", description: "Simple, one secret a client" },
        ],
      },
    ],
    context: "The API has **no** users of its own yet.",
    key: "call_1",
    recipients: ["ana"],
    timeoutMs: 3_600_000,
  },
  AnswersInput: {
    answers: [{ question: "q1", selected: ["OAuth"], note: "Only with our own accounts" }],
    note: "Ask me again before you deploy.",
  },
  DecisionsInput: {
    decisions: [
      { action: "a1", kind: "approve" },
      { action: "a2", kind: "edit", args: { table: "users_copy" } },
      { action: "a3", kind: "reject", message: "Not on a Friday." },
    ],
  },
  ReasonInput: { reason: "It is no longer needed." },
  ReplyInput: { text: "Let us talk about this first." },
  ReportInput: {
    person: "ana",
    surface: "mcp-form",
    answer: { answers: [{ question: "q1", selected: ["OAuth"] }] },
  },
  ResumeInput: { holder: "worker-3f9a", leaseMs: 60_000 },
  DraftInput: { draft: DRAFT },
  LinkInput: { person: "ana", expiresIn: 3_600_000 },
  TokenInput: { role: "person", name: "ana", sessions: ["s1"], expiresInMinutes: 30 },
  TicketInput: { path: "/v1/sessions/s1/stream" },
  SessionEventInput: {
    type: "ask",
    questions: [{ question: "Which goal?", options: ["Growth", "Income"] }],
    key: "call_2",
  },
  SessionMessageInput: { type: "approval", approval_key: "s1_1", answers: { "Which goal?": "Growth" } },
  AskResponse: { ask: ASK },
  AskPage: { asks: [ASK], awaited: [ASK.id], next: "42" },
  DraftResponse: { draft: DRAFT },
  LinkResponse: { url: "https://ask.example.com/a/link_…", expiresAt: 1_767_229_200_000 },
  TicketResponse: { ticket: "ticket_…", expiresAt: 1_767_225_660_000 },
  SessionRequestResponse: { ask: { ...ASK, session: "s1", transcript: "session/s1" }, approvalKey: "s1_1" },
  AskEvent: { position: 7, at: 1_767_225_600_000, type: "ask.created", askId: ASK.id, ask: ASK },
  SessionEvent: { type: "content_block_delta", index: 0, delta: { text: "Two ways are open." } },
  History: [
    { role: "user", content: [{ type: "text", text: "Plan my savings" }], display_type: "content" },
    {
      role: "assistant",
      content: [{ type: "text", text: "Two ways are open.", is_final: true }],
      display_type: "content",
    },
  ],
  StatusResponse: { status: "ok" },
  Problem: {
    error: {
      code: "invalid_answer",
      message: "these answers cannot be taken",
      issues: [
        { code: "unknown_option", path: ["answers", 0, "selected", 0], message: `must be one of "o1", "o2"` },
      ],
    },
  },
};
