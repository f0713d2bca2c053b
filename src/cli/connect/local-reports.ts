// Reports for the person of this machine, whose answer came from the client's own form or card. They need a token that was
// made for it: this one is created at the first report, for the agent of this machine, and expires.

import type { ClientReportOptions } from "../../client/asking.js";
import type { Client } from "../../client/connect.js";
import { connect } from "../../client/local-server.js";
import type { Ask } from "../../core/model/ask.js";
import type { Ending } from "../../core/model/ending.js";
import { createAuth } from "../../server/access/auth.js";
import type { Settings } from "../settings/settings.js";
import { withStore } from "../settings/store.js";
import type { World } from "../world/world.js";
import { findLocalServer } from "./background.js";
import { withStoreOf } from "./last-server.js";
import { LOCAL_AGENT } from "./local-access.js";
import type { LocalPort } from "./local-port.js";
import type { RemoteFlags } from "./open-client.js";
import { serverFetch } from "./server-fetch.js";

const EXPIRES_MS = 24 * 60 * 60_000;

interface Reporter {
  readonly url: string;
  readonly client: Client;
  readonly until: number;
}

/** The same port, whose reports count as the person's where they may. */
export function withLocalReports(
  port: LocalPort,
  flags: RemoteFlags,
  settings: Settings,
  world: World,
): LocalPort {
  let current: Reporter | undefined;
  const reporter = async (): Promise<Reporter | undefined> => {
    const server = await findLocalServer(settings);
    // Without the person's token in the file, nobody but the person may speak for them.
    if (server?.credentials.person === undefined) return undefined;
    const { url } = server;
    if (current?.url === url && world.clock.now() < current.until) return current;
    let token = "";
    await withStore(withStoreOf(flags, settings.data, url), world, async (store) => {
      const auth = createAuth({ records: store.records, now: () => store.now() });
      const made = await auth.createToken({
        ...{ role: "agent", name: LOCAL_AGENT, reports: [settings.person], automatic: true },
        expiresIn: EXPIRES_MS,
      });
      token = made.token;
      return 0;
    });
    const client = connect({ url, token, surface: "mcp", fetch: serverFetch(settings.data, url) });
    world.stderr.write(
      `askline: answers in the client's own form or card count as ${settings.person}'s, reported by ${LOCAL_AGENT}\n`,
    );
    await current?.client.close();
    current = { url, client, until: world.clock.now() + EXPIRES_MS / 2 };
    return current;
  };
  return {
    ...port,
    async report(id: string, ending: Ending, options: ClientReportOptions): Promise<Ask> {
      const own = await reporter();
      return (own?.client ?? port).report(id, ending, options);
    },
    async close() {
      await current?.client.close();
      await port.close();
    },
  } as LocalPort;
}
