import { describe, expect, it } from "vitest";
import { LINK_INPUT } from "../../src/core/model/link.js";
import { PREFERENCE_CHANGES } from "../../src/core/model/notifications.js";
import { RESUME_INPUT } from "../../src/core/model/resume.js";
import { TOKEN_INPUT } from "../../src/core/model/token.js";
import type { Model } from "../../src/core/read/field.js";
import { takenFields } from "../../src/core/read/taken.js";

function take<T>(model: Model<T>, given: Readonly<Record<string, unknown>>): T | readonly string[] {
  const wrong: string[] = [];
  const value = takenFields(model, given, wrong);
  return wrong.length === 0 ? value : wrong;
}

describe("a body that is taken as it is", () => {
  it("has its defaults, and nothing for what is missing", () => {
    expect(take(RESUME_INPUT, { holder: "one" })).toEqual({ holder: "one", leaseMs: 60_000 });
    expect(take(TOKEN_INPUT, { role: "agent", name: "a", sessions: [""] })).toEqual({
      ...{ role: "agent", name: "a", sessions: [""], expiresInMinutes: 60 },
    });
  });

  it("says of every field what it must be", () => {
    expect(take(TOKEN_INPUT, { role: "admin", name: " ", reports: [], expiresInMinutes: "5" })).toEqual([
      "role must be agent or person",
      "name must have 1 to 128 characters, none of them a control character",
      "reports must be a list of 1 to 20 person ids",
      "expiresInMinutes must be a whole number from 1 to 525600 (a year)",
    ]);
  });

  it.each([null, "null", 1.5, "90", " 1h", "1 h", "91d", 0])("does not correct a time of %j", (expiresIn) => {
    expect(take(LINK_INPUT, { person: "ana", expiresIn })).toEqual([
      'expiresIn must be milliseconds, from 1000 to 7776000000, or a time such as "1h", up to 90 days',
    ]);
  });

  it("reads a time with its unit", () => {
    expect(take(LINK_INPUT, { person: "ana", expiresIn: "1.5h" })).toMatchObject({ expiresIn: 5_400_000 });
  });

  it("keeps null only where it removes something, and names the field within an object", () => {
    expect(take(PREFERENCE_CHANGES, { quietHours: null })).toEqual({ quietHours: null });
    expect(take(PREFERENCE_CHANGES, { mute: { asker: 1 }, privacy: null })).toEqual([
      "privacy must be one of everything, title, minimal",
      "mute.asker must be a text",
    ]);
  });
});
