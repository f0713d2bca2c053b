import { afterAll, beforeAll, expect, it } from "vitest";
import { type CardHub, showCard, startCardHub } from "./card/hub.ts";
import { PEOPLE, type Person } from "./card/people.ts";
import { APPROVALS } from "./card/states/approvals.ts";
import { ENDINGS } from "./card/states/endings.ts";
import { QUESTIONS } from "./card/states/questions.ts";
import type { State, Step, World } from "./card/states/state.ts";
import { type CardBrowser, type CardPage, startCards } from "./card-page.ts";

/** One of the people, with a hub and a page of their own. */
interface Player {
  readonly name: string;
  readonly person: Person;
  readonly live: CardHub;
  readonly page: CardPage;
}

let cards: CardBrowser;
const players: Player[] = [];
beforeAll(async () => {
  cards = await startCards();
  for (const [name, person] of Object.entries(PEOPLE)) {
    const live = await startCardHub(cards);
    const page = await live.open("ana", person.options);
    players.push({ name, person, live, page });
    await loadParts(page, live);
  }
});
afterAll(async () => {
  for (const { live } of players) await live.close();
  await cards.close();
});

// The people play a state at the same time, which costs hardly more than one of them: they mostly wait for frames.
it.each(Object.entries({ ...QUESTIONS, ...APPROVALS, ...ENDINGS }))(
  "by mouse, keyboard and touch: %s",
  async (_state, state: State) => {
    const failures = await Promise.all(
      players.map((player) =>
        play(state, player).then(
          () => [],
          (error: Error) => [new Error(`by ${player.name}: ${error.message}`, { cause: error })],
        ),
      ),
    );
    const [first] = failures.flat();
    if (first !== undefined) throw first;
  },
);

async function play(state: State, { person, live: { hub, url }, page }: Player): Promise<void> {
  const { ask, properties, before, after, steps, outcome, title } = state;
  const { id } = await hub.post(ask);
  const world: World = { hub, id, page };
  await before?.(world);
  await showCard(page, { askId: id, person: "ana", previewFrame: `${url}/preview-frame`, ...properties });
  for (const [index, step] of steps.entries()) await take(step, world, person, index > 0);
  await page.card.getByRole("heading", { level: 2, name: title }).waitFor();
  expect((await hub.get(id)).outcome).toMatchObject(outcome);
  await after?.(world);
  expect(page.faults.filter((fault) => !isMeant.test(fault))).toEqual([]);
}

async function take(step: Step, world: World, person: Person, used: boolean): Promise<unknown> {
  const { page } = world;
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

/** What cards load later is loaded now: what has just appeared takes no click. */
async function loadParts(page: CardPage, { hub }: CardHub): Promise<void> {
  await page.page.clock.install();
  const context = "```ts\nconst a = 1;\n```";
  const { id } = await hub.post({ context, approval: { actions: [{ name: "Bash", args: {} }] } });
  await showCard(page, { askId: id });
  await page.card.locator(".hljs-keyword").waitFor();
  await page.card.getByRole("button", { name: "Decline to answer" }).press("Enter");
  await page.card.getByRole("textbox", { name: "Reason (optional)" }).waitFor();
  await hub.withdraw(id);
  await page.card.getByRole("heading", { name: /^Withdrawn/ }).waitFor();
}

/** The look of a test into the frame of a preview, which runs no script; and the ask that is not there. */
const isMeant = /Blocked script execution in 'about:srcdoc'|status of 404/;
