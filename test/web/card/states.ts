// Every state of a card: the ask, what a person does until the ask has ended, and what the agent receives. `look` names
// a state that is worth looking at: it is checked for accessibility there, and for its size on a phone.

import { expect } from "vitest";
import type { AskInput } from "../../../src/core/index.ts";
import type { Hub } from "../../../src/hub/index.ts";
import type { CardPage } from "../card-page.ts";

export interface World {
  readonly hub: Hub;
  readonly id: string;
  readonly page: CardPage;
}

export type Step =
  | { readonly look: string }
  | { readonly pick: string; readonly group?: string }
  | { readonly press: string | RegExp }
  | { readonly write: string; readonly into: string }
  | { readonly choose: string; readonly from: string }
  /** The text is visible, in the card or in the frame of a preview. */
  | { readonly see: string | RegExp; readonly within?: "frame" }
  /** What a screen reader is told. */
  | { readonly hear: string | RegExp }
  /** Something happens that the person at the card does not do. */
  | { readonly meanwhile: (world: World) => Promise<unknown> };

/** A part of an outcome. */
type Matched = Readonly<Record<string, unknown>>;

export interface State {
  readonly ask: AskInput;
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Before the card is shown. */
  readonly before?: (world: World) => Promise<unknown>;
  readonly after?: (world: World) => Promise<unknown>;
  readonly steps: readonly Step[];
  /** What the agent receives. */
  readonly outcome: Matched;
  /** The heading at the end. */
  readonly title: string | RegExp;
}

const AUTH = {
  question: "Which authentication?",
  header: "Auth",
  options: [{ label: "OAuth (Recommended)", description: "An account they have" }, "API key"],
};
const REGIONS = {
  question: "Which regions?",
  header: "Regions",
  multiSelect: true,
  options: ["EU", "US", "Asia"],
};
const COMMAND = { name: "Bash", description: "Cleans up", args: { command: "rm -rf dist", timeout: 5 } };
const BO = { by: { kind: "person", id: "bo", surface: "phone" } } as const;

const answered = (...answers: readonly object[]): Matched => ({
  kind: "answered",
  answers,
  by: { id: "ana" },
});
const decided = (...decisions: readonly object[]): Matched => ({
  kind: "decided",
  decisions,
  by: { id: "ana" },
});
const send = { press: "Send" };
const ANSWERED = /^Answered by you on /;
const DECIDED = /^Decided by you on /;

const QUESTIONS: Readonly<Record<string, State>> = {
  "one choice": {
    ask: { agentId: "builder", timeoutMs: 600_000, questions: [AUTH] },
    steps: [
      { look: "a question with a recommended option" },
      { see: "About 10 minutes left" },
      send,
      { see: "Choose an option or type an answer." },
      { hear: "Choose an option or type an answer." },
      { look: "a question without an answer" },
      { pick: "API key" },
      { look: "a picked option" },
      send,
      { hear: ANSWERED },
      { look: "an answered question" },
    ],
    outcome: answered({ question: "q1", selected: ["o2"] }),
    title: ANSWERED,
  },
  "one choice that is the answer": {
    ask: { questions: [AUTH] },
    properties: { answerOnPick: true },
    steps: [{ pick: "OAuth recommended" }],
    outcome: answered({ selected: ["o1"] }),
    title: ANSWERED,
  },
  "several choices": {
    ask: { questions: [{ ...REGIONS, minPicks: 2, maxPicks: 2 }] },
    steps: [
      { pick: "EU" },
      send,
      { see: "Choose at least 2; you have chosen 1." },
      { look: "too few choices" },
      { pick: "Asia" },
      { see: "Choose exactly 2 (2 chosen)" },
      { look: "as many choices as allowed" },
      send,
    ],
    outcome: answered({ selected: ["o1", "o3"] }),
    title: ANSWERED,
  },
  Other: {
    ask: { questions: [AUTH] },
    steps: [
      { pick: "Other" },
      { look: "Other without its text" },
      send,
      { see: "Choose an option or type an answer." },
      { pick: "Other" },
      { write: "SAML\nand a key", into: "Your own answer" },
      { look: "Other with its text" },
      send,
      { see: "SAML" },
    ],
    outcome: answered({ selected: [], text: "SAML\nand a key" }),
    title: ANSWERED,
  },
  "choices and Other": {
    ask: { questions: [REGIONS] },
    steps: [
      { pick: "US" },
      { pick: "Other" },
      { write: "Mars", into: "Your own answer" },
      { look: "choices and Other" },
      send,
    ],
    outcome: answered({ selected: ["o2"], text: "Mars" }),
    title: ANSWERED,
  },
  "an Other of the agent's own": {
    ask: { questions: [{ question: "Which?", options: ["A", { label: "Something else", input: true }] }] },
    steps: [{ pick: "Something else" }, { write: "B", into: "Your own answer" }, send],
    outcome: answered({ selected: [], text: "B" }),
    title: ANSWERED,
  },
  "free text": {
    ask: { questions: [{ question: "Why?", header: "Reason", options: [] }] },
    steps: [
      send,
      { hear: "Type an answer." },
      { look: "free text that is missing" },
      { write: "Because", into: "Answer" },
      send,
    ],
    outcome: answered({ selected: [], text: "Because" }),
    title: ANSWERED,
  },
  "a note": {
    ask: { questions: [AUTH] },
    steps: [
      { pick: "API key" },
      { press: "Add a note" },
      { write: "for now", into: "Note" },
      { look: "a note" },
      send,
      { see: "for now" },
      { look: "an answer with a note" },
    ],
    outcome: answered({ selected: ["o2"], note: "for now" }),
    title: ANSWERED,
  },
  "several questions": {
    ask: {
      allowPartial: true,
      context: "The API has **no** middleware, see [the page](https://example.com).",
      questions: [
        AUTH,
        REGIONS,
        { question: "Anything else?", options: [] },
        { question: "Which name?", options: ["A", "B"] },
      ],
    },
    steps: [
      { look: "the first of several questions" },
      { pick: "API key" },
      { press: "Next" },
      { hear: "Question 2 of 4" },
      { pick: "EU" },
      { press: "Add a note" },
      { write: "at first", into: "Note" },
      { press: "Next" },
      { press: "Skip this question" },
      { look: "a skipped question" },
      { press: "Next" },
      { pick: "Other" },
      { press: "Back" },
      { press: /^Auth.*answered$/ },
      { pick: "OAuth recommended" },
      { press: /^Question 4 of 4/ },
      { pick: "B" },
      { press: "Next" },
      { look: "the review" },
      { press: "Change: Regions" },
      { pick: "US" },
      { press: "Review" },
      { press: "Add a note" },
      { write: "Thanks", into: "Note about everything" },
      send,
      { see: "Thanks" },
      { look: "answers to several questions" },
    ],
    outcome: {
      ...answered(
        { question: "q1", selected: ["o1"] },
        { question: "q2", selected: ["o1", "o2"], note: "at first" },
        { question: "q3", skipped: true },
        { question: "q4", selected: ["o2"] },
      ),
      note: "Thanks",
    },
    title: ANSWERED,
  },
  "several questions, one without an answer": {
    ask: { questions: [AUTH, REGIONS] },
    steps: [
      { press: "Next" },
      { see: "Choose an option or type an answer." },
      { press: "Review" },
      { look: "a review with problems" },
      send,
      { pick: "API key" },
      { press: "Next" },
      send,
      { pick: "EU" },
      { press: "Next" },
      send,
    ],
    outcome: answered({ selected: ["o2"] }, { selected: ["o1"] }),
    title: ANSWERED,
  },
  previews: {
    ask: {
      questions: [
        {
          question: "Which layout?",
          options: [
            {
              label: "Table",
              preview: {
                format: "markdown",
                content: "# Table\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] one",
              },
            },
            {
              label: "Code",
              preview: { format: "markdown", content: "```ts\nconst one: number = 1; // why\n```" },
            },
            { label: "Text", preview: { format: "text", content: "plain *text*" } },
            {
              label: "Page",
              preview: { format: "html", content: "<style>p{color:rgb(1,2,3)}</style><p>a page</p>" },
            },
          ],
        },
      ],
    },
    steps: [
      { pick: "Table" },
      { see: "Preview: Table" },
      { look: "a Markdown preview" },
      { pick: "Code" },
      { see: "const" },
      { look: "a preview of code" },
      { pick: "Text" },
      { see: "plain *text*" },
      { look: "a preview of text" },
      { pick: "Page" },
      { see: "a page", within: "frame" },
      { look: "an HTML preview" },
      send,
    ],
    outcome: answered({ selected: ["o4"] }),
    title: ANSWERED,
  },
  declining: {
    ask: { questions: [AUTH] },
    steps: [
      { press: "Decline to answer" },
      { write: "Not mine", into: "Reason (optional)" },
      { look: "the panel of declining" },
      { press: "Decline to answer" },
      { see: "Not mine" },
      { look: "a declined question" },
    ],
    outcome: { kind: "declined", reason: "Not mine", by: { id: "ana" } },
    title: /^Declined by you on /,
  },
  "declining, and then answering": {
    ask: { questions: [AUTH] },
    steps: [{ press: "Decline to answer" }, { press: "Back" }, { pick: "API key" }, send],
    outcome: answered({ selected: ["o2"] }),
    title: ANSWERED,
  },
  "a reply": {
    ask: { questions: [AUTH] },
    steps: [
      { press: "Say something else instead" },
      send,
      { look: "an empty reply" },
      { write: "What for?", into: "Message" },
      send,
      { see: "What for?" },
      { look: "a question that was replied to" },
    ],
    outcome: { kind: "replied", text: "What for?", by: { id: "ana" } },
    title: /^Replied to by you on /,
  },
};

const APPROVALS: Readonly<Record<string, State>> = {
  approving: {
    ask: { approval: { actions: [COMMAND] } },
    steps: [
      { look: "one action" },
      { see: "rm -rf dist" },
      { press: "Approve" },
      { see: "Approved" },
      { look: "an approved action" },
    ],
    outcome: decided({ action: "a1", kind: "approve" }),
    title: DECIDED,
  },
  rejecting: {
    ask: { approval: { actions: [COMMAND] } },
    steps: [{ press: "Reject" }, { see: "Rejected" }],
    outcome: decided({ action: "a1", kind: "reject" }),
    title: DECIDED,
  },
  "rejecting with a reason": {
    ask: { approval: { actions: [COMMAND] } },
    steps: [
      { press: "Reject with a reason" },
      { write: "Not on a Friday", into: "Reason" },
      { look: "a reason" },
      { press: "Reject" },
      { see: "Not on a Friday" },
      { look: "a rejected action" },
    ],
    outcome: decided({ kind: "reject", message: "Not on a Friday" }),
    title: DECIDED,
  },
  "approving after a reason was typed": {
    ask: { approval: { actions: [COMMAND] } },
    steps: [
      { press: "Reject with a reason" },
      { write: "Wait", into: "Reason" },
      { press: "Approve" },
      { see: "not sent" },
      { look: "a reason that would not be sent" },
      { press: "Approve" },
    ],
    outcome: decided({ kind: "approve" }),
    title: DECIDED,
  },
  "changed arguments": {
    ask: { approval: { actions: [COMMAND] } },
    steps: [
      { press: "Change the arguments" },
      { write: '{ "command": ', into: "Arguments" },
      { press: "Approve with changes" },
      { see: "This is not valid JSON: see line 1, column 14." },
      { hear: "This is not valid JSON: see line 1, column 14." },
      { look: "arguments that are not JSON" },
      { write: '{ "command": "ls" }', into: "Arguments" },
      { press: "Approve" },
      { see: /^The arguments were changed/ },
      { press: "Approve with changes" },
      { see: "Approved with changes" },
      { look: "an action that was approved with changes" },
    ],
    outcome: decided({ kind: "edit", args: { command: "ls" } }),
    title: DECIDED,
  },
  "changes that are taken back": {
    ask: { approval: { actions: [COMMAND] } },
    steps: [
      { press: "Change the arguments" },
      { write: "{}", into: "Arguments" },
      { press: "Undo the changes" },
      { press: "Approve" },
    ],
    outcome: decided({ kind: "approve" }),
    title: DECIDED,
  },
  "several actions": {
    ask: {
      approval: {
        actions: [
          { name: "Edit", args: { file_path: "a.ts", old_string: "one\ntwo", new_string: "one\n2" } },
          { name: "Plan", args: { plan: "1. **Measure**" }, allow: ["approve", "reject"] },
          {
            name: "Patch",
            args: { diff: "@@ -1 +1 @@\n-x\n+y", deep: { list: [1, { a: null }], none: [], empty: "" } },
          },
          { name: "Run", args: { command: "echo \u202etxt.\u200b", env: { CI: true } } },
          { name: "Stop", args: {} },
        ],
      },
    },
    steps: [
      { look: "several actions" },
      { see: "Measure" },
      { see: "\\u202e" },
      send,
      { see: "Approve or reject this action." },
      { look: "several actions without decisions" },
      { pick: "Approve", group: "Decision about Edit" },
      { pick: "Reject", group: "Decision about Plan" },
      { write: "Later", into: "Reason" },
      { pick: "Approve with changes", group: "Decision about Patch" },
      { write: '{ "diff": "" }', into: "Arguments" },
      { pick: "Approve", group: "Decision about Run" },
      { pick: "Approve", group: "Decision about Stop" },
      { press: "Add a note" },
      { write: "One by one", into: "Note about everything" },
      { look: "several decisions" },
      send,
      { see: DECIDED },
      { look: "several decided actions" },
    ],
    outcome: {
      ...decided(
        { action: "a1", kind: "approve" },
        { action: "a2", kind: "reject", message: "Later" },
        { action: "a3", kind: "edit", args: { diff: "" } },
        { action: "a4", kind: "approve" },
        { action: "a5", kind: "approve" },
      ),
      note: "One by one",
    },
    title: DECIDED,
  },
  "a decision that counts always": {
    ask: { approval: { actions: [{ ...COMMAND, args: { command: "sudo rm" } }] } },
    // The rule would decide about the next one like it.
    after: async ({ hub }) => {
      for (const { id } of await hub.rules.list("ana")) await hub.rules.revoke(id, "ana");
    },
    steps: [
      { choose: "Always", from: "This decision counts" },
      { look: "a decision that is remembered" },
      { press: "Reject" },
    ],
    outcome: decided({ kind: "reject", remember: "always" }),
    title: DECIDED,
  },
  "a rule of the agent's own": {
    ask: { approval: { actions: [{ ...COMMAND, rules: ["Bash(rm:*) in this project"] }] } },
    steps: [
      { choose: "Bash(rm:*) in this project", from: "This decision counts" },
      { look: "a rule of the agent's own" },
      { press: "Approve" },
    ],
    outcome: decided({ kind: "approve", remember: "Bash(rm:*) in this project" }),
    title: DECIDED,
  },
  "a rejection, which makes no rule of the agent's own": {
    ask: { approval: { actions: [{ ...COMMAND, rules: ["Bash(rm:*)"] }] } },
    steps: [
      { choose: "Bash(rm:*)", from: "This decision counts" },
      { press: "Reject" },
      { see: "Only an approval makes the agent’s own rule." },
      { look: "a rejection that would drop a rule" },
      { choose: "Only this time", from: "This decision counts" },
      { press: "Reject" },
    ],
    outcome: { decisions: [{ action: "a1", kind: "reject" }] },
    title: DECIDED,
  },
  "an approval while the choice of a rule is not on screen": {
    ask: { approval: { actions: [COMMAND] } },
    after: async ({ hub }) => expect(await hub.rules.list("ana")).toEqual([]),
    steps: [
      { choose: "Always", from: "This decision counts" },
      { press: "Change the arguments" },
      { see: "This decision counts: with changed arguments, only this time" },
      { press: "Approve" },
    ],
    outcome: { decisions: [{ action: "a1", kind: "approve" }] },
    title: DECIDED,
  },
  "declining an approval": {
    ask: { approval: { actions: [COMMAND] } },
    steps: [{ press: "Decline to answer" }, { press: "Decline to answer" }],
    outcome: { kind: "declined", by: { id: "ana" } },
    title: /^Declined by you on /,
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

const ENDS: Readonly<Record<string, State>> = {
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

export const STATES: Readonly<Record<string, State>> = { ...QUESTIONS, ...APPROVALS, ...ENDS };
