import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CardAsk } from "../../src/web/index.ts";
import { type CardBrowser, type CardPage, settle, startCards } from "./card-page.ts";

// A strict policy blocks injected script elements, so the source is evaluated.
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let cards: CardBrowser;
beforeAll(async () => {
  cards = await startCards();
});
afterAll(async () => {
  await cards.close();
});

const QUESTION = {
  context: "The API has **no** middleware.\n\n```ts\nconst a: number = 1; // one\n```",
  agentId: "builder",
  timeoutMs: 600_000,
  questions: [
    {
      question: "Which authentication?",
      header: "Auth",
      options: [
        {
          label: "OAuth (Recommended)",
          description: "An account they have",
          preview: { format: "markdown", content: "# OAuth\n\n- a\n- b\n\n| a | b |\n|---|---|\n| 1 | 2 |" },
        },
        { label: "Key", preview: { format: "html", content: "<p>Key</p>" } },
      ],
    },
    {
      question: "Which regions?",
      multiSelect: true,
      minPicks: 2,
      maxPicks: 2,
      options: ["EU", "US", "Asia"],
    },
  ],
  allowPartial: true,
} as const;
const APPROVAL = {
  approval: {
    actions: [
      {
        name: "Bash",
        description: "Cleans",
        args: { command: "rm -rf \u200bdist", env: { A: "1", list: [true, null] } },
      },
      { name: "Edit", args: { old_string: "a\nb", new_string: "a\nc", plan: "1. x" } },
    ],
  },
};
const BY = { kind: "person", id: "ana", surface: "phone" };

/** Each state of the card: what is shown, and how a person gets there. */
const STATES: Readonly<Record<string, readonly [CardAsk, ((card: CardPage) => Promise<void>)?]>> = {
  "a question with a preview": [QUESTION as CardAsk],
  "a picked option, its HTML preview and a note": [
    QUESTION as CardAsk,
    async ({ card }) => {
      await card.getByRole("radio", { name: "Key" }).click();
      await card.getByRole("button", { name: "Add a note" }).click();
    },
  ],
  "a problem": [
    QUESTION as CardAsk,
    async ({ card }) => {
      await card.getByRole("button", { name: /Question 2/ }).click();
      await card.getByRole("checkbox", { name: "EU" }).click();
      await card.getByRole("button", { name: "Next" }).click();
      await card.locator(".issues").waitFor();
    },
  ],
  "Other with its field": [
    QUESTION as CardAsk,
    ({ card }) => card.getByRole("radio", { name: "Other" }).click(),
  ],
  "the review": [
    QUESTION as CardAsk,
    async ({ card }) => {
      await card.getByRole("button", { name: "Review" }).click();
      await card.getByRole("heading", { name: "Review" }).waitFor();
    },
  ],
  "the panel of a reply": [
    QUESTION as CardAsk,
    async ({ card }) => {
      await card.getByRole("button", { name: "Say something else" }).click();
      await card.getByRole("textbox").waitFor();
    },
  ],
  "the panel of a decline": [
    QUESTION as CardAsk,
    async ({ card }) => {
      await card.getByRole("button", { name: "Decline" }).click();
      await card.getByRole("textbox").waitFor();
    },
  ],
  "sending, refused": [
    { questions: [{ question: "Ship?", options: ["Yes"] }] },
    async ({ card, page }) => {
      await page.evaluate(() =>
        document
          .querySelector("askline-card")
          ?.addEventListener("answer", ({ detail }) => detail.waitUntil(Promise.reject(new Error("x")))),
      );
      await card.getByRole("radio", { name: "Yes" }).click();
      await card.getByRole("button", { name: "Send" }).click();
      await card.locator(".notice").waitFor();
    },
  ],
  "actions, one with changed arguments, one without a decision": [
    APPROVAL,
    async ({ card }) => {
      await card.getByRole("radio", { name: "Approve with changes" }).first().click();
      await card.getByRole("textbox", { name: "Arguments" }).fill("{");
      await card.getByRole("button", { name: "Send" }).click();
      await card.locator(".issues").first().waitFor();
    },
  ],
  "one action": [{ approval: { actions: APPROVAL.approval.actions.slice(0, 1) } }],
  "an answered ask": [
    {
      ...QUESTION,
      id: "ask_1",
      outcome: {
        kind: "answered",
        answers: [
          { question: "q1", selected: ["o1"], note: "n" },
          { question: "q2", selected: [], skipped: true },
        ],
        note: "all",
        by: BY,
      },
    } as never,
  ],
  "a decided ask": [
    {
      ...APPROVAL,
      id: "ask_2",
      outcome: {
        kind: "decided",
        decisions: [
          { action: "a1", kind: "edit", args: { command: "ls" } },
          { action: "a2", kind: "reject", message: "no" },
        ],
        by: BY,
      },
    } as never,
  ],
  "an expired ask": [{ ...QUESTION, id: "ask_3", outcome: { kind: "expired" } } as never],
  "what cannot be shown": [{ questions: [{ question: "" }] }],
};

describe("axe finds nothing", () => {
  it.each(Object.entries(STATES))("in %s, light and dark", async (_name, [ask, go]) => {
    const opened = await cards.open(ask, { colorScheme: "light", reducedMotion: "reduce" });
    const { page } = opened;
    try {
      await page.waitForLoadState("networkidle");
      await settle(page);
      await go?.(opened);
      await page.waitForLoadState("networkidle");
      await page.evaluate(AXE);
      const light = await violations(page);
      await page.emulateMedia({ colorScheme: "dark" });
      expect([...light, ...(await violations(page))]).toEqual([]);
      expect(opened.faults).toEqual([]);
    } finally {
      await page.context().close();
    }
  });
});

it("says to assistive technology what the screen shows", async () => {
  const { card, page } = await cards.open(APPROVAL);
  await card.getByRole("article").first().waitFor();
  const tree = await card.ariaSnapshot();
  const shown = await card.evaluate((element) => {
    const texts: string[] = [];
    const walk = document.createTreeWalker(element.shadowRoot as ShadowRoot, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      const text = node.textContent?.trim() ?? "";
      if (text !== "" && !(node.parentElement as Element).closest("[aria-hidden],style")) texts.push(text);
    }
    return texts;
  });
  const flat = (text: string): string => text.replace(/\\"/g, '"').replace(/\s+/g, "");
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((text) => !flat(tree).includes(flat(text)))).toEqual([]);
  await page.context().close();
});

async function violations(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const found = await axe.run({ iframes: false, rules: { "page-has-heading-one": { enabled: false } } });
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  });
}
