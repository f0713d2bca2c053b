import { afterAll, afterEach, describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { readCredentials } from "../../src/cli/connect/credentials.js";
import { type Client, connect } from "../../src/client/index.ts";
import { openConnection } from "../server/http/raw-connection.js";
import { until } from "../server/open-server.ts";
import { endProcesses } from "./processes.ts";
import { newFolder, post, removeFolders, type ServeProcess, serve } from "./servers.ts";

afterEach(endProcesses);
afterAll(removeFolders);

const SHIP = ["--question", "Ship it?", "--option", "Yes", "--option", "No"];
const quiet = { warn: () => undefined, error: () => undefined };

function tokenOf({ data, url }: ServeProcess, role: "agent" | "person"): string {
  return readCredentials(data, url)?.[role] ?? "none";
}

function clientOf(server: ServeProcess, role: "agent" | "person"): Client {
  const client = connect({ url: server.url, token: tokenOf(server, role), logger: quiet });
  onTestFinished(() => client.close());
  return client;
}

function portOf({ url }: ServeProcess): number {
  return Number(new URL(url).port);
}

/** As at a terminal. */
const IN_WORDS = ["--log-format", "text", "--log-level", "warn"];

/** Restarts the same server after it has ended. */
function again(server: ServeProcess): Promise<ServeProcess> {
  return serve(server.data, { port: String(portOf(server)) });
}

/** A request whose body never ends. */
async function hang(server: ServeProcess): Promise<void> {
  const { socket } = openConnection(portOf(server));
  const head = `POST /v1/asks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokenOf(server, "agent")}\r\n`;
  socket.write(
    `${head}Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n`,
  );
  // The server says so when it has seen the request.
  await new Promise((resolve) => void socket.once("data", resolve));
}

describe("askline serve: a signal", () => {
  it("keeps an ask with a waiting client, which continues when the server is back", async () => {
    const server = await serve(newFolder(), { args: IN_WORDS });
    const { id, running } = await server.ask(SHIP);
    server.running.child.kill("SIGTERM");
    const { code, stderr } = await server.running.ended;
    expect(stderr).toMatch(/^askline: stopping: 1 request; .* Press Ctrl-C again to stop immediately\.\n$/);
    expect(code).toBe(0);
    const restarted = await again(server);
    expect((await restarted.run(["answer", id, "--pick", "Yes"])).code).toBe(0);
    expect(await running.ended).toMatchObject({ code: 0, stdout: "Ship it?\nYes\n" });
  });

  it("is reported only as JSON in a JSON log", async () => {
    const server = await serve();
    await server.ask(SHIP);
    server.running.child.kill("SIGTERM");
    const { stderr } = await server.running.ended;
    const lines = stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(expect.objectContaining({ msg: "stopping", requests: 1, streams: 0 }));
  });

  it("ends streams with their position, where they continue without a gap", async () => {
    const server = await serve(newFolder(), { args: IN_WORDS });
    const positions: number[] = [];
    const reading = (async () => {
      for await (const { position } of clientOf(server, "person").events({ after: 0 })) {
        positions.push(position);
        if (positions.length === 6) return;
      }
    })();
    const raw = openConnection(portOf(server));
    raw.socket.write(
      `GET /v1/events?after=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokenOf(server, "agent")}\r\n\r\n`,
    );
    for (const number of [1, 2, 3]) await post(server, { questions: [{ question: `Number ${number}?` }] });
    await until(() => positions.length === 3);
    await raw.has("id: 3\n");
    server.running.child.kill("SIGINT");
    expect(await raw.closed).toMatch(/: resume after 3\nid: 3\n\n\r\n0\r\n\r\n$/);
    const { code, stderr } = await server.running.ended;
    expect(stderr).toContain("stopping: 2 streams;");
    expect(code).toBe(0);
    const restarted = await again(server);
    for (const number of [4, 5, 6]) await post(restarted, { questions: [{ question: `Number ${number}?` }] });
    await reading;
    expect(positions).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("closes WebSockets, and says why", async () => {
    const server = await serve(newFolder(), { args: IN_WORDS });
    const socket = new WebSocket(`ws://127.0.0.1:${portOf(server)}/v1/gateway`, {
      headers: { authorization: `Bearer ${tokenOf(server, "person")}` },
    });
    const closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => resolve([code, String(reason)]));
    });
    await new Promise((resolve) => void socket.on("open", resolve));
    server.running.child.kill("SIGTERM");
    expect(await closed).toEqual([1001, "the server is closing"]);
    expect(await server.running.ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("stopping: 1 WebSocket;"),
    });
  });

  it("loses nothing that was acknowledged", async () => {
    const server = await serve();
    const headers = (role: "agent" | "person") => ({
      authorization: `Bearer ${tokenOf(server, role)}`,
      "content-type": "application/json",
    });
    const acknowledged: string[] = [];
    const ids: string[] = [];
    for (let number = 0; number < 100; number += 1) {
      ids.push((await post(server, { questions: [{ question: `Number ${number}?` }] })).id);
    }
    const body = JSON.stringify({ answers: [{ question: "q1", text: "yes" }] });
    const answers = ids.map(async (id) => {
      const url = `${server.url}/v1/asks/${id}/answer`;
      const response = await fetch(url, { method: "POST", headers: headers("person"), body }).catch(
        () => undefined,
      );
      if (response?.status !== 200) return;
      acknowledged.push(id);
      if (acknowledged.length === 1) server.running.child.kill("SIGTERM");
    });
    await Promise.all(answers);
    expect((await server.running.ended).code).toBe(0);
    const restarted = await again(server);
    const { asks } = await clientOf(restarted, "agent").list({ status: "answered" }, { limit: 200 });
    const answered = new Set(asks.map(({ id }) => id));
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.filter((id) => !answered.has(id))).toEqual([]);
  });
});

describe("askline serve: a client that never ends", () => {
  it("does not keep the server running", async () => {
    const server = await serve(newFolder(), { args: ["--limit", "stopMs=100"] });
    await hang(server);
    const idle = openConnection(portOf(server), { reads: false });
    idle.socket.pause();
    idle.socket.write(
      `GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tokenOf(server, "agent")}\r\n\r\n`,
    );
    server.running.child.kill("SIGTERM");
    expect((await server.running.ended).code).toBe(0);
  });

  it("ends the process within ten seconds, whatever hangs", async () => {
    const server = await serve(newFolder(), {
      args: [...IN_WORDS, "--limit", "stopMs=1000000"],
    });
    await hang(server);
    server.running.child.kill("SIGTERM");
    const { code, stderr } = await server.running.ended;
    expect(stderr).toMatch(/stopping: 1 request;.*\n.*some requests did not end in time/);
    expect(code).toBe(1);
  });

  it.each([
    ["SIGTERM", "SIGINT", 130],
    ["SIGINT", "SIGTERM", 143],
  ] as const)("is left at once at a second signal: %s, then %s", async (first, second, exitCode) => {
    const server = await serve(newFolder(), {
      args: [...IN_WORDS, "--limit", "stopMs=1000000"],
    });
    await hang(server);
    server.running.child.kill(first);
    await server.running.shows("stopping: 1 request;");
    server.running.child.kill(second);
    expect((await server.running.ended).code).toBe(exitCode);
  });
});
