import type { Client } from "../../client/connect.js";
import type { Ask } from "../../core/model/ask.js";
import { findAsk } from "../connect/find-ask.js";
import { type RemoteFlags, withClient } from "../connect/open-client.js";
import { ASK_ID, type Define, examples, withReader } from "../input/command.js";
import { answerHint } from "../output/answer-hint.js";
import { askText } from "../output/ask-text.js";
import { columnsOf, print } from "../output/print.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withReader(command)
    .argument("<id>", ASK_ID)
    .addHelpText("after", examples("askline show 3f9a12bc", "askline show 3f9a12bc --json"))
    .action(async (id: string) => end(await runShow(id, command.optsWithGlobals(), world)));
};

/** `askline show ID`: one ask with everything needed to decide. */
async function runShow(id: string, flags: RemoteFlags, world: World): Promise<number> {
  return withClient(flags, "person", world, async ({ client, hint }) => {
    const ask = await findAsk(client, id, hint);
    if (ask.status === "pending" && (flags.as ?? "person") === "person") await recordOpened(client, ask);
    await print(world, flags.json, ask, () => showText(ask, world, hint));
    return 0;
  });
}

/** For the audit. A reader that is not a person, such as an admin, is refused, and that is fine. */
async function recordOpened(client: Client, { id }: Ask): Promise<void> {
  await client.opened(id).catch(() => undefined);
}

function showText(ask: Ask, world: World, hint: string): string {
  const text = askText(ask, world.clock.now(), columnsOf(world));
  return ask.status === "pending" && world.stdout.isTTY ? `${text}\n\n${answerHint(ask, hint)}` : text;
}
