import { onTestFinished } from "vitest";
import { type Client, type ConnectOptions, connect } from "../../src/client/index.js";
import { AsklineError } from "../../src/index.js";
import { type EagerClock, eagerClock } from "./eager-clock.js";

export interface OpenClient {
  readonly client: Client;
  readonly clock: EagerClock;
  readonly warnings: string[];
}

/** A client that is closed after the test. Its delays are the shortest possible, and take no time. */
export function openClient(options: ConnectOptions): OpenClient {
  const clock = eagerClock();
  const warnings: string[] = [];
  const log = (message: string): void => void warnings.push(message);
  const client = connect({ clock, random: () => 0, logger: { warn: log, error: log }, ...options });
  onTestFinished(() => client.close());
  return { client, clock, warnings };
}

export const question = { questions: [{ question: "Why?" }] };
export const reason = { answers: [{ question: "q1", text: "Because." }] };

/** What a promise is rejected with; it must be one of our errors. */
export async function errorOf(promise: Promise<unknown>): Promise<AsklineError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AsklineError) return error;
    throw error;
  }
  throw new Error("it was not rejected");
}
