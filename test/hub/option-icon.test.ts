import { afterEach, describe, expect, it } from "vitest";
import { type AskInput, LIMITS, parseAsk } from "../../src/core/index.js";
import { askSize } from "../../src/hub/ask-size.js";
import { createHub, type Hub, memoryStore } from "../../src/hub/index.js";
import { closedChecks, openChecks } from "../support/api-schemas.ts";

let hub: Hub | undefined;
afterEach(() => hub?.close());

const asked = (icon: unknown = null): AskInput => ({
  questions: [{ question: "Ship it?", options: [{ label: "Yes", icon: icon as string }, { label: "No" }] }],
});

describe("the icon of an option", () => {
  it("is stored with the ask, and counts towards its size", async () => {
    hub = await createHub({ store: memoryStore() });
    const { id } = await hub.post(asked("🚀"));
    const ask = await hub.get(id);
    expect(ask.questions[0]?.options[0]).toEqual({ id: "o1", label: "Yes", icon: "🚀" });
    const plain = await hub.post(asked());
    expect(askSize(ask) - askSize(plain)).toBe("🚀".length);
  });

  it("is refused where it is too long or not a text", () => {
    const path = ["questions", 0, "options", 0, "icon"];
    expect(parseAsk(asked("x".repeat(LIMITS.iconLength + 1)))).toMatchObject({
      issues: [{ code: "too_long", path }],
    });
    expect(parseAsk(asked(1))).toMatchObject({ issues: [{ code: "wrong_type", path }] });
  });

  it("is in the API's document, as it is read and as it is sent", () => {
    expect(closedChecks.schema("Option", { id: "o1", label: "Yes", icon: "🚀" })).toBeUndefined();
    expect(openChecks.schema("Option", { id: "o1", label: "Yes", icon: 1 })).toContain("icon");
    const tooLong = { label: "Yes", icon: "x".repeat(LIMITS.iconLength + 1) };
    expect(openChecks.schema("OptionInput", { label: "Yes", icon: "🚀" })).toBeUndefined();
    expect(openChecks.schema("OptionInput", tooLong)).toBeDefined();
  });
});
