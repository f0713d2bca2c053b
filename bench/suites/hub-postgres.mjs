// Our hub over its PostgreSQL store beside the same rows written by hand. Each has a server of its own, with
// default settings: a commit is on disk when it is acknowledged.
import { openApart } from "../apart.mjs";
import { openPeers } from "../open-peers.mjs";

export const hubPostgres = {
  name: "hub-postgres",
  title: "From asking four questions to going on with the answers, on PostgreSQL",
  rounds: 15,
  warmUp: 2,
  needsPackages: true,
  async open() {
    const { peers, close } = await openPeers({
      byHand: () => openApart({ module: "peers/postgres-by-hand.mjs", open: "openPostgresByHand" }),
      hub: () => openApart({ module: "peers/askline-hub.mjs", open: "openPostgresHub" }),
    });
    const measurements = [1, 64].flatMap((concurrency) => {
      const slice = { concurrency, milliseconds: 300 };
      return [
        { name: `by hand, ${concurrency} at once`, ...peers.byHand.cycles(slice) },
        {
          name: `hub, ${concurrency} at once`,
          ratioTo: `by hand, ${concurrency} at once`,
          ...peers.hub.cycles(slice),
        },
      ];
    });
    return { measurements, close };
  },
};
