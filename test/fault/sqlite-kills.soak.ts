import { expect, it } from "vitest";
import { killAgainAndAgain } from "./sqlite-kills.js";

it("1,000 processes killed while they ask and answer", async () => {
  const report = await killAgainAndAgain(1_000, Math.random);
  const { kills, asks, answers, lost, double, gaps } = report;
  console.log(
    `kills ${kills}, asks ${asks}, answers ${answers}, lost = ${lost}, double = ${double}, gaps = ${gaps}`,
  );
  expect({ lost, double, gaps }).toEqual({ lost: 0, double: 0, gaps: 0 });
}, 1_800_000);
