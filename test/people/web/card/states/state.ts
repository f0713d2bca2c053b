// A state of a card: the ask, what a person does until the ask has ended, and what the agent receives. `look` names
// a state that is worth looking at: it is checked for accessibility there, and for its size on a phone.

import type { Hub } from "../../../../../src/hub/index.ts";
import type { AskInput } from "../../../../../src/index.ts";
import type { CardPage } from "../../card-page.ts";

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
export type Matched = Readonly<Record<string, unknown>>;

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

export const AUTH = {
  question: "Which authentication?",
  header: "Auth",
  options: [{ label: "OAuth (Recommended)", description: "An account they have" }, "API key"],
};

export const COMMAND = {
  name: "Bash",
  description: "Cleans up",
  args: { command: "rm -rf dist", timeout: 5 },
};

export const answered = (...answers: readonly object[]): Matched => ({
  kind: "answered",
  answers,
  by: { id: "ana" },
});
export const send = { press: "Send" };
export const ANSWERED = /^Answered by you on /;
