// Very many broken requests to a real server, with proper ones in between. The same seed plans the same requests,
// but for the ids of the asks that they aim at. Whatever goes wrong is told with the seed and the request.

import { Agent } from "node:http";
import { ROUTES } from "../../../src/server/routes.js";
import { randomOf } from "../../support/random.ts";
import { type InspectedServer, startInspected } from "../inspected-server.ts";
import { checkStore, type StoreReport } from "./check-store.ts";
import { judge, type Received } from "./judge.ts";
import { planRequest, type Target } from "./plan-request.ts";
import { planRaw } from "./raw-requests.ts";
import { send } from "./send.ts";
import { sendFrames } from "./send-frames.ts";
import { sendRaw } from "./send-raw.ts";
import { validRequests } from "./valid-requests.ts";
import { newCookies, openWorld, type World } from "./world.ts";

const AT_ONCE = 16;
const BATCH = 1_000;
/** Failures of one batch that are told; the others are likely to be of the same kinds. */
const MOST_TOLD = 20;
/** One in so many is the whole life of a proper ask instead. */
const LIFE_EVERY = 50;
/** What may be kept beyond the level after the first batches: caches that were not full then. */
const KEPT_BYTES = 12 * 1024 * 1024;

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** After how many of them the level of memory is taken that it must come back to. */
  readonly warmUp: number;
}

export interface FuzzReport extends StoreReport {
  /** Responses by their status, and connections that ended without one. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly frames: number;
  readonly valid: number;
  /** Bytes of heap and buffers after the warm-up, and at the end. */
  readonly level: number;
  readonly end: number;
}

const targets: readonly Target[] = [
  ...ROUTES.map(({ path, methods }) => ({ path, methods: Object.keys(methods) })),
  { path: "/v1/gateway", methods: ["GET"] },
  { path: "/nowhere", methods: ["GET", "POST"] },
];

export async function fuzzServer({ requests, seed, warmUp }: FuzzOptions): Promise<FuzzReport> {
  const server = await startInspected();
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const counts = { statuses: {} as Record<string, number>, frames: 0, valid: 0 };
  try {
    const world = await openWorld(server);
    const valid = validRequests(world, agent);
    const one = async (number: number): Promise<void> => {
      if (number % LIFE_EVERY === 0) {
        await valid.life(`life ${number}`);
        counts.valid += 5;
      } else await fuzzOnce(world, agent, seed + number, counts);
    };
    await batch(0, 20, (number) => valid.life(`first ${number}`));
    const failures: string[] = [];
    let level = 0;
    for (let from = 0; from < requests; from += BATCH) {
      await batch(from, Math.min(BATCH, requests - from), async (number) => {
        await one(number).catch((error: Error) => failures.push(`request ${number}: ${error.message}`));
      });
      if (failures.length > 0) {
        throw new Error(`with ASKLINE_FUZZ_SEED=${seed}:\n${failures.slice(0, MOST_TOLD).join("\n")}`);
      }
      counts.valid += await valid.tidyUp();
      Object.assign(world, await newCookies(server));
      healthy(server, from + BATCH, seed);
      if (level === 0 && from + BATCH >= warmUp) level = await atRest(server, agent);
    }
    const end = await atRest(server, agent);
    healthy(server, requests, seed);
    if (end > level + KEPT_BYTES) {
      throw new Error(`memory rose from ${level} to ${end} bytes, seed ${seed}`);
    }
    await server.stop();
    return { ...counts, level, end, ...(await checkStore(server.path)) };
  } finally {
    agent.destroy();
    await server.remove();
  }
}

/** Runs the numbers of a batch, some at a time. */
async function batch(from: number, count: number, run: (number: number) => Promise<void>): Promise<void> {
  let next = from;
  const work = async (): Promise<void> => {
    for (; next < from + count; ) {
      const number = next;
      next += 1;
      await run(number);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function fuzzOnce(
  world: World,
  agent: Agent,
  seed: number,
  counts: { readonly statuses: Record<string, number>; frames: number },
): Promise<void> {
  const kind = randomOf(seed ^ 0x5bd1e995)();
  const count = (status: number | string): void => {
    counts.statuses[status] = (counts.statuses[status] ?? 0) + 1;
  };
  if (kind < 0.1) {
    const { frames, wrong } = await sendFrames(world, seed);
    counts.frames += frames;
    if (wrong !== undefined) throw new Error(`a WebSocket: ${wrong}`);
    return;
  }
  if (kind < 0.22) {
    const raw = planRaw(world, seed);
    const responses = await sendRaw(raw, world.port);
    for (const response of responses) {
      count(response.status);
      requireGood(
        response,
        "GET",
        `${raw.name}: ${JSON.stringify(raw.parts.map((part) => part.toString("latin1").slice(0, 300)))}`,
      );
    }
    if (responses.length === 0) count("none");
    return;
  }
  const planned = planRequest(targets, world, seed);
  const { method, path, headers, body } = planned;
  const sent = JSON.stringify({ method, path, headers, body: body?.toString() }).slice(0, 1_000);
  const received = await send(planned, { agent, port: world.port }).catch((error: Error) => {
    throw new Error(`${error.message}\n  sent: ${sent}`);
  });
  count(received?.status ?? "none");
  if (received !== undefined) requireGood(received, method, sent);
}

function requireGood(received: Received, method: string, sent: string): void {
  const wrong = judge(received, method);
  if (wrong !== undefined) throw new Error(`${wrong}\n  sent: ${sent}`);
}

function healthy(server: InspectedServer, number: number, seed: number): void {
  const trouble = server.trouble();
  if (server.running && trouble === "") return;
  throw new Error(`by request ${number} of ASKLINE_FUZZ_SEED=${seed} the server told of trouble: ${trouble}`);
}

/** The memory of a server that nobody is connected to. */
async function atRest(server: InspectedServer, agent: Agent): Promise<number> {
  agent.destroy();
  for (;;) {
    const { sockets } = await server.held();
    if (sockets === 0) return server.memory();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
