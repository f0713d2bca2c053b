// What breaks the document is refused by a real server: with a 4xx, never with a fault, and never taken.

import { afterEach, describe, expect, it } from "vitest";
import type { SchemaName } from "../../../src/server/openapi/schemas.js";
import { openChecks } from "../../support/api-schemas.ts";
import { mutateJson } from "../../support/mutate-json.ts";
import { repeats } from "../../support/repeats.ts";
import { call, closeServers, type OpenServer, openServer, posted } from "../open-server.ts";
import { BODIES } from "./bodies.ts";

const RUNS = repeats({ short: 70, long: 4_000 });
const approval = {
  questions: undefined,
  approval: { actions: ["read", "copy", "drop"].map((name) => ({ name })) },
};
const which = { questions: [{ question: "Which?", options: ["OAuth", "API key"] }] };

type Place = (open: OpenServer, token: string) => Promise<string>;
const ended =
  (ending: string, more: object = which): Place =>
  async (open, token) =>
    `POST /v1/asks/${(await posted(open, token, more)).id}/${ending}`;

/** Who sends each, and where to; asked again whenever one was taken. */
const PLACES: readonly (readonly [SchemaName, "agent" | "person" | "admin", Place])[] = [
  ["AskInput", "agent", async () => "POST /v1/asks"],
  ["AnswersInput", "person", ended("answer")],
  ["DecisionsInput", "person", ended("decide", approval)],
  ["ReasonInput", "person", ended("decline")],
  ["ReasonInput", "agent", ended("withdraw")],
  ["ReplyInput", "person", ended("reply")],
  ["DraftInput", "person", async (open, token) => `PUT /v1/asks/${(await posted(open, token)).id}/draft`],
  ["LinkInput", "admin", ended("links")],
  ["SessionEventInput", "agent", async () => "POST /v1/sessions/s1/events"],
  [
    "SessionMessageInput",
    "person",
    async (open, token) => {
      await call(open, token, "POST /v1/sessions/s1/events", BODIES.SessionEventInput?.[0]);
      return "POST /v1/sessions/s1/messages";
    },
  ],
];

afterEach(closeServers);

describe("a body that breaks the document", () => {
  it.each(PLACES)("%s of the role %s", async (name, role, place) => {
    const open = await openServer();
    const agent = await open.token({ name: role === "agent" ? "agent" : "asker" });
    const sender = role === "agent" ? agent : await open.token({ role });
    const bodies = BODIES[name] ?? [];
    let line = await place(open, agent);
    let broken = 0;
    for (let seed = 0; seed < RUNS; seed += 1) {
      const text = JSON.stringify(mutateJson(bodies, seed));
      if (text === undefined || text.length > 1_000_000) continue;
      const { status } = await call(open, sender, line, text);
      const wrong = openChecks.schema(name, JSON.parse(text));
      const said = `seed ${seed}: ${status} for ${text.slice(0, 300)}`;
      expect(status, said).toBeLessThan(500);
      if (wrong !== undefined) {
        broken += 1;
        expect(status, `${said}: ${wrong}`).toBeGreaterThanOrEqual(400);
      }
      if (status < 300) line = await place(open, agent);
    }
    expect(broken).toBeGreaterThan(10);
    expect(open.logged, "faults in the log").toEqual([]);
  });

  it("an ask that is JSON in a text is refused, and so its session cannot be hidden from the token", async () => {
    const open = await openServer();
    const token = await open.token({ sessions: ["own"] });
    const hidden = JSON.stringify({ ...which, session: "other" });
    const reply = await call(open, token, "POST /v1/asks", JSON.stringify(hidden));
    expect(reply.status).toBe(422);
    expect(reply.body.error?.code).toBe("invalid_ask");
    expect((await open.hub.list()).asks).toEqual([]);
  });
});
