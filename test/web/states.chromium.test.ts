import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardHub, showCard, startCardHub } from "./card/hub.ts";
import { PEOPLE } from "./card/people.ts";
import { APPROVALS } from "./card/states/approvals.ts";
import { ENDINGS } from "./card/states/endings.ts";
import { QUESTIONS } from "./card/states/questions.ts";
import type { State, Step, World } from "./card/states/state.ts";
import { type CardBrowser, type CardPage, startCards } from "./card-page.ts";

let cards: CardBrowser;
let live: CardHub;
beforeAll(async () => {
  cards = await startCards();
  live = await startCardHub(cards);
});
afterAll(async () => {
  await live.close();
  await cards.close();
});

describe.each(Object.entries(PEOPLE))("by %s", (_name, person) => {
  let page: CardPage;
  beforeAll(async () => {
    page = await live.open("ana", person.options);
    page.page.context().setDefaultTimeout(8_000);
    await page.page.clock.install();
    // What cards load later is loaded now: what has just appeared takes no click.
    const context = "```ts\nconst a = 1;\n```";
    const { id } = await live.hub.post({ context, approval: { actions: [{ name: "Bash", args: {} }] } });
    await showCard(page, { askId: id });
    await page.card.locator(".hljs-keyword").waitFor();
    await page.card.getByRole("button", { name: "Decline to answer" }).press("Enter");
    await page.card.getByRole("textbox", { name: "Reason (optional)" }).waitFor();
    await live.hub.withdraw(id);
    await page.card.getByRole("heading", { name: /^Withdrawn/ }).waitFor();
  });

  it.each(Object.entries({ ...QUESTIONS, ...APPROVALS, ...ENDINGS }))("%s", async (_state, state: State) => {
    const { ask, properties, before, after, steps, outcome, title } = state;
    const { hub, url } = live;
    const { id } = await hub.post(ask);
    const world: World = { hub, id, page };
    await before?.(world);
    await showCard(page, { askId: id, person: "ana", previewFrame: `${url}/preview-frame`, ...properties });
    for (const [index, step] of steps.entries()) await take(step, world, index > 0);
    await page.card.getByRole("heading", { level: 2, name: title }).waitFor();
    expect((await hub.get(id)).outcome).toMatchObject(outcome);
    await after?.(world);
    expect(page.faults.filter((fault) => !isMeant.test(fault))).toEqual([]);
  });

  async function take(step: Step, world: World, used: boolean): Promise<unknown> {
    if ("look" in step) return person.look(page, step.look, used);
    if ("pick" in step) return person.pick(page, step.pick, step.group);
    if ("press" in step) return person.press(page, step.press);
    if ("write" in step) return person.write(page, step.write, step.into);
    if ("choose" in step) return person.choose(page, step.choose, step.from);
    if ("meanwhile" in step) return step.meanwhile(world);
    if ("hear" in step)
      return page.card.getByRole("status").getByText(step.hear).waitFor({ state: "attached" });
    const place =
      step.within === "frame"
        ? page.card.locator("iframe").contentFrame().locator("iframe").contentFrame().locator("body")
        : page.card.locator(":not([role=status])");
    return place.getByText(step.see).first().waitFor();
  }
});

/** The look of a test into the frame of a preview, which runs no script; and the ask that is not there. */
const isMeant = /Blocked script execution in 'about:srcdoc'|status of 404/;
