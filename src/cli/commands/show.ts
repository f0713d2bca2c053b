import type { Client } from "../../client/index.js";
import type { Ask } from "../../core/index.js";
import { columnsOf, print } from "../print.js";
import { findAsk } from "../remote/find-ask.js";
import { type RemoteFlags, withClient } from "../remote/open-client.js";
import { answerHint } from "../screen/answer-hint.js";
import { askText } from "../screen/ask-text.js";
import type { World } from "../world.js";

/** `askline show ID`: one ask with all that is needed to decide. */
export async function runShow(id: string, flags: RemoteFlags, world: World): Promise<number> {
  return withClient(flags, "person", world, async ({ client, hint }) => {
    const ask = await findAsk(client, id, hint);
    if (ask.status === "pending" && (flags.as ?? "person") === "person") await tellOpened(client, ask);
    await print(world, flags.json, ask, () => showText(ask, world, hint));
    return 0;
  });
}

/** For the audit. Whoever may look without being a person, an admin say, opens nothing. */
async function tellOpened(client: Client, { id }: Ask): Promise<void> {
  await client.opened(id).catch(() => undefined);
}

function showText(ask: Ask, world: World, hint: string): string {
  const text = askText(ask, world.clock.now(), columnsOf(world));
  return ask.status === "pending" && world.stdout.isTTY ? `${text}\n\n${answerHint(ask, hint)}` : text;
}
