import { afterAll, beforeAll, expect, it } from "vitest";
import { type CardHub, showCard, startCardHub } from "./card/hub.ts";
import { type CardBrowser, type CardPage, settle, startCards } from "./card-page.ts";

// Cards in a page of another origin, each with a client of the package and a token of its person.

let cards: CardBrowser;
let live: CardHub;
/** The page of each person, by device. */
const pages = new Map<string, Promise<CardPage>>();
beforeAll(async () => {
  cards = await startCards();
  live = await startCardHub(cards);
});
afterAll(async () => {
  await live.close();
  await cards.close();
});

async function show(askId: string, person: string, device = "laptop"): Promise<CardPage> {
  const name = `${person}, ${device}`;
  if (!pages.has(name)) pages.set(name, live.open(person));
  const opened = (await pages.get(name)) as CardPage;
  await showCard(opened, { askId, person });
  await settle(opened.page);
  return opened;
}

const SHIP = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }] };

it("lets one of two cards win, and the other says who was faster and where", async () => {
  const { hub } = live;
  const { id } = await hub.post(SHIP);
  const [ana, bo] = [await show(id, "ana"), await show(id, "bo")];
  await bo.card.getByRole("radio", { name: "No" }).click();
  await ana.card.getByRole("radio", { name: "Yes" }).click();
  await ana.card.getByRole("button", { name: "Send" }).click();
  await ana.card.getByRole("heading", { name: /^Answered by you on/ }).waitFor();
  await bo.card.getByRole("heading", { name: /^Answered by ana \(card\) on/ }).waitFor();
  await bo.card.getByText("This ended before your answer was sent.").waitFor();
  expect((await hub.get(id)).outcome).toMatchObject({
    kind: "answered",
    answers: [{ selected: ["o1"] }],
    by: { id: "ana" },
  });
});

it("stores one outcome when both send at once, and both show it", async () => {
  const { hub } = live;
  const { id } = await hub.post(SHIP);
  const both = [await show(id, "ana"), await show(id, "bo")];
  for (const [index, { card }] of both.entries()) await card.getByRole("radio").nth(index).click();
  // Clicked in the page: a click from here would wait for the button of a card that has already learned of its end.
  await Promise.all(
    both.map(({ card }) =>
      card.evaluate((element) =>
        element.shadowRoot?.querySelector<HTMLElement>("[data-row=submit]")?.click(),
      ),
    ),
  );
  await Promise.all(both.map(({ card }) => card.getByRole("heading", { name: /^Answered by/ }).waitFor()));
  const { outcome } = await hub.get(id);
  const titles = await Promise.all(both.map(({ card }) => card.getByRole("heading").first().textContent()));
  const winner = outcome?.kind === "answered" && outcome.by.kind === "person" ? outcome.by.id : "nobody";
  expect(titles.filter((title) => title?.startsWith("Answered by you"))).toHaveLength(1);
  expect(titles.filter((title) => title?.startsWith(`Answered by ${winner} (card)`))).toHaveLength(1);
});

it("continues on another device what was begun on the first", async () => {
  const { hub } = live;
  const { id } = await hub.post({ questions: [{ question: "Why?", options: [] }] });
  const first = await show(id, "ana");
  await first.card.getByRole("textbox").fill("because of the deadline");
  await expect.poll(() => hub.draft(id, { by: { kind: "person", id: "ana", surface: "x" } })).toBeDefined();
  const second = await show(id, "ana", "phone");
  expect(await second.card.getByRole("textbox").inputValue()).toBe("because of the deadline");
});

it("says why an ask cannot be shown, and tries again", async () => {
  const { hub } = live;
  const opened = await show("ask_unknown", "ana");
  await opened.card.getByRole("heading", { name: "The question cannot be shown." }).waitFor();
  await opened.card.getByRole("button", { name: "Try again" }).click();
  await opened.card.getByRole("heading", { name: "The question cannot be shown." }).waitFor();
  const { id } = await hub.post(SHIP);
  await opened.card.evaluate((card, given) => Object.assign(card, { askId: given }), id);
  await opened.card.getByRole("radio", { name: "Yes" }).waitFor();
});

it("shows an HTML preview with its styles in a page that allows none, under the policy of the server's frame", async () => {
  const { url } = live;
  const asked: string[] = [];
  const content = (name: string): string =>
    `<style>p{color:rgb(1,2,3)}</style><p style="margin:7px">${name}</p><img src="${cards.url}leak"><script>document.body.remove()</script>`;
  const opened = await cards.open(
    {
      questions: [
        {
          question: "Which?",
          options: ["One", "Two"].map((label) => ({
            label,
            preview: { format: "html" as const, content: content(label) },
          })),
        },
      ],
    },
    {
      policy: `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src ${url}`,
      properties: { previewFrame: `${url}/preview-frame` },
    },
  );
  opened.page.on("requestfinished", (request) => asked.push(request.url()));
  const inner = opened.card.locator("iframe").contentFrame().locator("iframe").contentFrame();
  const style = (name: string) =>
    inner.getByText(name).evaluate((p) => [getComputedStyle(p).color, getComputedStyle(p).marginTop]);
  expect(await style("One")).toEqual(["rgb(1, 2, 3)", "7px"]);
  await opened.card.getByText("Two").hover();
  expect(await style("Two")).toEqual(["rgb(1, 2, 3)", "7px"]);
  expect(asked.filter((address) => address.includes("leak"))).toEqual([]);
  const blocked = opened.faults.filter((fault) => !/img-src|preview-frame/.test(fault));
  expect(blocked).toEqual([]);
});

it("showed an empty preview for an ask that comes from a list without its large previews", async () => {
  const { hub } = live;
  const { id } = await hub.post(SHIP);
  const opened = await show(id, "ana");
  const { id: large } = await hub.post({
    questions: [
      {
        question: "Which?",
        options: ["a", "b", "c", "d", "e"].map((label) => ({
          label,
          preview: { format: "text" as const, content: `preview of ${label} ${"x".repeat(60_000)}` },
        })),
      },
    ],
  });
  const omitted = await opened.card.evaluate(async (element, wanted) => {
    const card = element as HTMLElement & {
      client: { list(): Promise<{ asks: { id: string }[] }> };
      ask: unknown;
    };
    const { asks } = await card.client.list();
    card.ask = asks.find((ask) => ask.id === wanted);
    return JSON.stringify(card.ask).includes("omitted");
  }, large);
  expect(omitted).toBe(true);
  await opened.card.getByText(/^preview of a/).waitFor();
});

it("approved an action when a letter was typed to choose from the list beside it", async () => {
  const { hub } = live;
  const approval = { actions: [{ name: "Bash", args: { command: "ls" } }] };
  const { id } = await hub.post({ approval, metadata: { project: "/home/ana/shop" } });
  const { card, page } = await show(id, "ana");
  const list = card.getByRole("combobox", { name: "This decision counts" });
  await list.focus();
  await page.keyboard.press("a");
  expect(await list.evaluate((select) => (select as HTMLSelectElement).value)).toBe("always");
  expect((await hub.get(id)).status).toBe("pending");
});

it("follows a deadline that typing has moved", async () => {
  const { hub } = live;
  const { id } = await hub.post({ ...SHIP, timeoutMs: 600_000, extendOnActivity: 7_200_000 });
  const { card } = await show(id, "ana");
  expect(await card.locator("[part=time]").textContent()).toContain("About 10 minutes left");
  await card.getByRole("radio", { name: "Yes" }).click();
  await card.locator("[part=time]").getByText("About 2 hours left").waitFor();
});
