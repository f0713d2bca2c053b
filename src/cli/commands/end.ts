import type { Client } from "../../client/index.js";
import type { Ask } from "../../core/index.js";
import { findPending } from "../connect/find-ask.js";
import { type RemoteFlags, withClient } from "../connect/open-client.js";
import { ASK_ID, type Define, examples, withRemote } from "../input/command.js";
import { printEnding } from "../output/ask-summary.js";
import type { World } from "../world/world.js";

export const defineDecline: Define = (command, { world, end }) => {
  withRemote(command)
    .argument("<id>", ASK_ID)
    .argument("[reason]", "why")
    .addHelpText("after", examples("askline decline 3f9a12bc", 'askline decline 3f9a12bc "not my decision"'))
    .action(async (id: string, reason?: string) =>
      end(await runDecline(id, reason, command.optsWithGlobals(), world)),
    );
};

export const defineReply: Define = (command, { world, end }) => {
  withRemote(command)
    .argument("<id>", ASK_ID)
    .argument("<text>", "the message")
    .addHelpText("after", examples('askline reply 3f9a12bc "What does the second one cost?"'))
    .action(async (id: string, text: string) =>
      end(await runReply(id, text, command.optsWithGlobals(), world)),
    );
};

export const defineWithdraw: Define = (command, { world, end }) => {
  withRemote(command)
    .argument("<id>", ASK_ID)
    .argument("[reason]", "why")
    .addHelpText("after", examples("askline withdraw 3f9a12bc"))
    .action(async (id: string, reason?: string) =>
      end(await runWithdraw(id, reason, command.optsWithGlobals(), world)),
    );
};

/** `askline decline ID [reason]`: refuses to answer. */
function runDecline(
  id: string,
  reason: string | undefined,
  flags: RemoteFlags,
  world: World,
): Promise<number> {
  return endAsk(id, flags, "person", world, (client, ask) => client.decline(ask.id, reason));
}

/** `askline reply ID text`: sends a message instead of choosing. */
function runReply(id: string, text: string, flags: RemoteFlags, world: World): Promise<number> {
  return endAsk(id, flags, "person", world, (client, ask) => client.reply(ask.id, text));
}

/** `askline withdraw ID [reason]`: takes an ask back, as the agent that asked. */
function runWithdraw(
  id: string,
  reason: string | undefined,
  flags: RemoteFlags,
  world: World,
): Promise<number> {
  return endAsk(id, flags, "agent", world, (client, ask) => client.withdraw(ask.id, reason));
}

async function endAsk(
  id: string,
  flags: RemoteFlags,
  role: "agent" | "person",
  world: World,
  ending: (client: Client, ask: Ask) => Promise<Ask>,
): Promise<number> {
  return withClient(flags, role, world, async ({ client, hint }) => {
    await printEnding(await ending(client, await findPending(client, id, hint)), flags, world);
    return 0;
  });
}
