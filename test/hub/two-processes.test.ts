import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { createHub, type Store } from "../../src/hub/index.js";
import { postgresStore } from "../../src/hub/stores/postgres/index.js";
import { sqliteStore } from "../../src/hub/stores/sqlite/index.js";
import { freshSchema, sharedPostgres } from "../support/shared-postgres.js";
import { ana, no, yes } from "./open-hub.js";

const AGENT = fileURLToPath(new URL("./waiting-process.mjs", import.meta.url));
const children: ChildProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** The lines that an agent process prints, one after the other. */
function startAgent(...args: readonly string[]): { line(): Promise<string> } {
  const child = spawn(process.execPath, [AGENT, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { line: async () => String((await lines.next()).value) };
}

interface Shared {
  readonly args: readonly string[];
  store(): Store;
}

const places: readonly [string, () => Promise<Shared>][] = [
  [
    "SQLite file",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "askline-two-"));
      folders.push(folder);
      const path = join(folder, "askline.db");
      return { args: [`sqlite:${path}`], store: () => sqliteStore({ path }) };
    },
  ],
  [
    "PostgreSQL",
    async () => {
      const [url, schema] = [await sharedPostgres(), freshSchema()];
      return { args: [`postgres:${url}`, schema], store: () => postgresStore({ url, schema }) };
    },
  ],
];

describe.each(places)("two processes on one %s", (_name, place) => {
  it("an answer in one wakes the agent that waits in the other", async () => {
    const shared = await place();
    const agent = startAgent(...shared.args);
    const id = await agent.line();
    const hub = await createHub({ store: shared.store() });
    try {
      await hub.answer(id, yes, ana);
      expect(JSON.parse(await agent.line())).toEqual({
        kind: "answered",
        answers: yes.answers,
        choices: [{ question: "q1", labels: ["Yes"] }],
        by: ana.by,
      });
    } finally {
      await hub.close();
    }
  });

  it("a draft saved in one is hinted to that person's surfaces at the other", async () => {
    const shared = await place();
    const hubs = await Promise.all([
      createHub({ store: shared.store() }),
      createHub({ store: shared.store() }),
    ]);
    try {
      const [here, elsewhere] = hubs;
      const { id } = await here.post({ questions: [{ question: "Why?" }], session: "s1" });
      const hints: unknown[] = [];
      const others: unknown[] = [];
      const hinted = new Promise<void>((resolve) => {
        elsewhere.onDraft("ana", (hint) => void (hints.push(hint) === 2 && resolve()));
      });
      elsewhere.onDraft("bo", (hint) => void others.push(hint));
      here.onDraft("ana", (hint) => void others.push(hint));
      await elsewhere.saveDraft(id, { note: "mine" }, ana);
      await here.saveDraft(id, { note: "more" }, ana);
      await hinted;
      const hint = { askId: id, session: "s1", person: "ana", surface: "test" };
      expect(hints).toEqual([hint, hint]);
      expect(others.length).toBeLessThanOrEqual(2);
    } finally {
      await Promise.all(hubs.map((hub) => hub.close()));
    }
  });

  it("answers in both at the same moment: one counts, and both processes say which", async () => {
    const shared = await place();
    const id = await startAgent(...shared.args).line();
    const hubs = await Promise.all([
      createHub({ store: shared.store() }),
      createHub({ store: shared.store() }),
    ]);
    try {
      const results = await Promise.allSettled(
        hubs.map((hub, index) =>
          hub.answer(id, index === 0 ? yes : no, { by: { kind: "person", id: `p${index}`, surface: "s" } }),
        ),
      );
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const [one, other] = await Promise.all(hubs.map((hub) => hub.wait(id)));
      expect(one).toEqual(other);
      const loser = results.find((result) => result.status === "rejected");
      expect(loser?.reason).toMatchObject({ code: "already_settled", outcome: one });
    } finally {
      await Promise.all(hubs.map((hub) => hub.close()));
    }
  });
});
