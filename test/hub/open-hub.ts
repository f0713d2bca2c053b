import { createHub, type Hub, memoryStore, type Store } from "../../src/hub/index.js";
import { type Answerer, type AskEvent, AsklineError, type ErrorCode } from "../../src/index.js";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.js";

export interface OpenHub {
  readonly hub: Hub;
  readonly store: Store;
  readonly clock: FakeClock;
  readonly logged: string[];
}

/** A hub in memory whose time stands still. */
export async function openHub(
  store: Store = memoryStore(),
  clock: FakeClock = fakeClock(),
): Promise<OpenHub> {
  const logged: string[] = [];
  const log = (message: string): void => void logged.push(message);
  const hub = await createHub({ store, clock, logger: { warn: log, error: log } });
  return { hub, store, clock, logged };
}

export function person(id: string, surface = "test"): { readonly by: Answerer } {
  return { by: { kind: "person", id, surface } };
}

export const ana: { readonly by: Answerer } = person("ana");

export const question = { question: "Ship it?", options: ["Yes (Recommended)", "No"] };
export const yes = { answers: [{ question: "q1", selected: ["o1"] }] };
/** The same as a caller reads it. */
export const choices = [{ question: "q1", labels: ["Yes (Recommended)"] }];
export const no = { answers: [{ question: "q1", selected: ["o2"] }] };

/** The code that a promise is rejected with. */
export async function codeOf(promise: Promise<unknown>): Promise<ErrorCode | "no error"> {
  try {
    await promise;
    return "no error";
  } catch (error) {
    if (error instanceof AsklineError) return error.code;
    throw error;
  }
}

/** The first `count` events of a stream. */
export async function take(events: AsyncIterable<AskEvent>, count: number): Promise<readonly AskEvent[]> {
  const taken: AskEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}
