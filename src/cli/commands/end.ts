import type { Client } from "../../client/connect.js";
import { pages } from "../../core/kit/pages.js";
import { defined } from "../../core/kit/tools.js";
import type { Ask } from "../../core/model/ask.js";
import type { AskPage } from "../../core/model/ports.js";
import { isAskedBy } from "../../core/model/visibility.js";
import { INBOX } from "../../core/words/en/terminal-inbox.js";
import { agentName, declineAll } from "../../people/inbox/crowd.js";
import { findPending } from "../connect/find-ask.js";
import { type RemoteFlags, withClient } from "../connect/open-client.js";
import { ASK_ID, type Define, examples, withRemote } from "../input/command.js";
import { confirm } from "../input/confirm.js";
import { printEnding } from "../output/ask-summary.js";
import { print } from "../output/print.js";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";
import type { World } from "../world/world.js";

export const defineDecline: Define = (command, { world, end }) => {
  withRemote(command)
    .argument("[id]", ASK_ID)
    .argument("[reason]", "why")
    .option("--agent <name>", "every pending ask of this agent, after a confirmation")
    .option("--owner <person>", "with --agent: only of the agent that works for this person")
    .option("-y, --yes", "do not ask for confirmation")
    .addHelpText(
      "after",
      examples(
        "askline decline 3f9a12bc",
        'askline decline 3f9a12bc "not my decision"',
        "askline decline --agent builder",
      ),
    )
    .action(async (id?: string, reason?: string) => {
      const flags: DeclineFlags = command.optsWithGlobals();
      if ((id === undefined) === (flags.agent === undefined))
        throw new CommandError("give either the id of an ask or --agent NAME");
      end(await (id === undefined ? runDeclineAll(flags, world) : runDecline(id, reason, flags, world)));
    });
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

interface DeclineFlags extends RemoteFlags {
  readonly agent?: string;
  readonly owner?: string;
  readonly yes?: boolean;
}

/** `askline decline --agent NAME`: declines what the agent asks at this moment. */
async function runDeclineAll(flags: DeclineFlags, world: World): Promise<number> {
  const { agent: asker = "", owner, yes = false } = flags;
  const agent = { asker, ...defined({ owner }) };
  return withClient(flags, "person", world, async ({ client }) => {
    const asks: Ask[] = [];
    const read = (after?: string): Promise<AskPage> =>
      client.list({ status: "pending" }, { limit: 500, after });
    for await (const page of pages(read)) asks.push(...page.asks.filter((ask) => isAskedBy(agent, ask)));
    const name = agentName(agent);
    const question = INBOX.declineAll(asks.length, name);
    if (asks.length === 0) throw new CommandError(`no question of ${name} waits for you`);
    if (!yes && world.stdin.isTTY !== true)
      throw new CommandError(`${question} stdin is not a terminal; add --yes to confirm`);
    if (!yes && !(await confirm(world, question))) {
      world.stderr.write("Nothing was declined.\n");
      return FAULT_EXIT_CODE;
    }
    const { declined, failure } = await declineAll(asks, client.settle);
    const result = { agent, found: asks.length, declined };
    await print(world, flags.json, result, () => INBOX.declinedAll(declined, asks.length, name));
    if (failure !== undefined) throw failure;
    return 0;
  });
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
