import { type DecisionFlags, readDecisions } from "../answering/decisions.js";
import { printEnding } from "../answering/print-ending.js";
import { CommandError } from "../command-error.js";
import { findAsk } from "../remote/find-ask.js";
import { type RemoteFlags, withClient } from "../remote/open-client.js";
import type { World } from "../world.js";

export interface DecideCommandFlags extends RemoteFlags, Omit<DecisionFlags, "rest"> {
  readonly approveRest?: boolean;
  readonly rejectRest?: boolean;
}

/** `askline approve ID` and `askline reject ID`: decide about the actions of an approval. */
export async function runDecide(
  verdict: "approve" | "reject",
  id: string,
  flags: DecideCommandFlags,
  world: World,
): Promise<number> {
  return withClient(flags, "person", world, async ({ client, hint }) => {
    const ask = await findAsk(client, id, hint);
    if (ask.approval === undefined) {
      throw new CommandError(
        `${ask.id} asks questions, it wants no approval; use "askline answer" or "askline decline"`,
      );
    }
    const rest = flags.approveRest ? "approve" : flags.rejectRest ? "reject" : undefined;
    const decisions = readDecisions(ask, verdict, { ...flags, ...(rest !== undefined && { rest }) });
    await printEnding(await client.decide(ask.id, decisions), flags, world);
    return 0;
  });
}
