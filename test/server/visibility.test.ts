import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, expect, it } from "vitest";
import { connect } from "../../src/client/index.js";
import { askerOf, mayAnswer, maySee, type Viewer } from "../../src/core/model/visibility.js";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.js";
import { type Ask, AsklineError } from "../../src/index.js";
import { exported } from "../cli/archives.ts";
import { readEvents } from "./event-reader.ts";
import { openRaw } from "./gateway/raw-socket.ts";
import { call, closeServers, type OpenServer, openServer, posted } from "./open-server.ts";

const folder = mkdtempSync(join(tmpdir(), "askline-visibility-"));
let files = 0;
afterEach(closeServers);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Each as a name and an owner: the same name of another owner is another agent. */
const AGENTS = ["builder", "builder of ana", "builder of ben", "tester"] as const;
/** One name begins with another: names are compared whole. */
const PERSONS = ["ana", "anabel", "ben"] as const;
const SESSIONS = ["s1", "s2"] as const;

interface Addressing {
  readonly agent: string;
  readonly recipients: readonly string[];
}

interface Scene {
  /** The opening of each session in turn. */
  readonly openings: readonly Addressing[];
  readonly asks: readonly (Addressing & { readonly session: string })[];
  readonly viewers: readonly Viewer[];
}

const agent = fc.constantFrom(...AGENTS);
const recipients = fc.subarray([...PERSONS]);
const sessions = fc.subarray([...SESSIONS], { minLength: 1 });
const viewer: fc.Arbitrary<Viewer> = fc.oneof(
  fc.constant({ role: "admin" as const, name: "admin" }),
  fc
    .record({ agent, sessions }, { requiredKeys: ["agent"] })
    .map(({ agent, ...limits }) => ({ ...namesOf(agent), ...limits })),
  fc.record(
    { role: fc.constant("person" as const), name: fc.constantFrom(...PERSONS), sessions },
    { requiredKeys: ["role", "name"] },
  ),
);
const scene: fc.Arbitrary<Scene> = fc.record({
  openings: fc.tuple(fc.record({ agent, recipients }), fc.record({ agent, recipients })),
  asks: fc.array(fc.record({ agent, recipients, session: fc.constantFrom("", ...SESSIONS) }), {
    minLength: 1,
    maxLength: 5,
  }),
  viewers: fc.array(viewer, { minLength: 1, maxLength: 3 }),
});

it("every way to an ask or a session shows exactly what the rule says", async () => {
  await fc.assert(
    fc.asyncProperty(scene, async (given) => {
      files += 1;
      // SQLite: its SQL states the rule a second time. The memory store calls the function itself.
      const server = await openServer({ store: sqliteStore({ path: join(folder, `${files}.db`) }) });
      const stage = await build(server, given);
      for (const viewer of given.viewers) await checkViewer(stage, viewer);
      for (const person of PERSONS) await checkPerson(stage, person);
      await closeServers();
    }),
    // On a busy machine fewer scenes are tried.
    { numRuns: 12, interruptAfterTimeLimit: 15_000 },
  );
});

function namesOf(agent: string): Viewer {
  const [name = "", owner] = agent.split(" of ");
  return { role: "agent", name, ...(owner !== undefined && { owner }) };
}

interface Stage {
  readonly server: OpenServer;
  readonly asks: Ask[];
  readonly heads: readonly {
    readonly session: string;
    readonly asker: string;
    readonly owner?: string;
    readonly recipients: readonly string[];
  }[];
  readonly admin: string;
}

async function build(server: OpenServer, { openings, asks }: Scene): Promise<Stage> {
  const tokens = new Map<string, string>();
  for (const name of AGENTS) tokens.set(name, await server.token(namesOf(name)));
  const heads = [];
  for (const [index, { agent: asker, recipients }] of openings.entries()) {
    const session = SESSIONS[index] ?? "";
    const opened = { type: "open", recipients };
    const reply = await call(server, tokens.get(asker), `POST /v1/sessions/${session}/events`, opened);
    expect(reply.status).toBe(204);
    heads.push({ session, ...askerOf(namesOf(asker)), recipients });
  }
  const all: Ask[] = [];
  for (const { agent: asker, ...fields } of asks) {
    all.push(await posted(server, tokens.get(asker) ?? "", fields));
  }
  return { server, heads, asks: all, admin: await server.token({ role: "admin", name: "admin" }) };
}

async function checkViewer({ server, asks, heads }: Stage, viewer: Viewer): Promise<void> {
  const token = await server.token(viewer);
  const expected = asks.filter((ask) => maySee(viewer, ask)).map(({ id }) => id);
  const stream = await readEvents(server, token, "?after=0");
  const device =
    viewer.role === "agent" ? undefined : await openRaw(server, { token, query: "?role=device" });

  expect((await call(server, token, "GET /v1/asks")).body.asks?.map(({ id }) => id)).toEqual(expected);
  for (const { id } of asks) {
    const { status } = await call(server, token, `GET /v1/asks/${id}`);
    expect(status).toBe(expected.includes(id) ? 200 : 404);
  }
  for (const head of heads) {
    const { status } = await call(server, token, `GET /v1/sessions/${head.session}/history`);
    expect(status).toBe(maySee(viewer, head) ? 200 : 404);
  }
  // An ask that this viewer surely sees comes last: nothing else is on its way then.
  const { name, sessions: [session = ""] = [] } = viewer;
  const last = await server.hub.post(
    { questions: [{ question: "Last?" }], session, recipients: viewer.role === "person" ? [name] : [] },
    viewer.role === "agent" ? askerOf(viewer) : {},
  );
  const shown: string[] = [];
  while (device !== undefined && shown.at(-1) !== last.id) {
    shown.push((await device.next()).payload.payload.questionId);
  }
  if (device !== undefined) expect(shown).toEqual([...expected, last.id]);
  const events = await stream.count(expected.length + 1);
  expect(events.map(({ askId }) => askId)).toEqual([...expected, last.id]);
  stream.hangUp();
  await device?.close();
  asks.push(last);
}

async function checkPerson({ server, asks, heads, admin }: Stage, person: string): Promise<void> {
  const by = { kind: "person", id: person, surface: "test" } as const;
  const expected = asks.filter((ask) => mayAnswer(person, ask)).map(({ id }) => id);

  const lines = (await exported(server.store, { filter: { person } })).map((line) => JSON.parse(line));
  expect(lines.flatMap((line) => (line.kind === "ask" ? line.ask.id : []))).toEqual(expected);
  const mayRead = heads.filter((head) => mayAnswer(person, head)).map(({ session }) => session);
  expect(lines.flatMap((line) => (line.kind === "transcript" ? line.session : []))).toEqual(mayRead);

  const client = connect({ url: server.url, token: admin });
  expect((await client.list({ person })).asks.map(({ id }) => id)).toEqual(expected);
  await client.close();

  for (const [index, { id }] of asks.entries()) {
    const made = await call(server, admin, `POST /v1/asks/${id}/links`, { person });
    expect(made.status).toBe(expected.includes(id) ? 201 : 400);
    const drafted = server.hub.draft(id, { by }).then(
      () => "allowed",
      (error: unknown) => (error instanceof AsklineError ? error.code : error),
    );
    expect(await drafted).toBe(expected.includes(id) ? "allowed" : "forbidden");
    const link = made.body.url?.split("/").at(-1);
    if (link === undefined) continue;
    const holder: Viewer = { role: "person", name: person, askId: id };
    for (const other of asks.slice(index, index + 2)) {
      const { status } = await call(server, link, `GET /v1/asks/${other.id}`);
      expect(status).toBe(maySee(holder, other) ? 200 : 404);
    }
  }
}
