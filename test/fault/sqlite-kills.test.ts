import { expect, it } from "vitest";
import { killAgainAndAgain } from "./sqlite-kills.js";

it("30 processes killed while they ask and answer: nothing acknowledged is lost, nothing is settled twice", async () => {
  const report = await killAgainAndAgain(30, Math.random);
  const { kills, asks, answers, lost, double, gaps } = report;
  console.log(
    `kills ${kills}, asks ${asks}, answers ${answers}, lost = ${lost}, double = ${double}, gaps = ${gaps}`,
  );
  expect({ lost, double, gaps }).toEqual({ lost: 0, double: 0, gaps: 0 });
  expect(asks).toBeGreaterThan(kills);
  expect(answers).toBeGreaterThan(kills);
}, 120_000);
