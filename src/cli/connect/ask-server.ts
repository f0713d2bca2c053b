import type { Client } from "../../client/connect.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Ask, AskInput } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { DeliveredOutcome } from "../../core/model/outcome.js";
import { withdrawnOutcome } from "../../core/rules/abort.js";

export interface AskServerOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Called once the ask is stored and pending. */
  readonly asked: (ask: Ask) => void;
}

/**
 * Asks through a server and waits for the outcome, through any number of outages. The signal withdraws the ask.
 */
export async function askServer(request: AskInput, options: AskServerOptions): Promise<DeliveredOutcome> {
  const { client, signal, asked } = options;
  const ask = await client.post(request);
  if (ask.outcome !== undefined) return ask.outcome;
  try {
    if (!signal.aborted) asked(ask);
    return await client.wait(ask.id, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    return takeBack(ask, options);
  }
}

/** Withdraws an ask and returns its outcome; another outcome may have come first. */
async function takeBack(ask: Ask, { client, logger }: AskServerOptions): Promise<DeliveredOutcome> {
  const { id } = ask;
  try {
    return await withdrawnOutcome(ask, client.withdraw(id));
  } catch (error) {
    if (!(error instanceof AsklineError)) throw error;
    logger.warn(`${id} could not be withdrawn and may still be shown: ${error.message}`);
    return { kind: "withdrawn" };
  }
}
