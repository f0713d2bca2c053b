import type { AskInput, AskRequest, Outcome } from "../../core/index.js";
import type { AskCommandFlags } from "../commands/ask.js";
import { answerHint } from "../screen/answer-hint.js";
import type { World } from "../world.js";
import { askServer } from "./ask-server.js";
import { withClient } from "./open-client.js";
import { stderrLogger } from "./stderr-logger.js";

/** A server may be starting just now; one that stays away is said so before anybody waits for nothing. */
const RETRY_FOR_MS = 5_000;

/** Asks through the server that the flags or the environment name. */
export async function askRemotely(
  ask: AskRequest,
  flags: AskCommandFlags,
  timeoutMs: number | undefined,
  world: World,
  signal: AbortSignal,
): Promise<Outcome> {
  return withClient(
    flags,
    "agent",
    world,
    ({ client, hint }) =>
      askServer(requestOf(ask, flags, timeoutMs), {
        client,
        signal,
        logger: stderrLogger(world),
        asked: (stored) => {
          const [how] = answerHint(stored, hint).split("\n");
          world.stderr.write(`askline: ${stored.id} is waiting for an answer: ${how}\n`);
        },
      }),
    { retryForMs: RETRY_FOR_MS, logger: stderrLogger(world) },
  );
}

/** The flags stand before what the ask itself says. */
function requestOf(
  { deadline, timeoutMs: own, ...ask }: AskRequest,
  { session, key, recipient }: AskCommandFlags,
  timeoutMs: number | undefined,
): AskInput {
  const given = timeoutMs === undefined ? {} : { timeoutMs };
  const wanted = {
    ...(deadline !== undefined && { deadline }),
    ...(own !== undefined && { timeoutMs: own }),
  };
  return {
    ...ask,
    ...(timeoutMs === undefined ? wanted : given),
    // Whoever gives a timeout wants an end, as without a server.
    ...(timeoutMs !== undefined && ask.onDeadline === "wait" && { onDeadline: "expire" as const }),
    ...(session !== undefined && { session }),
    ...(key !== undefined && { key }),
    ...(recipient !== undefined && { recipients: recipient }),
  };
}
