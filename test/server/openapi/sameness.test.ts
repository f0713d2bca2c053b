// The schemas and the parsers read the same tables. These tests show that they say the same, as far as a schema can.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requireSessionEvent } from "../../../src/agents/sessions/session-event.js";
import { isRecord } from "../../../src/core/kit/json.js";
import { deliverOutcome } from "../../../src/core/model/delivery.js";
import { parseDraft } from "../../../src/core/model/draft.js";
import { asEnding } from "../../../src/core/model/ending.js";
import { LINK_INPUT } from "../../../src/core/model/link.js";
import { FOCUS_INPUT } from "../../../src/core/model/notifications.js";
import { REASSIGN_INPUT } from "../../../src/core/model/person.js";
import { RESUME_INPUT } from "../../../src/core/model/resume.js";
import { TICKET_INPUT } from "../../../src/core/model/ticket.js";
import { TOKEN_INPUT } from "../../../src/core/model/token.js";
import type { Model } from "../../../src/core/read/field.js";
import { takenFields } from "../../../src/core/read/taken.js";
import { type Issue, parseAsk, profiles, requireAsk, validateEnding } from "../../../src/index.js";
import type { SchemaName } from "../../../src/server/openapi/schemas.js";
import { openChecks } from "../../support/api-schemas.ts";
import { arbitraryAnswered, arbitraryAskInput } from "../../support/arbitraries.ts";
import { mutateJson } from "../../support/mutate-json.ts";
import { repeats } from "../../support/repeats.ts";
import { BODIES } from "./bodies.ts";

type Parsed = { readonly ok: true } | { readonly ok: false; readonly issues: readonly Issue[] };

const ask = requireAsk({ questions: [{ question: "Which?", options: ["OAuth", "API key"] }] });
const approval = requireAsk({ approval: { actions: ["read", "copy", "drop"].map((name) => ({ name })) } });

/** As the routes read a body that is taken as it is. */
function taken<T>(model: Model<T>): (body: unknown) => Parsed {
  return (body) => {
    const wrong: string[] = [];
    const isKnown = isRecord(body) && Object.keys(body).every((name) => Object.hasOwn(model.fields, name));
    if (isKnown) takenFields(model, body, wrong);
    return isKnown && wrong.length === 0 ? { ok: true } : { ok: false, issues: [] };
  };
}

const PARSERS: Partial<Record<SchemaName, (body: unknown) => Parsed>> = {
  // The route takes objects only.
  AskInput: (body) => (isRecord(body) ? parseAsk(body) : { ok: false, issues: [] }),
  AnswersInput: (body) => validateEnding(ask, asEnding("answer", body)),
  DecisionsInput: (body) => validateEnding(approval, asEnding("decide", body)),
  ReasonInput: (body) => validateEnding(ask, asEnding("decline", body)),
  ReplyInput: (body) => validateEnding(ask, asEnding("reply", body)),
  DraftInput: (body) =>
    isRecord(body) && isRecord(body.draft) ? parseDraft(body.draft) : { ok: false, issues: [] },
  TokenInput: taken(TOKEN_INPUT),
  LinkInput: taken(LINK_INPUT),
  ResumeInput: taken(RESUME_INPUT),
  TicketInput: taken(TICKET_INPUT),
  ReassignInput: taken(REASSIGN_INPUT),
  FocusInput: taken(FOCUS_INPUT),
  SessionEventInput(body) {
    try {
      const event = requireSessionEvent(body);
      if (event.type !== "ask" && event.type !== "approve") return { ok: true };
      const { questions, actions, key, context, timeoutMs } = event;
      const request = event.type === "ask" ? { questions } : { approval: { actions } };
      return parseAsk({ ...request, key, context, timeoutMs }, { profile: profiles.chat });
    } catch {
      return { ok: false, issues: [] };
    }
  },
};

const RUNS = repeats({ short: 800, long: 40_000 });

describe("what a parser takes is as the schema says", () => {
  it.each(Object.entries(PARSERS) as [SchemaName, (body: unknown) => Parsed][])(
    "%s, broken at random",
    (name, parse) => {
      const bodies = BODIES[name] ?? [];
      for (const body of bodies) {
        expect(parse(body).ok, JSON.stringify(body)).toBe(true);
        expect(openChecks.schema(name, body), JSON.stringify(body)).toBeUndefined();
      }
      let taken = 0;
      let refused = 0;
      for (let seed = 0; seed < RUNS; seed += 1) {
        const text = JSON.stringify(mutateJson(bodies, seed));
        if (text === undefined) continue;
        const body: unknown = JSON.parse(text);
        const wrong = openChecks.schema(name, body);
        if (wrong !== undefined) refused += 1;
        if (!parse(body).ok) continue;
        taken += 1;
        expect(wrong, `seed ${seed}: ${text.slice(0, 500)}`).toBeUndefined();
      }
      // Neither side may be empty, or the test would say nothing.
      expect(taken).toBeGreaterThan(RUNS / 100);
      expect(refused).toBeGreaterThan(RUNS / 100);
    },
  );

  it("any ask, as nasty as it may be", () => {
    fc.assert(
      fc.property(arbitraryAskInput(), (input) => {
        expect(parseAsk(input).ok).toBe(true);
        expect(openChecks.schema("AskInput", JSON.parse(JSON.stringify(input)))).toBeUndefined();
      }),
    );
  });

  it("any answer to any ask", () => {
    fc.assert(
      fc.property(arbitraryAnswered(), ({ ask, outcome }) => {
        expect(openChecks.schema("AnswersInput", { answers: outcome.answers })).toBeUndefined();
        expect(openChecks.schema("Outcome", deliverOutcome(ask, outcome))).toBeUndefined();
      }),
    );
  });
});

// What a schema has no words for: two places that must agree, sums, and what stands in a text of JSON.
const BEYOND_SCHEMAS = new Set<Issue["code"]>([
  "conflict",
  "duplicate_id",
  "duplicate_label",
  "too_large",
  // Only of ids that are blank or hold half a character.
  "invalid_value",
]);

describe("what a parser refuses breaks the schema", () => {
  it("but for what a schema cannot say", () => {
    const bodies =
      BODIES.AskInput?.filter((body) => isRecord(body) && typeof body.questions !== "string") ?? [];
    let compared = 0;
    // Few of them are refused by the parser alone.
    for (let seed = 0; seed < 5 * RUNS; seed += 1) {
      const text = JSON.stringify(mutateJson(bodies, seed));
      if (text === undefined) continue;
      const body: unknown = JSON.parse(text);
      const parsed = isRecord(body) ? parseAsk(body) : undefined;
      if (parsed?.ok !== false || openChecks.schema("AskInput", body) !== undefined) continue;
      // What is in a list that came as text, and how deep a free object goes, the schema does not see.
      const others = parsed.issues.filter(
        ({ code, path }) =>
          !BEYOND_SCHEMAS.has(code) &&
          !withinText(body, path) &&
          !["metadata", "args"].includes(String(path.at(-1))),
      );
      compared += 1;
      expect(others, `seed ${seed}: ${text.slice(0, 500)}`).toEqual([]);
    }
    expect(compared).toBeGreaterThan(10);
  });
});

function withinText(body: unknown, path: Issue["path"]): boolean {
  let value = body;
  for (const part of path) {
    if (typeof value === "string") return true;
    value = (value as Record<string | number, unknown> | undefined)?.[part];
  }
  return (
    typeof value === "string" &&
    ["questions", "options", "actions", "allow", "recipients", "agentPath"].includes(String(path.at(-1)))
  );
}
