// A client that openapi-typescript makes from our document: a program in strict TypeScript that compiles against it,
// and then runs against a server.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import openapiTS, { astToString } from "openapi-typescript";
import { afterEach, describe, expect, it } from "vitest";
import { runTypescript, USER_PROGRAM } from "../package/typescript.ts";
import { closeServers, openServer } from "../server/open-server.ts";

const PROGRAM = `
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

/** Asks, drafts, answers, edits, and returns what the agent then reads. */
export async function drive(base: string, agentToken: string, personToken: string) {
  const client = (token: string) =>
    createClient<paths>({ baseUrl: base, headers: { authorization: \`Bearer \${token}\` } });
  const agent = client(agentToken);
  const person = client(personToken);

  const asked = await agent.POST("/v1/asks", {
    body: { questions: [{ question: "Ship it?", options: ["Yes", "No"] }], metadata: { build: 7, tags: ["a"] } },
  });
  if (asked.data === undefined) throw new Error(asked.error.error.message);
  const build: unknown = asked.data.ask.metadata?.build;
  const path = { id: asked.data.ask.id };
  await person.PUT("/v1/asks/{id}/draft", { params: { path }, body: { draft: { text: "half", picks: [1] } } });
  const { data: saved } = await person.GET("/v1/asks/{id}/draft", { params: { path } });
  const text: unknown = saved?.draft?.text;
  await person.POST("/v1/asks/{id}/answer", {
    params: { path },
    body: { answers: [{ question: "q1", selected: ["Yes"], note: "after lunch" }] },
  });
  const { data: answered } = await agent.GET("/v1/asks/{id}", { params: { path, query: { wait: 1 } } });

  const gate = await agent.POST("/v1/asks", {
    body: { approval: { actions: [{ name: "deploy", args: { to: "prod", retries: 3 } }] } },
  });
  if (gate.data === undefined) throw new Error(gate.error.error.message);
  const args: unknown = gate.data.ask.approval?.actions[0]?.args.to;
  const decided = await person.POST("/v1/asks/{id}/decide", {
    params: { path: { id: gate.data.ask.id } },
    body: { decisions: [{ action: "a1", kind: "edit", args: { to: "staging", retries: 1 } }] },
  });
  const refused = await person.POST("/v1/asks/{id}/decline", { params: { path }, body: {} });
  return {
    ...{ build, text, args },
    outcome: answered?.ask.outcome,
    edited: decided.data?.ask.outcome,
    code: refused.error?.error.code,
  };
}

// @ts-expect-error The types are real: an id is a text.
export const wrong = () => createClient<paths>().GET("/v1/asks/{id}", { params: { path: { id: 1 } } });
`;

afterEach(closeServers);

describe("a client generated from /openapi.json", () => {
  const folder = join(import.meta.dirname, `node_modules/.cache/generated-${process.pid}`);
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("sends metadata, drafts and edited arguments, and reads them back", async () => {
    const open = await openServer();
    const document = await (await fetch(`${open.url}/openapi.json`)).json();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "api.d.ts"), astToString(await openapiTS(JSON.stringify(document))));
    writeFileSync(join(folder, "program.ts"), PROGRAM);
    expect(
      runTypescript(folder, { compilerOptions: USER_PROGRAM, files: [join(folder, "program.ts")] }),
    ).toBe("");

    const { code } = await transform(PROGRAM, { loader: "ts", format: "esm" });
    writeFileSync(join(folder, "program.js"), code);
    const { drive } = await import(join(folder, "program.js"));
    const person = await open.token({ role: "person", name: "ana" });
    // As a generated client joins them: the address of the server, what the document adds to it, the path.
    const base = `${open.url}${document.servers[0].url}`;
    const by = { kind: "person", id: "ana", surface: "api" };
    expect(await drive(base, await open.token(), person)).toMatchObject({
      build: 7,
      text: "half",
      args: "prod",
      outcome: { kind: "answered", answers: [{ selected: ["o1"], note: "after lunch" }], by },
      edited: {
        kind: "decided",
        decisions: [{ kind: "edit", args: { to: "staging", retries: 1 } }],
        by,
      },
      code: "already_settled",
    });
  });
});
