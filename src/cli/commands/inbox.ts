import { createAuth } from "../../server/index.js";
import { print } from "../print.js";
import { localUrl, namedUrl, type RemoteFlags } from "../remote/open-client.js";
import { inboxLink } from "../serve/inbox-link.js";
import { withPresentStore } from "../settings/with-store.js";
import type { World } from "../world.js";

/** `askline inbox`: a new link that opens the inbox in a browser; the one that a server printed works once. */
export async function runInbox(flags: RemoteFlags, world: World): Promise<number> {
  return withPresentStore(flags, world, async (store, settings) => {
    const auth = createAuth({ records: store.records, now: () => store.now() });
    const url = namedUrl(flags, world) ?? settings.publicUrl ?? localUrl(settings);
    const link = await inboxLink(auth, url.replace(/\/$/, ""), settings.person);
    await print(world, flags.json, { person: settings.person, url: link }, () => link);
    return 0;
  });
}
