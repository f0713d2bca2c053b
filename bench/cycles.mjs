// A cycle is one ask from asking to the agent that goes on with the answer. A peer, ours or another's, is
// `{ cycle, close }`: `cycle(id)` does one whole cycle under an id nobody used before and rejects if the
// answer that came out is not the one that went in.
import { pathToFileURL } from "node:url";

let lastId = 0;

/**
 * A slice that keeps `concurrency` cycles under way for `milliseconds` and gives finished cycles a second: of
 * the clock, or with `time: "processor"` of the processor time of this process, for what waits for nothing but
 * its turn on a busy machine.
 */
export function cyclesPerSecond({ cycle }, { concurrency, milliseconds, time = "clock" }) {
  return async () => {
    const started = performance.now();
    const processor = process.cpuUsage();
    let cycles = 0;
    async function work() {
      while (performance.now() - started < milliseconds) {
        lastId += 1;
        await cycle(`bench-${process.pid}-${lastId}`);
        cycles += 1;
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work));
    const { user, system } = process.cpuUsage(processor);
    const taken = time === "processor" ? (user + system) / 1000 : performance.now() - started;
    return (cycles * 1000) / taken;
  };
}

/** A slice that does `cycles` cycles, `concurrency` of them at a time, and gives microseconds a cycle. */
export function microsecondsPerCycle({ cycle }, { concurrency, cycles }) {
  return async () => {
    const started = performance.now();
    let begun = 0;
    async function work() {
      while (begun < cycles) {
        begun += 1;
        lastId += 1;
        await cycle(`bench-${process.pid}-${lastId}`);
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work));
    return ((performance.now() - started) * 1000) / cycles;
  };
}

/** Where the module is the program that was started: opens the peer, prints its cycles a second, closes it. */
export async function runAlone(moduleUrl, name, open) {
  if (process.argv[1] === undefined || moduleUrl !== pathToFileURL(process.argv[1]).href) return;
  const peer = await open();
  try {
    for (const concurrency of [1, 64]) {
      const slice = cyclesPerSecond(peer, { concurrency, milliseconds: 1500 });
      await slice();
      console.log(`${name}, concurrency ${concurrency}: ${Math.round(await slice())} cycles/s`);
    }
  } finally {
    await peer.close();
  }
}
