// Lives a random life with a store and, beside it, with the memory store as the oracle. Calls made one after
// the other must give the oracle's results. Calls made at once must give the results of some order of them,
// and leave behind what that order leaves. In a shared life two stores on the same data take the calls in
// turns.

import fc from "fast-check";
import { expect } from "vitest";
import { memoryStore, type Store } from "../../../../src/hub/index.ts";
import type { Clock } from "../../../../src/index.ts";
import type { StoreHarness } from "../../../../src/testing/index.ts";
import type { Command, Step } from "./commands.ts";
import { everythingIn, perform } from "./perform.ts";
import { steps } from "./random-steps.ts";

const logger = { warn: () => undefined, error: () => undefined };

/** Checks a store with so many lives. The seed and path that a failure tells repeat it. */
export async function checkLives(
  harness: StoreHarness,
  lives: number,
  options: { readonly seed?: number; readonly path?: string; readonly endOnFailure?: boolean } = {},
): Promise<void> {
  await fc.assert(livesOf(harness), { numRuns: lives, verbose: 1, ...options });
}

/** Checks a store for so long; with how many lives is returned. */
export async function checkFor(harness: StoreHarness, milliseconds: number): Promise<number> {
  const details = await fc.check(livesOf(harness), {
    numRuns: 1_000_000,
    interruptAfterTimeLimit: milliseconds,
    markInterruptAsFailure: false,
  });
  if (details.failed) {
    throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
  }
  return details.numRuns;
}

function livesOf(harness: StoreHarness): fc.IAsyncProperty<[readonly Step[], boolean]> {
  return fc.asyncProperty(steps, fc.boolean(), (life, shared) => liveThrough(harness, life, shared));
}

async function liveThrough(harness: StoreHarness, life: readonly Step[], shared: boolean): Promise<void> {
  const { clock } = harness;
  const start = clock.now();
  let stores = await withSecond(harness, await harness.open(), shared);
  let turn = 0;
  const nextStore = (): Store => {
    turn += 1;
    return stores[turn % stores.length] as Store;
  };
  const past: Past[] = [];
  let oracle = await replay(past, start);
  const jumpWall = (milliseconds: number): void => {
    clock.jumpWall(milliseconds);
    oracle.jumpWall(milliseconds);
    past.push({ kind: "jumpWall", milliseconds });
  };
  try {
    for (const step of life) {
      switch (step.kind) {
        case "call": {
          const actual = await perform(nextStore(), step.command, start);
          const expected = await oracle.call(step.command);
          expect(plain(actual), JSON.stringify(step.command)).toEqual(plain(expected));
          past.push(step);
          break;
        }
        case "together": {
          const actual = await Promise.all(
            step.commands.map((command) => perform(nextStore(), command, start)),
          );
          oracle = await explain(step.commands, actual, await everythingIn(nextStore()), past, start);
          break;
        }
        case "advance":
          await clock.advance(step.milliseconds);
          oracle.advance(step.milliseconds);
          past.push(step);
          break;
        case "jumpWall":
          jumpWall(step.milliseconds);
          break;
        case "reopen":
          if (harness.reopen === undefined) break;
          // What has expired cannot be seen, so of calls at once it may be either. It must stay unseen: time
          // that went back over a restart would show it again.
          jumpWall(Math.max(0, stores[0].now() - clock.now()));
          for (const other of stores.slice(1)) await other.close();
          stores = await withSecond(harness, await harness.reopen(stores[0]), shared);
          await oracle.reopen();
          past.push(step);
          break;
      }
    }
    const expected = plain(await everythingIn(oracle.store));
    for (const store of stores) expect(plain(await everythingIn(store)), "in the end").toEqual(expected);
  } finally {
    for (const store of stores) await store.close();
  }
}

async function withSecond(
  harness: StoreHarness,
  store: Store,
  shared: boolean,
): Promise<readonly [Store, ...Store[]]> {
  const second = shared ? await harness.second?.(store) : undefined;
  return second === undefined ? [store] : [store, second];
}

type Past = Exclude<Step, { readonly kind: "together" }>;

interface Oracle {
  readonly store: Store;
  call(command: Command): Promise<unknown>;
  advance(milliseconds: number): void;
  jumpWall(milliseconds: number): void;
  reopen(): Promise<void>;
}

/** The order of calls made at once that explains their results; it becomes part of the past. */
async function explain(
  commands: readonly Command[],
  actual: readonly unknown[],
  state: unknown,
  past: Past[],
  start: number,
): Promise<Oracle> {
  const seen = JSON.stringify([sorted(plain(actual)), sorted(plain(state))]);
  const tried: unknown[] = [];
  for (const order of permutations(commands.map((_, index) => index))) {
    const oracle = await replay(past, start);
    const results: unknown[] = [];
    for (const index of order) results[index] = await oracle.call(commands[index] as Command);
    const expected = [sorted(plain(results)), sorted(plain(await everythingIn(oracle.store)))];
    if (JSON.stringify(expected) === seen) {
      for (const index of order) past.push({ kind: "call", command: commands[index] as Command });
      return oracle;
    }
    tried.push(expected);
  }
  // No order explains it; the one in which the calls were made shows best how.
  expect(JSON.parse(seen), `no order explains ${JSON.stringify(commands)}`).toEqual(tried[0]);
  throw new Error("unreachable");
}

/** A memory store that has lived through a past. Its clock is moved by hand and has no timers. */
async function replay(past: readonly Past[], start: number): Promise<Oracle> {
  let now = start;
  let monotonic = 0;
  const clock: Clock = { now: () => now, monotonic: () => monotonic, schedule: () => () => undefined };
  const store = memoryStore();
  await store.open({ clock, logger });
  const oracle: Oracle = {
    store,
    call: (command) => perform(store, command, start),
    advance(milliseconds) {
      now += milliseconds;
      monotonic += milliseconds;
    },
    jumpWall(milliseconds) {
      now += milliseconds;
    },
    // Nobody else has it, so it is all still there: only its time is counted anew.
    reopen: () => store.open({ clock, logger }),
  };
  for (const step of past) {
    switch (step.kind) {
      case "call":
        await oracle.call(step.command);
        break;
      case "advance":
        oracle.advance(step.milliseconds);
        break;
      case "jumpWall":
        oracle.jumpWall(step.milliseconds);
        break;
      case "reopen":
        await oracle.reopen();
        break;
    }
  }
  return oracle;
}

function* permutations(items: readonly number[]): Generator<readonly number[]> {
  if (items.length <= 1) {
    yield items;
    return;
  }
  for (const first of items) {
    for (const rest of permutations(items.filter((item) => item !== first))) yield [first, ...rest];
  }
}

/** As JSON says it: without what is undefined, and with undefined itself as null. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}

/** With the keys of objects in order, so that equal data has equal texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
