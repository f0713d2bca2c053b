import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ACTION } from "../../src/core/model/approval.js";
import { ASK, ASK_REQUEST } from "../../src/core/model/ask.js";
import { ASK_EVENT_TYPES } from "../../src/core/model/event.js";
import { OUTCOME_KINDS } from "../../src/core/model/kinds.js";
import { OPTION } from "../../src/core/model/option.js";
import { OUTCOME } from "../../src/core/model/outcome.js";
import { QUESTION } from "../../src/core/model/question.js";
import { entriesOf, isAlways, type Table } from "../../src/core/read/field.js";
import { requireAsk } from "../../src/index.js";

interface Sample {
  readonly name: string;
  readonly note?: string;
}

// What must not compile; `npm run types` fails where one of these does.
const name = { kind: "text", max: 9, blank: ["blank_name", "needs a name"] } as const;
const tables: readonly Table<Sample>[] = [
  { name, note: { kind: "text", max: 9 } },
  // @ts-expect-error: a field is missing
  { name },
  // @ts-expect-error: a kind that is not the field's
  { name, note: { kind: "flag" } },
  // @ts-expect-error: what every object has must be demanded, known or have a default
  { name: { kind: "text", max: 9 }, note: { kind: "text", max: 9 } },
  // @ts-expect-error: what is optional has no default
  { name, note: { kind: "id", max: 9, default: "" } },
];

describe("the tables of the model", () => {
  it("say which fields a stored ask always has", () => {
    const { timeoutMs: _, ...request } = requireAsk({ questions: [{ question: "Why?" }] });
    const always = entriesOf(ASK.fields).filter(([, field]) => isAlways(field) && !field.stored);
    expect(always.map(([field]) => field)).toEqual(Object.keys(request));
  });

  it("have an entry for every field, of its kind", () => {
    expect(tables[0] && entriesOf(tables[0]).map(([field]) => field)).toEqual(["name", "note"]);
  });

  it("have one for each kind of ending, each with an event", () => {
    expect(Object.keys(OUTCOME.variants)).toEqual(OUTCOME_KINDS);
    expect(ASK_EVENT_TYPES).toEqual(expect.arrayContaining(OUTCOME_KINDS.map((kind) => `ask.${kind}`)));
  });
});

it.each([
  ["ask", "AskRequest", ASK_REQUEST.fields],
  ["question", "Question", QUESTION.fields],
  ["option", "Option", OPTION.fields],
  ["approval", "Action", ACTION.fields],
])("%s.ts describes every field of %s in a comment as its table does", (file, name, fields) => {
  const source = readFileSync(new URL(`../../src/core/model/${file}.ts`, import.meta.url), "utf8");
  const [body = ""] = source.split(`export interface ${name} {`)[1]?.split("\n}") ?? [];
  const comments = [...body.matchAll(/\/\*\*(.*?)\*\/\s+readonly (\w+)/gs)].map(([, comment = "", field]) => [
    field,
    comment.replaceAll(/\s+\*?\s*/g, " ").trim(),
  ]);
  expect(Object.fromEntries(comments)).toMatchObject(
    Object.fromEntries(entriesOf(fields).map(([field, { about }]) => [field, about])),
  );
});
