// Valid bodies of every shape that the API takes, to be broken in tests, with more fields in use than an example has.

import { EXAMPLES } from "../../../src/server/openapi/examples.js";
import type { SchemaName } from "../../../src/server/openapi/schemas.js";

const actions = [
  {
    id: "first",
    name: "write",
    args: { path: "a", deep: [{ one: null }] },
    description: "Writes",
    allow: ["approve", "edit"],
  },
  { name: "drop", args: null, allow: null },
];

const questions = [
  {
    id: "which",
    question: "Which ones?",
    header: "Which",
    options: [
      {
        id: "a",
        label: "A",
        description: "first",
        preview: { format: "markdown", content: "*a*" },
        recommended: true,
      },
      { name: "B", preview: "plain", input: false },
      "C",
    ],
    multiSelect: true,
    minPicks: 1,
    maxPicks: 3,
    freeText: true,
  },
  { question: "Why?", header: null, options: ["Because"], multiSelect: false },
];

export const BODIES: Readonly<Partial<Record<SchemaName, readonly unknown[]>>> = {
  AskInput: [
    EXAMPLES.AskInput,
    {
      questions,
      context: "c",
      session: "s",
      agentId: "agent",
      agentPath: ["outer", "inner"],
      recipients: ["ana", "ana"],
      metadata: { any: [1, { thing: true }] },
      deadline: "2030-01-31T12:00:00Z",
      onDeadline: "recommended",
      extendOnActivity: 5_000,
      latest: 1_990_000_000_000,
      allowPartial: true,
      requireSurface: false,
    },
    { questions: [], approval: { actions }, timeoutMs: 60_000, onDeadline: "wait", session: null },
    { questions: JSON.stringify(questions) },
  ],
  AnswersInput: [
    EXAMPLES.AnswersInput,
    { answers: [{ question: "q1", selected: ["o1"], text: null, note: "n", skipped: false }], note: null },
    { answers: [{ question: "q1", text: "typed" }] },
    { answers: '[{"question":"q1","selected":["o2"]}]' },
  ],
  DecisionsInput: [
    EXAMPLES.DecisionsInput,
    {
      decisions: [
        { action: "a1", kind: "reject" },
        { action: "a2", kind: "approve", message: null },
        { action: "a3", kind: "edit", args: {} },
      ],
      note: "n",
    },
  ],
  ReasonInput: [EXAMPLES.ReasonInput, {}, { reason: null }],
  ReplyInput: [EXAMPLES.ReplyInput],
  DraftInput: [EXAMPLES.DraftInput, { draft: {} }],
  LinkInput: [
    EXAMPLES.LinkInput,
    { person: "ana" },
    { person: "ana", expiresIn: "90m", frame: "https://app.example.com" },
  ],
  TokenInput: [
    { role: "person", name: "ana" },
    { role: "agent", name: "builder", owner: "ana", sessions: ["s1"], reports: ["ana"], expiresInMinutes: 5 },
  ],
  ResumeInput: [{ holder: "worker" }, { holder: "worker", leaseMs: 5_000, end: "done" }],
  TicketInput: [{ path: "/v1/events" }, { path: "/v1/events", origin: "https://app.example.com" }],
  ReassignInput: [{ to: ["ana", "bao"] }],
  FocusInput: [{ focused: true }],
  SessionEventInput: [
    EXAMPLES.SessionEventInput,
    { type: "open", locale: "vi", agentId: "agent", recipients: ["ana"] },
    { type: "user", text: "hello" },
    { type: "thinking", text: "hm" },
    { type: "summary", text: "in short" },
    { type: "text", text: "hello", final: true },
    { type: "tool_use", id: "t1", name: "read", message: "Reading", rule: { streamToolUse: false } },
    { type: "tool_result", id: "t1", status: "error" },
    { type: "ask", questions, context: "c", timeoutMs: null },
    { type: "approve", actions, key: "call_3", timeoutMs: 5_000 },
  ],
  SessionMessageInput: [
    EXAMPLES.SessionMessageInput,
    { type: "message", text: "hello" },
    {
      type: "approval",
      session_id: "s1",
      approval_key: "s1_1",
      answers: { "Which goal?": "Growth" },
      decisions: null,
    },
    {
      type: "approval",
      approval_key: "s1_2",
      decisions: [
        { type: "approve" },
        { type: "edit", edited_action: { name: "drop", args: { table: "copy" } } },
        { type: "reject", message: "no" },
      ],
    },
  ],
};
