import { ANSWERED, AUTH, answered, COMMAND, type State, send, type World } from "./state.ts";

const BO = { by: { kind: "person", id: "bo", surface: "phone" } } as const;

export const ENDINGS: Readonly<Record<string, State>> = {
  "sending, failing and sending again": {
    ask: { questions: [AUTH] },
    before: holdAnswers,
    steps: [
      { pick: "API key" },
      send,
      { see: /Nothing is lost: send it again/ },
      { hear: /Nothing is lost: send it again/ },
      { look: "an answer that could not be sent" },
      send,
      { see: "Sending…" },
      { hear: "Sending…" },
      { look: "an answer that is being sent" },
      {
        meanwhile: ({ page }) =>
          page.page.evaluate(() => (window as unknown as { release(): void }).release()),
      },
    ],
    outcome: answered({ selected: ["o2"] }),
    title: ANSWERED,
  },
  "answered elsewhere": {
    ask: { questions: [AUTH] },
    steps: [
      { pick: "Other" },
      { write: "SAML, because of the bank", into: "Your own answer" },
      { meanwhile: ({ hub, id }) => hub.answer(id, { answers: [{ question: "q1", selected: ["o1"] }] }, BO) },
      { see: "This ended before your answer was sent." },
      { see: "SAML, because of the bank" },
      { hear: /^Answered by bo \(phone\) on / },
      { look: "a question that was answered elsewhere" },
    ],
    outcome: { kind: "answered", answers: [{ selected: ["o1"] }], by: { id: "bo" } },
    title: /^Answered by bo \(phone\) on /,
  },
  "decided elsewhere": {
    ask: { approval: { actions: [COMMAND] } },
    steps: [
      { press: "Reject with a reason" },
      { write: "No", into: "Reason" },
      { meanwhile: ({ hub, id }) => hub.decide(id, { decisions: [{ action: "a1", kind: "approve" }] }, BO) },
      { see: "This ended before your answer was sent." },
      { look: "an action that was decided elsewhere" },
    ],
    outcome: { kind: "decided", decisions: [{ kind: "approve" }], by: { id: "bo" } },
    title: /^Decided by bo \(phone\) on /,
  },
  withdrawn: {
    ask: { questions: [AUTH] },
    steps: [
      { pick: "API key" },
      { meanwhile: ({ hub, id }) => hub.withdraw(id, "Found it") },
      { see: "Found it" },
      { look: "a withdrawn question" },
    ],
    outcome: { kind: "withdrawn", reason: "Found it" },
    title: /^Withdrawn by the agent on /,
  },
  expired: {
    ask: { questions: [AUTH], timeoutMs: 1 },
    before: ({ hub, id }) => hub.wait(id),
    steps: [{ look: "an expired question" }],
    outcome: { kind: "expired" },
    title: /^Expired before anyone answered on /,
  },
  overdue: {
    ask: { questions: [AUTH], timeoutMs: 1, onDeadline: "wait" },
    steps: [{ look: "an overdue question" }, { see: "Overdue" }, { pick: "API key" }, send],
    outcome: answered({ selected: ["o2"] }),
    title: ANSWERED,
  },
  "answered by a rule": {
    ask: { questions: [AUTH], timeoutMs: 1, onDeadline: "recommended" },
    before: ({ hub, id }) => hub.wait(id),
    steps: [{ look: "a question that a rule answered" }],
    outcome: { kind: "answered", answers: [{ selected: ["o1"] }], by: { kind: "policy" } },
    title: /^Answered by the rule “.+” on /,
  },
  "changed on another device": {
    ask: { questions: [{ question: "Why?", options: [] }] },
    steps: [
      { write: "mine", into: "Answer" },
      {
        meanwhile: async ({ hub, id }) => {
          const by = { kind: "person", id: "ana", surface: "phone" } as const;
          const at = Date.now() + 3_600_000;
          const answers = [{ question: "q1", selected: [], own: true, text: "theirs", at, surface: "phone" }];
          await hub.saveDraft(id, { version: 1, answers, decisions: [] }, { by });
        },
      },
      { see: /^This was changed on another device/ },
      { look: "what was changed on another device" },
      { press: "Use mine" },
      send,
    ],
    outcome: answered({ text: "mine" }),
    title: ANSWERED,
  },
  "an ask that cannot be shown": {
    ask: { questions: [AUTH] },
    properties: { askId: "ask_unknown" },
    steps: [
      { look: "an ask that cannot be shown" },
      { press: "Try again" },
      {
        meanwhile: ({ id, page }) => page.card.evaluate((card, askId) => Object.assign(card, { askId }), id),
      },
      { see: "Which authentication?" },
      { pick: "API key" },
      send,
    ],
    outcome: answered({ selected: ["o2"] }),
    title: ANSWERED,
  },
  "in Vietnamese": {
    ask: { questions: [AUTH] },
    properties: { locale: "vi-VN" },
    steps: [
      { press: "Gửi" },
      { see: "Hãy chọn hoặc nhập câu trả lời." },
      { look: "a question in Vietnamese" },
      { pick: "Khác" },
      { write: "mật khẩu", into: "Câu trả lời của bạn" },
      { press: "Gửi" },
    ],
    outcome: answered({ text: "mật khẩu" }),
    title: /bạn/,
  },
};

/** The page around the card stores answers itself: the first attempt fails, the second waits to be released. */
async function holdAnswers({ page }: World): Promise<void> {
  await page.page.evaluate(() => {
    const holding = new AbortController();
    let attempts = 0;
    const hold = (event: Event): void => {
      attempts += 1;
      const stored = new Promise<void>((done, fail) => {
        if (attempts === 1) fail(new Error("offline"));
        Object.assign(window, { release: done });
      });
      (event as CustomEvent<{ waitUntil(stored: Promise<void>): void }>).detail.waitUntil(stored);
      if (attempts === 2) holding.abort();
    };
    document.querySelector("main")?.addEventListener("answer", hold, { signal: holding.signal });
  });
}
