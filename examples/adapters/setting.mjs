// What the examples of the adapters share: a hub, a person who answers, and a question as a model writes it. In a
// program of yours the hub is `connect({ url, token })`, and the person is at the inbox.

import { createHub, memoryStore } from "askline/hub";
import { scriptedAnswerer } from "askline/testing";

export const store = memoryStore();
export const hub = await createHub({ store });

/** Ana chooses the second option of every question, and approves actions for staging instead of production. */
const ana = scriptedAnswerer(
  hub,
  ({ approval, questions }) =>
    approval === undefined
      ? {
          type: "answer",
          answers: questions.map(({ id }) => ({ question: id, selected: ["o2"] })),
        }
      : {
          type: "decide",
          decisions: approval.actions.map(({ id }) => ({
            action: id,
            kind: "edit",
            args: { target: "staging" },
          })),
        },
  { person: "ana" },
);

export async function close() {
  await ana.close();
  await hub.close();
}

/** The arguments of a model's call. */
export const questions = [
  {
    question: "Which sign-in should the page have?",
    header: "Sign-in",
    multiSelect: false,
    options: [
      { label: "Password", description: "Nothing to set up" },
      { label: "Passkey", description: "Nothing to remember" },
    ],
  },
];

/** What the model reads. */
export const ANSWERED = 'The person answered:\n1. "Which sign-in should the page have?"\n   chose: "Passkey"';
