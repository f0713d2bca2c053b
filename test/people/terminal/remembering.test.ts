import { describe, expect, it } from "vitest";
import { type ActionInput, type AskInput, requireAsk } from "../../../src/index.ts";
import { createForm } from "../../../src/people/form/create-form.ts";
import type { FormEvent } from "../../../src/people/form/event.ts";
import { updateForm } from "../../../src/people/form/update.ts";
import { rememberingOf } from "../../../src/people/terminal/remembering.ts";

const BASH: ActionInput = { name: "Bash", args: { command: "npm test" }, rules: ["npm\u202e test:*"] };

const PLACE = { session: "s1", metadata: { project: "/home/ana/shop" } };

function shown(
  events: readonly FormEvent[],
  actions: readonly ActionInput[] = [BASH],
  remembers = true,
  place: Omit<AskInput, "questions"> = PLACE,
): ReturnType<typeof rememberingOf> {
  const ask = requireAsk({ approval: { actions }, ...place });
  const form = createForm(ask, { surface: "terminal", remembers });
  return rememberingOf(
    events.reduce((state, event) => updateForm(state, event, 0), form),
    "en",
  );
}
const remember = (as: string): FormEvent => ({ type: "remember", remember: as });

describe("for how long a decision counts", () => {
  it("is only this time until a person chooses, and the rules of the agent are in its words", () => {
    expect(shown([])).toEqual({
      text: "This decision counts: Only this time",
      choices: [
        { remember: "", text: "Only this time" },
        { remember: "session", text: "For this session" },
        { remember: "always", text: "Always" },
        { remember: "npm\u202e test:*", text: "If approved, the agent’s own rule: npm\ufffd test:*" },
      ],
      chosen: 0,
    });
    expect(shown([remember("always")])?.text).toBe("This decision counts: Always");
    expect(shown([remember("npm\u202e test:*")])?.text).toBe(
      "If approved, the agent’s own rule: npm\ufffd test:*",
    );
  });

  it("is shown whatever the decision is so far: a key that approves sends it", () => {
    expect(shown([remember("always"), { type: "edit" }])?.text).toBe(
      "This decision counts: Always; with changed arguments, only this time",
    );
    expect(shown([remember("session"), { type: "reject" }])?.text).toBe(
      "This decision counts: For this session",
    );
  });

  it("is not offered for longer than a rule can have: by the session alone, or by neither", () => {
    const plain = [{ ...BASH, rules: [] }];
    const offered = (place: Omit<AskInput, "questions">) =>
      shown([], plain, true, place)?.choices.map((choice) => choice.remember);
    expect(offered({ session: "s1" })).toEqual(["", "session"]);
    expect(offered({ session: "s1", metadata: { project: "shop" } })).toEqual(["", "session"]);
    expect(offered({ metadata: { cwd: "C:\\shop" } })).toEqual(["", "always"]);
    expect(offered({})).toBeUndefined();
  });

  it("names the arguments that are not compared", () => {
    const claude = { ...PLACE, agentId: "claude-code" };
    const bash = { ...BASH, args: { command: "npm test", description: "Run the tests" } };
    expect(shown([remember("always")], [bash], true, claude)?.text).toBe(
      "This decision counts: Always (not compared: description)",
    );
  });

  it("is no choice for several actions, one that says so, or where nothing is remembered", () => {
    expect(shown([], [BASH, BASH])).toBeUndefined();
    expect(shown([], [{ ...BASH, once: true }])).toBeUndefined();
    expect(shown([], [BASH], false)).toBeUndefined();
    expect(shown([{ type: "reply" }])).toBeUndefined();
  });
});
