import { columnsOf, print } from "../print.js";
import { findAsk } from "../remote/find-ask.js";
import { type RemoteFlags, withClient } from "../remote/open-client.js";
import { readAudit } from "../remote/read-audit.js";
import { readRoute } from "../remote/read-route.js";
import { auditText } from "../screen/audit-table.js";
import type { World } from "../world.js";

/** `askline audit ID`: asked, shown, opened, answered: who, when and where. */
export async function runAudit(id: string, flags: RemoteFlags, world: World): Promise<number> {
  return withClient(flags, "person", world, async (remote) => {
    const ask = await findAsk(remote.client, id, remote.hint);
    const path = `/v1/asks/${encodeURIComponent(ask.id)}/audit`;
    const audit = readAudit(await readRoute(remote, path, world.clock.now()));
    await print(world, flags.json, { id: ask.id, asker: ask.asker, audit }, () =>
      auditText(ask, audit, columnsOf(world)),
    );
    return 0;
  });
}
