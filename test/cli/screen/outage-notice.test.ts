import { expect, it } from "vitest";
import { outageNotice } from "../../../src/cli/output/watch-screen.js";
import { AsklineError } from "../../../src/index.ts";
import { fakeClock } from "../../../src/testing/index.ts";

it("looks for a server that refuses at once no more than once a second, until it answers", async () => {
  const clock = fakeClock();
  const notices: (string | undefined)[] = [];
  let tries = 0;
  const list = async () => {
    tries += 1;
    if (tries < 4) throw new AsklineError("unreachable", "redirects to another address");
    return { asks: [] };
  };
  const shown = { screen: { notice: (text?: string) => void notices.push(text) }, client: { list } };
  outageNotice(clock, () => shown).warn("it is away");
  await clock.advance(999);
  expect(tries).toBe(1);
  await clock.advance(1);
  expect(tries).toBe(2);
  await clock.advance(2_000);
  expect(tries).toBe(4);
  expect(notices).toEqual(["it is away", undefined]);
});
