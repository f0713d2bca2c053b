import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type CardBrowser, type CardPage, settle, startCards } from "./card-page.ts";

let cards: CardBrowser;
let open: CardPage | undefined;
beforeAll(async () => {
  cards = await startCards();
});
afterEach(async () => {
  const faults = open?.faults ?? [];
  await open?.page.context().close();
  open = undefined;
  expect(faults).toEqual([]);
});
afterAll(async () => {
  await cards.close();
});

const AUTH = {
  questions: [
    {
      question: "Which authentication?",
      header: "Auth",
      options: [{ label: "OAuth (Recommended)", description: "An account they have" }, "API key"],
    },
  ],
};

describe("one question", () => {
  it("is answered with a click and a confirm, and then shown with its answer", async () => {
    open = await cards.open(AUTH, { properties: { person: "ana" } });
    const { page, card, events } = open;
    await settle(page);
    await card.getByRole("radio", { name: "API key" }).click();
    await card.getByRole("button", { name: "Send" }).click();
    await card.getByRole("heading", { name: /Answered by you on/ }).waitFor();
    const sent = (await events()).filter(([name]) => name !== "draft");
    expect(sent).toMatchObject([
      ["answer", { id: "", answers: [{ question: "q1", selected: ["o2"] }] }],
      [
        "settled",
        { ours: true, outcome: { kind: "answered", by: { kind: "person", id: "ana", surface: "card" } } },
      ],
    ]);
  });
});
