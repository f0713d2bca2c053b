import { createAuth } from "../../server/index.js";
import { inboxLink } from "../connect/local-access.js";
import { localUrl, namedUrl, type RemoteFlags } from "../connect/open-client.js";
import { type Define, examples, withDatabase } from "../input/command.js";
import { print } from "../output/print.js";
import { withPresentStore } from "../settings/store.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withDatabase(command)
    .option("--url <url>", "the server's address (ASKLINE_URL; otherwise this machine)")
    .option("--person <id>", "whose inbox (ASKLINE_PERSON; your user name)")
    .addHelpText("after", HELP)
    .action(async () => end(await runInbox(command.optsWithGlobals(), world)));
};

const HELP = `
The link works once, within ten minutes.
${examples("askline inbox", "askline inbox --person ana")}`;

/** `askline inbox`: prints a new link that opens the inbox in a browser, once. */
async function runInbox(flags: RemoteFlags, world: World): Promise<number> {
  return withPresentStore(flags, world, async (store, settings) => {
    const auth = createAuth({ records: store.records, now: () => store.now() });
    const url = namedUrl(flags, world) ?? settings.publicUrl ?? localUrl(settings);
    const link = await inboxLink(auth, url.replace(/\/$/, ""), settings.person);
    await print(world, flags.json, { person: settings.person, url: link }, () => link);
    return 0;
  });
}
