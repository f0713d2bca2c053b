import { describe, expect, it } from "vitest";
import { displayAsker, displayHeader, displayLine, displayText } from "../../src/core/index.js";

describe("what is shown", () => {
  it("has no control character or bidi override in it; newlines and tabs stay", () => {
    expect(displayText("a\u001b[2Jb\u0007\u202Ec\u2066d\r\n\te\u009b")).toBe(
      "a\uFFFD[2Jb\uFFFD\uFFFDc\uFFFDd\n\te\uFFFD",
    );
    expect(displayLine("a\r\nb\tc\u2028d")).toBe("a b c\uFFFDd");
  });

  it("cuts a header by what a person sees as characters", () => {
    expect(displayHeader("Auth")).toBe("Auth");
    expect(displayHeader("Twelve chars")).toBe("Twelve chars");
    expect(displayHeader("Thirteen char")).toBe("Thirteen ch…");
    const family = "👨‍👩‍👧‍👦";
    expect(displayHeader(family.repeat(12))).toBe(family.repeat(12));
    expect(displayHeader(family.repeat(13))).toBe(`${family.repeat(11)}…`);
    expect(displayHeader("Kỳ hạn đầu tư")).toBe("Kỳ hạn đầu …");
  });

  it("names who asks by what the server has checked, whatever the agent calls itself", () => {
    expect(displayAsker({ asker: "ci", agentId: "local" })).toBe("ci › local");
    expect(displayAsker({ asker: "ci", agentPath: ["planner"], agentId: "coder\u001b" })).toBe(
      "ci › planner › coder\uFFFD",
    );
    expect(displayAsker({ asker: "ci", agentId: "ci" })).toBe("ci");
    expect(displayAsker({ agentId: "coder" })).toBe("coder");
    expect(displayAsker({})).toBe("");
  });
});
