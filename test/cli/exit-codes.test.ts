import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  BAD_INPUT_EXIT_CODE,
  FAULT_EXIT_CODE,
  OUTCOME_EXIT_CODES,
  SIGNAL_EXIT_CODES,
} from "../../src/cli/world/exit.js";

describe("exit codes", () => {
  it("differ for every outcome without a choice", () => {
    const { answered, decided, ...others } = OUTCOME_EXIT_CODES;
    expect([answered, decided]).toEqual([0, 0]);
    const codes = [answered, FAULT_EXIT_CODE, BAD_INPUT_EXIT_CODE, ...Object.values(others)];
    expect(new Set(codes).size).toBe(codes.length);
  });

  it("are all in docs/cli.md", () => {
    const page = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");
    for (const [kind, code] of Object.entries(OUTCOME_EXIT_CODES)) {
      expect(page).toMatch(new RegExp(`\\| ${code} \\|.*\`${kind}\``));
    }
    for (const [name, code] of Object.entries(SIGNAL_EXIT_CODES)) {
      expect(page).toMatch(new RegExp(`${code}.*${name}|${name}.*${code}`));
    }
    expect(page).toContain(`| ${FAULT_EXIT_CODE} |`);
    expect(page).toContain(`| ${BAD_INPUT_EXIT_CODE} |`);
  });
});
