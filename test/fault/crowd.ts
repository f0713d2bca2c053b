// A crowd on one server: requests that wait, each for an ask of its own, and streams of events, each of a session
// of its own. All are held at once; then every ask is answered.

import { Agent } from "node:http";
import { type Crowd, call, follow, type Heard, waitFor } from "./crowd-requests.ts";
import { type InspectedServer, startInspected } from "./inspected-server.ts";

const OPENING_AT_ONCE = 100;
const SETTLING_AT_ONCE = 32;
/** Enough for what is made once, by the first to come, to be there before anything is measured. */
const FIRST = 200;

export interface CrowdReport {
  /** Bytes of heap and buffers for each, in the server. */
  readonly bytesAWait: number;
  readonly bytesAStream: number;
  /** From the first answer sent to the last wait, and the last stream, that heard of its own. */
  readonly allWokenMs: number;
  readonly allStreamedMs: number;
  /** The longest from an answer's acknowledgement to the end of its wait, and to its event. */
  readonly longestWakeMs: number;
  readonly longestEventMs: number;
  /** Waits and streams that heard what they should not have, or more. */
  readonly wrong: readonly string[];
}

export async function gatherCrowd(count: number): Promise<CrowdReport> {
  const server = await startInspected();
  const kept = new Agent({ keepAlive: true, maxSockets: SETTLING_AT_ONCE });
  try {
    const crowd: Crowd = {
      server,
      kept,
      agent: (await server.token({ role: "agent", name: "builder" })).token,
      person: (await server.token({ role: "person", name: "ana" })).token,
    };
    await hold(crowd, FIRST, "first");
    return await hold(crowd, count, "crowd");
  } finally {
    kept.destroy();
    await server.remove();
  }
}

async function hold(crowd: Crowd, count: number, name: string): Promise<CrowdReport> {
  const { server } = crowd;
  const everyone = Array.from({ length: count }, (_, index) => index);
  const wrong: string[] = [];
  const ids: string[] = [];
  await each(everyone, SETTLING_AT_ONCE, async (index) => {
    const questions = [{ question: `Number ${index}?` }];
    const { ask } = await call(crowd, crowd.agent, "POST", "/v1/asks", {
      questions,
      session: `${name}-${index}`,
    });
    ids[index] = ask.id;
  });
  const alone = await atLevel(server, 0, 0);

  const woken: Heard[] = [];
  const waits = everyone.map((index) => waitFor(crowd, `/v1/asks/${ids[index]}?wait=60`));
  await each(everyone, OPENING_AT_ONCE, (index) => waits[index]?.open() ?? Promise.resolve());
  const waiting = await atLevel(server, count, 0);

  const heard: Heard[][] = everyone.map(() => []);
  const streams = everyone.map((index) =>
    follow(crowd, `/v1/events?session=${name}-${index}`, (event) => heard[index]?.push(event)),
  );
  await each(everyone, OPENING_AT_ONCE, (index) => streams[index]?.open() ?? Promise.resolve());
  const streaming = await atLevel(server, count, count);

  const started = performance.now();
  const settled: number[] = [];
  const over = Promise.all(
    everyone.map(async (index) => {
      woken[index] = (await waits[index]?.heard) ?? { text: undefined, at: 0 };
    }),
  );
  await each(everyone, SETTLING_AT_ONCE, async (index) => {
    const answers = [{ question: "q1", text: `answer ${index}` }];
    await call(crowd, crowd.person, "POST", `/v1/asks/${ids[index]}/answer`, { answers });
    settled[index] = performance.now();
  });
  await over;
  // A stream that hears nothing fails the test by its time, and says by its silence which.
  await Promise.all(streams.map((stream) => stream.heard));
  for (const stream of streams) stream.close();
  for (const index of everyone) {
    if (woken[index]?.text !== `answer ${index}`) wrong.push(`wait ${index} got ${woken[index]?.text}`);
    const texts = heard[index]?.map(({ text }) => text);
    if (texts?.length !== 1 || texts[0] !== `answer ${index}`) wrong.push(`stream ${index} got ${texts}`);
  }
  const latest = (all: readonly (Heard | undefined)[]): number => Math.max(...all.map((one) => one?.at ?? 0));
  const longest = (all: readonly (Heard | undefined)[]): number =>
    Math.max(...all.map((one, index) => (one?.at ?? 0) - (settled[index] ?? 0)));
  const events = heard.map(([event]) => event);
  crowd.kept.destroy();
  await atLevel(server, 0, 0);
  return {
    bytesAWait: (waiting - alone) / count,
    bytesAStream: (streaming - waiting) / count,
    allWokenMs: latest(woken) - started,
    allStreamedMs: latest(events) - started,
    longestWakeMs: longest(woken),
    longestEventMs: longest(events),
    wrong,
  };
}

/** The server's memory once it holds just so many waits and streams, and no connection besides. */
async function atLevel(server: InspectedServer, waits: number, streams: number): Promise<number> {
  for (;;) {
    const held = await server.held();
    if (
      held.waits === waits &&
      held.streams === streams &&
      (waits + streams > 0 || held.sockets <= SETTLING_AT_ONCE)
    )
      return server.memory();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Does something for each, so many at a time. */
async function each<Item>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const work = async (): Promise<void> => {
    for (const item of waiting) await run(item);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
