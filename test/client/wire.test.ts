import { describe, expect, it } from "vitest";
import { FailedTry } from "../../src/client/failed-try.js";
import { judgeResponse } from "../../src/client/responses.js";
import { readAskBody, readAskPage, readEvent } from "../../src/client/wire.js";
import { ERROR_CODES } from "../../src/core/model/error.js";
import { OUTCOME_KINDS } from "../../src/core/model/kinds.js";
import { AsklineError, ISSUE_CODES } from "../../src/index.js";
import { mutateJson } from "../support/mutate-json.js";
import { askOf, outcome } from "./scripted-server.js";

const RUNS = 3_000;
const asks = [
  { ask: askOf() },
  { ask: askOf({ outcome }) },
  { ask: askOf({ outcome: { kind: "expired" } }) },
];

describe("broken documents from a server", () => {
  it("give consistent asks, or are refused", () => {
    let refused = 0;
    for (let seed = 0; seed < RUNS; seed += 1) {
      const ask = read(() => readAskBody(mutateJson(asks, seed)));
      if (ask === undefined) refused += 1;
      else if (ask.status === "pending") expect(ask.outcome).toBeUndefined();
      else expect(ask.outcome?.kind).toBe(ask.status);
    }
    expect(refused).toBeGreaterThan(RUNS / 10);
  });

  it("are refused with an ask whose id is empty, which no path could name", () => {
    expect(() => readAskBody({ ask: { ...askOf(), id: "" } })).toThrow("an ask has no valid id");
  });

  it("give usable pages and events, or are refused", () => {
    const pages = [{ asks: asks.map(({ ask }) => ask), next: "7" }];
    const event = { position: 7, at: 1, type: "ask.created", askId: "ask_1", ask: askOf() };
    for (let seed = 0; seed < RUNS; seed += 1) {
      const page = read(() => readAskPage(mutateJson(pages, seed)));
      for (const { id, recipients } of page?.asks ?? [])
        expect([typeof id, Array.isArray(recipients)]).toEqual(["string", true]);
      expect(["string", "undefined"]).toContain(typeof page?.next);
      const happened = read(() => readEvent(mutateJson([event], seed)));
      if (happened !== undefined) expect(Number.isSafeInteger(happened.position)).toBe(true);
    }
  });

  it("give errors with a code, a message and valid issues in any case", () => {
    const issues = [{ code: "too_long", path: ["questions", 0], message: "shorter" }];
    const errors = [
      { error: { code: "invalid_ask", message: "no", issues } },
      { error: { code: "already_settled", message: "late", outcome } },
    ];
    for (let seed = 0; seed < RUNS; seed += 1) {
      const text = JSON.stringify(mutateJson(errors, seed)) ?? "";
      const status = 400 + (seed % 150);
      const { error } = judgeResponse({ base: "http://a", status, headers: new Headers(), text, now: 0 });
      expect(error).toBeInstanceOf(AsklineError);
      expect(ERROR_CODES).toContain(error.code);
      expect(error.message).not.toBe("");
      for (const { code, path, message } of error.issues ?? []) {
        expect(ISSUE_CODES).toContain(code);
        expect(typeof message).toBe("string");
        for (const part of path) expect(["string", "number"]).toContain(typeof part);
      }
      if (error.outcome !== undefined) expect(OUTCOME_KINDS).toContain(error.outcome.kind);
    }
  });
});

/** Undefined if it was refused with a malformed-response error, the only allowed way. */
function read<T>(reading: () => T): T | undefined {
  try {
    return reading();
  } catch (error) {
    expect(error).toBeInstanceOf(FailedTry);
    return undefined;
  }
}
