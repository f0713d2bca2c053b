import { describe, expect, it } from "vitest";
import type { ActionInput, Outcome } from "../../../src/index.ts";
import { stdinResolver } from "../../../src/people/terminal/stdin-resolver.ts";
import { lines, screen } from "./streams.ts";

const MAIL: ActionInput = {
  name: "send_email",
  args: { to: "ada@example.com" },
  description: "Sends it now.",
};

async function decide(
  actions: readonly ActionInput[],
  ...typed: readonly string[]
): Promise<{ readonly outcome: Outcome; readonly shown: string }> {
  const output = screen();
  const resolver = stdinResolver({ input: lines(...typed), output: output.stream });
  return { outcome: await resolver.ask({ approval: { actions } }), shown: output.text() };
}

describe("stdinResolver: approvals", () => {
  it("shows each action with its arguments and what may be decided", async () => {
    const { outcome, shown } = await decide(
      [MAIL, { name: "deploy", allow: ["approve", "reject"] }],
      "a",
      "r",
      "",
    );
    expect(shown).toBe(`
[1/2] send_email
Sends it now.
  {
    "to": "ada@example.com"
  }
  a) approve  e) edit  r) reject
> decide: 
[2/2] deploy
  {}
  a) approve  r) reject
> decide:   reason (optional): 
`);
    expect(outcome).toEqual({
      kind: "decided",
      decisions: [
        { action: "a1", kind: "approve" },
        { action: "a2", kind: "reject" },
      ],
      by: { kind: "person", id: "local", surface: "terminal" },
    });
  });

  it.each([
    [["r", "too early"], { kind: "reject", message: "too early" }],
    [["reject too early"], { kind: "reject", message: "too early" }],
    [["r"], { kind: "reject" }],
    [["e", '{"to":"bob@example.com"}'], { kind: "edit", args: { to: "bob@example.com" } }],
    [['edit {"to":"x"}'], { kind: "edit", args: { to: "x" } }],
    [["e", "", "Approve"], { kind: "approve" }],
  ])("takes %j", async (typed, decision) => {
    const { outcome } = await decide([MAIL], ...typed);
    expect(outcome).toMatchObject({ kind: "decided", decisions: [{ action: "a1", ...decision }] });
  });

  it("explains what it cannot take and asks again", async () => {
    const { outcome, shown } = await decide([MAIL], "yes", "a please", "e", "{to}", "[1]", "a");
    expect(shown).toContain('invalid decision "yes"; type a or e or r\n> decide: ');
    expect(shown).toContain('invalid decision "a please"');
    expect(shown).toContain("that is not JSON");
    expect(shown).toContain("must be an object, not array");
    expect(outcome).toMatchObject({ kind: "decided", decisions: [{ kind: "approve" }] });
  });

  it("does not take a decision that the action does not allow", async () => {
    const { shown } = await decide([{ ...MAIL, allow: ["approve", "reject"] }], "e", "a");
    expect(shown).toContain('invalid decision "e"; type a or r');
  });

  it("declines on a blank line and is unavailable when the input ends", async () => {
    expect((await decide([MAIL, MAIL], "a", "")).outcome).toMatchObject({ kind: "declined" });
    expect((await decide([MAIL, MAIL], "a")).outcome).toMatchObject({ kind: "unavailable" });
  });

  it("shows hidden characters in arguments as escapes, so that they are seen", async () => {
    const { shown } = await decide(
      [{ name: "run\u001b[8m", args: { command: "ls \u202e\u009b8m\u001b[8m" } }],
      "a",
    );
    expect(shown).toContain('"command": "ls \\u202e\\u009b8m\\u001b[8m"');
    expect(shown).toContain("[1/1] run\uFFFD[8m\n");
  });
});
