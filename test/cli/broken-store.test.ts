import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, describe, expect, it, onTestFinished } from "vitest";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { connect } from "../../src/client/index.ts";
import { openDatabase } from "../../src/hub/stores/sqlite/file/driver.js";
import type { AskInput } from "../../src/index.ts";
import { endProcesses } from "./processes.ts";
import { newFolder, removeFolders, type ServeProcess, serve } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const PRELOAD = pathToFileURL(join(import.meta.dirname, "failing-writer.mjs")).href;

function serveFailing(by: "message" | "memory", args: readonly string[] = []): Promise<ServeProcess> {
  return serve(newFolder(), {
    args,
    env: { FAILING_WRITER: by, NODE_OPTIONS: `--import ${PRELOAD}` },
  });
}

/** Restarts the same server, without the fault. */
function again({ data, url }: ServeProcess): Promise<ServeProcess> {
  return serve(data, { port: new URL(url).port });
}

interface Sent {
  readonly status: number | undefined;
  readonly id?: string;
  readonly code?: string;
}

/** The result of one request, sent once; no status if the server was gone. */
async function send(
  { url, data }: ServeProcess,
  path: string,
  role: "agent" | "person",
  body: object,
): Promise<Sent> {
  const headers = {
    authorization: `Bearer ${readCredentials(data, url)?.[role]}`,
    "content-type": "application/json",
  };
  try {
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const { ask, error } = (await response.json()) as { ask?: { id: string }; error?: { code: string } };
    return { status: response.status, ...(ask && { id: ask.id }), ...(error && { code: error.code }) };
  } catch {
    return { status: undefined };
  }
}

const question = (number: number): AskInput & { readonly key: string } => ({
  key: `k${number}`,
  questions: [{ question: `Number ${number}?` }],
});

describe("askline serve: a writer thread that ended", () => {
  it("ends the server with 1 and the reason, and waiting clients continue at the next one", async () => {
    const server = await serveFailing("message", ["--log-format", "text", "--log-level", "warn"]);
    const { id, running } = await server.ask(["--question", "Ship it?", "--option", "Yes", "--option", "No"]);
    server.running.child.kill("SIGUSR2");
    const { code, stderr } = await server.running.ended;
    expect(stderr).toMatch(
      /^askline: the store can no longer be written, so this server stops; start it again .*the writer thread of the store \S+ has ended \(.*not iterable\).*\naskline: stopping: 1 request;.*\n/,
    );
    expect(code).toBe(1);
    const restarted = await again(server);
    expect((await restarted.run(["answer", id, "--pick", "Yes"])).code).toBe(0);
    expect(await running.ended).toMatchObject({ code: 0, stdout: "Ship it?\nYes\n" });
  });

  it("loses nothing that was acknowledged, and what is sent again is not done twice", async () => {
    const server = await serveFailing("message");
    const numbers = Array.from({ length: 200 }, (_, number) => number);
    const open = await Promise.all(
      numbers.slice(0, 100).map((number) => send(server, "/v1/asks", "agent", question(number))),
    );
    const answer = (at: ServeProcess, { id }: Sent): Promise<Sent> =>
      send(at, `/v1/asks/${id}/answer`, "person", {
        answers: [{ question: "q1", text: `of ${id}` }],
      });
    // All at once, and the thread ends when the first of them is done.
    let first = true;
    const watched = async (sent: Promise<Sent>): Promise<Sent> => {
      const result = await sent;
      if (result.status !== undefined && result.status < 300 && first) {
        first = false;
        server.running.child.kill("SIGUSR2");
      }
      return result;
    };
    const [asked, answered] = await Promise.all([
      Promise.all(
        numbers.slice(100).map((number) => watched(send(server, "/v1/asks", "agent", question(number)))),
      ),
      Promise.all(open.map((one) => watched(answer(server, one)))),
    ]);
    expect((await server.running.ended).code).toBe(1);
    const refused = [...asked, ...answered].filter(({ status }) => status === undefined || status >= 300);
    for (const { status, code } of refused) {
      if (status !== undefined)
        expect([status, code]).toEqual([503, expect.stringMatching(/^(closed|store_unavailable)$/)]);
    }

    const restarted = await again(server);
    const repeated = await Promise.all(
      numbers.map((number) => send(restarted, "/v1/asks", "agent", question(number))),
    );
    const acknowledged = [...open, ...asked];
    numbers.forEach((number) => {
      const before = acknowledged[number]?.id;
      if (before !== undefined) expect(repeated[number]).toEqual({ status: 200, id: before });
    });
    const answeredAgain = await Promise.all(open.map((one) => answer(restarted, one)));
    expect(new Set(answeredAgain.map(({ status }) => status))).toEqual(new Set([200]));

    const client = connect({
      url: restarted.url,
      token: readCredentials(restarted.data, restarted.url)?.agent ?? "",
    });
    const { asks } = await client.list({}, { limit: 500 });
    expect(asks).toHaveLength(200);
    const endings: string[] = [];
    for await (const { type, askId, position } of client.events({ after: 0 })) {
      if (type !== "ask.created") endings.push(askId);
      if (position === 300) break;
    }
    await client.close();
    // 200 were asked and 100 answered: 300 events, and no ask ends twice among them.
    expect(new Set(endings).size).toBe(100);
    expect(endings).toHaveLength(100);
  });

  it("for lack of memory ends the whole server", async () => {
    const server = await serveFailing("memory");
    const acknowledged = await send(server, "/v1/asks", "agent", question(0));
    expect(acknowledged.status).toBe(201);
    const holder = openDatabase(join(server.data, "askline.db"));
    holder.exec("BEGIN IMMEDIATE");
    onTestFinished(() => holder.close());
    const sending = Array.from({ length: 5 }, (_, number) =>
      send(server, "/v1/asks", "agent", question(number + 1)),
    );
    server.running.child.kill("SIGUSR2");
    const sent = await Promise.all(sending);
    const { code, stderr } = await server.running.ended;
    expect(stderr).toMatch(
      /"level":"error".*has ended \(Worker terminated due to reaching memory limit.*"msg":"the store can no longer be written, so this server stops; start it again"/,
    );
    expect(code).toBe(1);
    for (const { code: told } of sent) expect(told ?? "closed").toMatch(/^(closed|store_unavailable)$/);
    holder.exec("ROLLBACK");
    const restarted = await again(server);
    expect(await send(restarted, "/v1/asks", "agent", question(0))).toEqual({
      status: 200,
      id: acknowledged.id,
    });
    expect(await send(restarted, "/v1/asks", "agent", question(1))).toMatchObject({ status: 201 });
  });
});
