import type { Client } from "../../client/index.js";
import { AsklineError } from "../../core/index.js";
import { DEMO_AGENT } from "./run-demo.js";
import { sampleEnding } from "./sample-ending.js";

/** Answers every ask of the demo, until the signal ends it; for tests, and for who only wants to see it run. */
export async function answerDemo(client: Client, signal: AbortSignal): Promise<void> {
  for await (const ask of client.watch({ agentId: DEMO_AGENT }, { signal })) {
    if (ask.status !== "pending") continue;
    const { action, body } = sampleEnding(ask);
    try {
      await (action === "answer" ? client.answer(ask.id, body) : client.decide(ask.id, body));
    } catch (error) {
      // A person may have been faster.
      if (!(error instanceof AsklineError && error.code === "already_settled")) throw error;
    }
  }
}
