import type { Client } from "../../client/index.js";
import type { Ask } from "../../core/index.js";
import { printEnding } from "../answering/print-ending.js";
import { findAsk } from "../remote/find-ask.js";
import { type RemoteFlags, withClient } from "../remote/open-client.js";
import type { World } from "../world.js";

/** `askline decline ID [reason]`: refuses to answer. */
export function runDecline(
  id: string,
  reason: string | undefined,
  flags: RemoteFlags,
  world: World,
): Promise<number> {
  return end(id, flags, "person", world, (client, ask) => client.decline(ask.id, reason));
}

/** `askline reply ID text`: says something instead of choosing. */
export function runReply(id: string, text: string, flags: RemoteFlags, world: World): Promise<number> {
  return end(id, flags, "person", world, (client, ask) => client.reply(ask.id, text));
}

/** `askline withdraw ID [reason]`: takes an ask back, as the agent that asked. */
export function runWithdraw(
  id: string,
  reason: string | undefined,
  flags: RemoteFlags,
  world: World,
): Promise<number> {
  return end(id, flags, "agent", world, (client, ask) => client.withdraw(ask.id, reason));
}

async function end(
  id: string,
  flags: RemoteFlags,
  role: "agent" | "person",
  world: World,
  ending: (client: Client, ask: Ask) => Promise<Ask>,
): Promise<number> {
  return withClient(flags, role, world, async ({ client, hint }) => {
    await printEnding(await ending(client, await findAsk(client, id, hint)), flags, world);
    return 0;
  });
}
