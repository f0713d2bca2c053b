import { expect, it } from "vitest";
import { type Ask, AsklineError } from "../../../src/index.ts";
import { countOf, declineAll, fold } from "../../../src/people/inbox/crowd.ts";

const asks = (asker: string | undefined, count: number): readonly { readonly ask: Ask }[] =>
  Array.from({ length: count }, (_, index) => ({
    ask: { id: `${asker}-${index}`, asker } as unknown as Ask,
  }));
const idsOf = (rows: ReturnType<typeof fold>): readonly string[] =>
  rows.map(({ ask, more }) => (more === undefined ? ask.id : `${more.count} more of ${more.agent}`));

it("shows twenty of one agent, then one row in the place of the rest, and keeps the order", () => {
  const [first, ...others] = asks("builder", 200);
  const rows = fold([
    ...(first === undefined ? [] : [first]),
    ...asks("shipper", 2),
    ...others,
    ...asks("late", 1),
  ]);
  expect(idsOf(rows).slice(0, 4)).toEqual(["builder-0", "shipper-0", "shipper-1", "builder-1"]);
  expect(idsOf(rows).slice(-3)).toEqual(["builder-19", "180 more of builder", "late-0"]);
  expect(countOf(rows)).toBe(203);
});

it("shows all of twenty, of an agent that was opened, and of asks without an agent", () => {
  expect(fold(asks("builder", 20)).some(({ more }) => more !== undefined)).toBe(false);
  expect(fold(asks("builder", 50), new Set(["builder"]))).toHaveLength(50);
  expect(fold(asks(undefined, 50))).toHaveLength(50);
});

it("shows one row for a muted agent in the place of its first ask, of that owner only", () => {
  const ofBen = asks("builder", 3).map(({ ask }) => ({ ask: { ...ask, id: `ben-${ask.id}`, owner: "ben" } }));
  const rows = fold([...asks("builder", 2), ...ofBen], new Set(), [{ asker: "builder", owner: "ben" }]);
  expect(idsOf(rows)).toEqual(["builder-0", "builder-1", "3 more of builder (ben)"]);
  expect(rows.at(-1)?.more?.isMuted).toBe(true);
  expect(idsOf(fold([...asks("builder", 2), ...ofBen], new Set(), [{ asker: "builder" }]))).toEqual([
    "2 more of builder",
    "3 more of builder (ben)",
  ]);
});

it("counts what it declined, and stops when the server refuses", async () => {
  const all = asks("builder", 9).map(({ ask }) => ask);
  const ended = await declineAll(all, async (id) => {
    if (id === "builder-3") throw new AsklineError("already_settled", "answered");
  });
  expect(ended).toEqual({ declined: 8, failure: undefined });
  let calls = 0;
  const failure = new AsklineError("unauthorized", "revoked");
  const refused = await declineAll(all, async () => {
    calls += 1;
    throw failure;
  });
  expect(refused).toEqual({ declined: 0, failure });
  expect(calls).toBeLessThan(9);
});
