// One agent does its worst, within its limits, to a real server with a 512 MB heap. Loopback only; ends by itself.

import { type ClientRequest, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import { closeReceivers, openReceiver } from "../hub/delivery/receiver.ts";
import { type InspectedServer, startInspected } from "./inspected-server.ts";

const HEAP_MB = 512;
const LARGE_ASKS = 200;
const STREAMS = 1_000;
const ATTACK_MS = 15_000;

let server: InspectedServer | undefined;
const closers: (() => void)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await server?.remove();
  server = undefined;
});

async function start(more: { readonly ntfy?: string } = {}): Promise<InspectedServer> {
  server = await startInspected({ heapMb: HEAP_MB, bounded: true, ...more });
  return server;
}

/** About a megabyte, nearly the largest ask there is. */
const large = JSON.stringify({
  questions: [
    {
      question: "Which?",
      options: Array.from({ length: 15 }, (_, index) => ({
        label: `Option ${index}`,
        preview: "x".repeat(65_000),
      })),
    },
  ],
});
const small = JSON.stringify({ questions: [{ question: "Ship it?", options: ["Yes", "No"] }] });

interface Sent {
  readonly status: number;
  readonly bytes: number;
}

async function send(port: number, token: string, line: string, body?: string): Promise<Sent> {
  const [method = "GET", path = "/"] = line.split(" ");
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
}

/** Sends until it is accepted, and waits while the server says that it is too much. */
async function insist(port: number, token: string, line: string, body?: string): Promise<Sent> {
  for (;;) {
    const sent = await send(port, token, line, body);
    if (sent.status !== 429) return sent;
    await pause(250);
  }
}

/** Opens a stream of events; resolves with when it ended. Unread, where nobody takes what comes. */
function openStream(
  port: number,
  token: string,
  query: string,
  read: boolean,
): { readonly open: Promise<void>; readonly ended: Promise<number> } {
  let outgoing: ClientRequest | undefined;
  let ended: Promise<number> = Promise.resolve(0);
  const open = new Promise<void>((resolve, reject) => {
    outgoing = request(
      {
        ...{ host: "127.0.0.1", port, path: `/v1/events${query}`, agent: false },
        headers: { authorization: `Bearer ${token}` },
      },
      (response) => {
        ended = new Promise((done) => {
          response.on("close", () => done(performance.now()));
        });
        if (read) response.resume();
        if (response.statusCode === 200) resolve();
        else reject(new Error(`a stream got ${response.statusCode}`));
      },
    );
    outgoing.on("error", () => undefined).end();
  });
  closers.push(() => outgoing?.destroy());
  return { open, ended: open.then(() => ended) };
}

/** Tries until it is let in: what a device is sent counts in the rate of its token. */
async function openSocket(port: number, token: string): Promise<WebSocket> {
  for (;;) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/gateway`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("open", () => resolve(true));
      socket.on("error", () => resolve(false));
    });
    closers.push(() => socket.terminate());
    if (isOpen) return socket;
    await pause(250);
  }
}

function percentile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

it("14: lists, unread streams, unread devices and histories of 1 MB asks at once", async () => {
  const { port, token, memory, running } = await start();
  const agents = await Promise.all(
    Array.from(
      { length: 8 },
      async (_, index) => (await token({ role: "agent", name: `agent-${index}` })).token,
    ),
  );
  const person = (await token({ role: "person", name: "ana" })).token;
  const [admin = "", ...admins] = await Promise.all(
    Array.from({ length: 5 }, async () => (await token({ role: "admin", name: "root" })).token),
  );
  await Promise.all(
    agents.map(async (agent, index) => {
      for (let count = index; count < LARGE_ASKS; count += agents.length) {
        expect((await insist(port, agent, "POST /v1/asks", large)).status).toBe(201);
      }
    }),
  );
  const event = JSON.stringify({ type: "text", text: "x".repeat(500_000) });
  for (let count = 0; count < 40; count += 1) {
    await insist(port, agents[0] ?? "", "POST /v1/sessions/long/events", event);
  }
  const before = await memory();
  const streams = Array.from({ length: 6 }, () => openStream(port, admin, "?after=0", false));
  await Promise.all(streams.map(({ open }) => open));
  for (let count = 0; count < 8; count += 1) (await openSocket(port, person)).pause();
  const lists = await Promise.all([
    ...admins.map((own) => insist(port, own, "GET /v1/asks?limit=500")),
    ...agents.map((agent) => insist(port, agent, "GET /v1/asks?limit=500")),
    ...agents.slice(0, 2).map((agent) => insist(port, agent, "GET /v1/sessions/long/history")),
  ]);
  const largest = Math.max(...lists.map(({ bytes }) => bytes));
  const after = await memory();
  const mb = (bytes: number): number => Math.round(bytes / 1_048_576);
  console.log(
    `14: ${LARGE_ASKS} asks of 1 MB, heap ${HEAP_MB} MB: largest reply ${mb(largest)} MB, in use ${mb(before)} MB before and ${mb(after)} MB during`,
  );
  expect(lists.every(({ status }) => status === 200 || status === 404)).toBe(true);
  expect(largest).toBeLessThan(9 * 1_048_576);
  expect((await send(port, agents[7] ?? "", "POST /v1/asks", small)).status).not.toBe(500);
  expect(server?.running ?? running).toBe(true);
}, 60_000);

it("15: another agent's small asks while one does its worst", async () => {
  const { port, token } = await start();
  const attacker = (await token({ role: "agent", name: "attacker" })).token;
  const honest = (await token({ role: "agent", name: "honest" })).token;
  for (let count = 0; count < 2_000; count += 50) {
    await Promise.all(Array.from({ length: 50 }, () => insist(port, attacker, "POST /v1/asks", small)));
  }
  const sockets = await Promise.all(Array.from({ length: 4 }, () => openSocket(port, attacker)));
  let attacking = true;
  let accepted = 0;
  let refused = 0;
  const attack = async (line: string, body?: string): Promise<void> => {
    while (attacking) {
      const { status } = await send(port, attacker, line, body).catch(() => ({ status: 0 }));
      if (status === 429) refused += 1;
      else accepted += 1;
      // As the server says: within its limits, and as much as they allow.
      if (status === 429) await pause(1_000);
    }
  };
  const brackets = "[".repeat(2 * 1_048_576 - 1);
  const attacks = [
    ...Array.from({ length: 4 }, () => attack("POST /v1/asks", brackets)),
    ...Array.from({ length: 4 }, () => attack("POST /v1/asks", large)),
    ...Array.from({ length: 4 }, () => attack("GET /v1/asks?limit=500")),
  ];
  const flood = async (socket: WebSocket): Promise<void> => {
    for (let count = 0; attacking; count += 1) {
      const payload = { questionIds: [`missing-${count}`], executionIds: [] };
      socket.send(JSON.stringify({ type: "event", payload: { event: "resume", payload } }));
      // A thousand a second in all, which is the rate of a token.
      if (count % 25 === 0) await pause(100);
    }
  };
  attacks.push(...sockets.map(flood));
  const times: number[] = [];
  const end = performance.now() + ATTACK_MS;
  while (performance.now() < end) {
    const since = performance.now();
    // One person may not get so many.
    const body = JSON.stringify({ ...JSON.parse(small), recipients: [`person-${times.length}`] });
    expect((await send(port, honest, "POST /v1/asks", body)).status).toBe(201);
    times.push(performance.now() - since);
    await pause(10);
  }
  attacking = false;
  await Promise.all(attacks);
  times.sort((one, other) => one - other);
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  console.log(
    `15: ${times.length} small asks during the attack (${accepted} of its requests taken, ${refused} refused): p50 ${p50} ms, p99 ${p99} ms, longest ${percentile(times, 1)} ms; the aim is a p99 under 250 ms`,
  );
  // Printed, not asserted: what a machine with other work to do gives says nothing about the server.
  expect(times.length).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
}, 60_000);

it(`11: a revoked token with ${STREAMS} streams`, async () => {
  const { port, token, revoke, held } = await start();
  const { token: person, id } = await token({ role: "agent", name: "reader" });
  const streams = [];
  for (let count = 0; count < STREAMS; count += 200) {
    const some = Array.from({ length: 200 }, () => openStream(port, person, "", true));
    await Promise.all(some.map(({ open }) => open));
    streams.push(...some);
  }
  expect((await held()).streams).toBe(STREAMS);
  const since = performance.now();
  await revoke(id);
  const ended = await Promise.all(streams.map((stream) => stream.ended));
  const last = Math.round(Math.max(...ended) - since);
  console.log(`11: ${STREAMS} streams of a revoked token ended within ${last} ms`);
  expect(last).toBeLessThan(5_000);
}, 60_000);

it("30: another agent's notification while one floods callbacks, notifications and unread streams", async () => {
  const received = new Map<string, number>();
  const ntfy = await openReceiver((request, response) => {
    const { title } = JSON.parse(request.body) as { readonly title: string };
    received.set(title, (received.get(title) ?? 0) + 1);
    response.end();
  });
  const hanging = await Promise.all(Array.from({ length: 32 }, () => openReceiver(() => undefined)));
  const { port, token, resident } = await start({ ntfy: `${ntfy.url}/ana` });
  const attacker = (await token({ role: "agent", name: "attacker" })).token;
  const honest = (await token({ role: "agent", name: "honest" })).token;
  const person = (await token({ role: "person", name: "ana" })).token;
  const streams = Array.from({ length: 200 }, () => openStream(port, person, "", false));
  await Promise.all(streams.map(({ open }) => open));
  for (let count = 0; count < 3; count += 1) await insist(port, attacker, "POST /v1/asks", large);
  const post = async (from: string, body: object): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/asks`, {
      method: "POST",
      headers: { authorization: `Bearer ${from}`, "content-type": "application/json" },
      body: JSON.stringify({ ...JSON.parse(small), ...body }),
    });
    return ((await response.json()) as { readonly ask?: { readonly id: string } }).ask?.id ?? "";
  };
  // 320 callbacks that hang, to 32 hosts.
  for (let count = 0; count < 320; count += 1) {
    const url = hanging[count % 32]?.url;
    const id = await post(attacker, { recipients: [`person-${count}`], callback: { url } });
    await send(port, attacker, `POST /v1/asks/${id}/withdraw`, "{}");
  }
  let attacking = true;
  let flooded = 0;
  const flood = async (): Promise<void> => {
    for (; attacking; flooded += 1) {
      const id = await post(attacker, { recipients: ["ana"] });
      if (id === "") await pause(100);
      else await send(port, attacker, `POST /v1/asks/${id}/withdraw`, "{}");
    }
  };
  const floods = Array.from({ length: 4 }, flood);
  const times: number[] = [];
  let most = 0;
  for (let round = 0; round < 5; round += 1) {
    await pause(1_000);
    const since = performance.now();
    const header = `Round ${round}`;
    await post(honest, { recipients: ["ana"], questions: [{ question: "Ship it?", header }] });
    while (!received.has(`Question from honest: ${header}`)) await pause(10);
    times.push(performance.now() - since);
    most = Math.max(most, await resident());
  }
  attacking = false;
  await Promise.all(floods);
  const ofAttacker = [...received].filter(([title]) => !title.includes("honest"));
  const messages = ofAttacker.reduce((sum, [, count]) => sum + count, 0);
  console.log(
    `30: ${flooded} asks of one agent, 320 hanging callbacks, 200 unread streams: ${messages} messages of it; another agent's notification came within ${Math.round(Math.max(...times))} ms, ${Math.round(most / 1_048_576)} MB resident`,
  );
  expect(messages).toBeLessThanOrEqual(14);
  expect(Math.max(...times)).toBeLessThan(2_000);
  expect(most).toBeLessThan(512 * 1_048_576);
  await closeReceivers();
}, 120_000);
