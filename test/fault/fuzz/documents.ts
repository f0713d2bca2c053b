// Proper bodies for every route, to be broken.

const questions = [
  {
    question: "Auth?",
    header: "Auth",
    options: ["OAuth (Recommended)", { label: "API key", preview: "curl" }],
  },
  { question: "Languages?", multiSelect: true, minPicks: 1, options: ["Go", "Rust", "Other"] },
];
const question = [{ question: "Why?", options: ["Because", "So"] }];
const actions = [{ name: "mail", args: { to: ["ana"] }, allow: ["approve", "edit", "reject"] }];
const answers = [{ question: "q1", selected: ["o1"] }];

const asks = [
  { questions, context: "why", session: "s1", key: "call_1", recipients: ["ana"], metadata: { run: 1 } },
  { questions: question, session: "s1" },
  { questions: question, deadline: "2030-01-01T00:00:00Z", latest: 2e12, extendOnActivity: 5 },
  { approval: { actions }, timeoutMs: 1_000, onDeadline: "wait", agentPath: ["a", "b"] },
  { questions: question, timeoutMs: 20, onDeadline: "recommended", allowPartial: true, agentId: "a" },
  { questions: question, requireSurface: true },
];

/** By the last word of a route's path; what no route is known for gets any of them. */
const BODIES: Readonly<Record<string, readonly unknown[]>> = {
  asks,
  answer: [
    { answers },
    { answers: [...answers, { question: "q2", selected: ["Go"], text: "C" }], note: "n" },
    { answers: [{ question: "q1", text: "typed" }] },
  ],
  decide: [
    { decisions: [{ action: "a1", kind: "approve" }] },
    { decisions: [{ action: "a1", kind: "edit", args: { to: [] } }], note: "n" },
    { decisions: [{ action: "a1", kind: "reject", message: "no" }] },
  ],
  decline: [{ reason: "no" }, {}],
  reply: [{ text: "let us talk" }],
  withdraw: [{ reason: "no longer" }, {}],
  draft: [{ draft: { q1: { selected: ["o1"] } } }],
  opened: [{}],
  links: [{ person: "ana", expiresIn: 60_000 }, { person: "bo" }],
  messages: [
    { type: "message", text: "hello" },
    { type: "approval", approval_key: "s_1", session_id: "s", answers: { "Why?": "So" } },
    { type: "approval", approval_key: "s_1", decisions: [{ type: "approve" }] },
  ],
  events: [
    { type: "open", locale: "de", recipients: ["ana"] },
    { type: "user", text: "hi" },
    { type: "thinking", text: "hm" },
    { type: "text", text: "so", final: true },
    { type: "tool_use", id: "t1", name: "mail", message: "m", rule: { streamToolUse: true } },
    { type: "tool_result", id: "t1", status: "success" },
    { type: "summary", text: "done" },
    { type: "ask", questions: question, key: "k", timeoutMs: 50 },
    { type: "approve", actions, timeoutMs: null },
  ],
};

/** Frames of the gateway: of hosts and of devices. */
export const FRAMES: readonly unknown[] = [
  event("ask_user_question", { sessionKey: "s1", agentId: "a", questionId: "q-1", questions: question }),
  event("exec.approval.requested", { executionId: "e-1", sessionKey: "s1", agentId: "a", action: "mail" }),
  event("resume", { questionIds: ["q-1"], executionIds: ["e-1"] }),
  event("ask_user_question.withdrawn", { questionId: "q-1", reason: "r" }),
  event("exec.approval.withdrawn", { executionId: "e-1" }),
  { type: "hook.ask_user_answer", payload: { questionId: "q-1", answers: { "Why?": "So" } } },
  { type: "hook.ask_user_answer", payload: { questionId: "q-1", answers: {} } },
  { type: "hook.approval", payload: { executionId: "e-1", approved: true, reason: "r" } },
  { type: "ping" },
];

export const MESSAGES: readonly unknown[] = BODIES.messages ?? [];

export function bodiesOf(path: string): readonly unknown[] {
  return BODIES[path.split("/").at(-1) ?? ""] ?? Object.values(BODIES).flat();
}

function event(name: string, payload: object): unknown {
  return { type: "event", payload: { event: name, payload } };
}
