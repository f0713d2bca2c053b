import { afterEach, describe, expect, it } from "vitest";
import { EXAMPLES } from "../../../src/server/openapi/examples.js";
import type { SchemaName } from "../../../src/server/openapi/schemas.js";
import { closedChecks, openChecks } from "../../support/api-schemas.ts";
import { call, closeServers, type OpenServer, openServer, posted } from "../open-server.ts";

const examples = Object.entries(EXAMPLES) as [SchemaName, unknown][];

afterEach(closeServers);

describe("the examples of the API's document", () => {
  it.each(examples)("%s is as its schema says", (name, example) => {
    expect(openChecks.schema(name, example)).toBeUndefined();
    if (!name.endsWith("Input")) expect(closedChecks.schema(name, example)).toBeUndefined();
  });

  const approval = {
    questions: undefined,
    approval: { actions: ["read", "copy", "drop"].map((name) => ({ name })) },
  };

  /** Where each is sent; what it needs to be there first is made before. */
  const sent: Partial<
    Record<SchemaName, (open: OpenServer) => Promise<readonly [role: string, line: string]>>
  > = {
    AskInput: async () => ["agent", "POST /v1/asks"],
    AnswersInput: async (open) => {
      const { body } = await call(open, await open.token(), "POST /v1/asks", EXAMPLES.AskInput);
      return ["person", `POST /v1/asks/${body.ask?.id}/answer`];
    },
    DecisionsInput: async (open) => [
      "person",
      `POST /v1/asks/${(await posted(open, await open.token(), approval)).id}/decide`,
    ],
    ReasonInput: async (open) => [
      "person",
      `POST /v1/asks/${(await posted(open, await open.token())).id}/decline`,
    ],
    ReplyInput: async (open) => [
      "person",
      `POST /v1/asks/${(await posted(open, await open.token())).id}/reply`,
    ],
    ReportInput: async (open) => [
      "agent",
      `POST /v1/asks/${(await posted(open, await open.token())).id}/report`,
    ],
    ResumeInput: async (open) => [
      "agent",
      `POST /v1/asks/${(await posted(open, await open.token())).id}/resume`,
    ],
    DraftInput: async (open) => [
      "person",
      `PUT /v1/asks/${(await posted(open, await open.token())).id}/draft`,
    ],
    LinkInput: async (open) => [
      "admin",
      `POST /v1/asks/${(await posted(open, await open.token())).id}/links`,
    ],
    TokenInput: async () => ["admin", "POST /v1/tokens"],
    TicketInput: async () => ["person", "POST /v1/tickets"],
    SessionEventInput: async () => ["agent", "POST /v1/sessions/s1/events"],
    SessionMessageInput: async (open) => {
      await call(open, await open.token(), "POST /v1/sessions/s1/events", EXAMPLES.SessionEventInput);
      return ["person", "POST /v1/sessions/s1/messages"];
    },
  };

  it.each(examples.filter(([name]) => name.endsWith("Input")))(
    "%s is taken by a server",
    async (name, example) => {
      const open = await openServer();
      const place = await sent[name]?.(open);
      if (place === undefined) throw new Error(`say where ${name} is sent`);
      const [role, line] = place;
      const reply = await call(open, await open.token({ role: role as "agent" }), line, example);
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    },
  );
});
