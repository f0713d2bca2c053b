// What a webhook on every event costs those who ask and answer: the same server with and without one, in turns. The
// receiver runs on the same machine, in another thread, so a part of the cost is its own.
import { openApart } from "../apart.mjs";
import { openPeers } from "../open-peers.mjs";
import { PEER } from "./http.mjs";

const WITHOUT = "askline without a webhook";
const WITH = "askline with a webhook on every event";

export const webhook = {
  name: "webhook",
  title: "From asking four questions to going on with the answers, with a webhook on every event",
  rounds: 9,
  warmUp: 2,
  async open() {
    const open = (store) => () =>
      openApart({ ...PEER, options: { server: "askline", store, way: "requests" } });
    const { peers, close } = await openPeers({ [WITHOUT]: open("sqlite"), [WITH]: open("webhook") });
    const measurements = [1, 64].flatMap((concurrency) => {
      const slice = { concurrency, milliseconds: 400 };
      const where = `${concurrency} at once`;
      return [
        { name: `${WITHOUT}, ${where}`, ...peers[WITHOUT].cycles(slice) },
        {
          name: `${WITH}, ${where}`,
          ratioTo: `${WITHOUT}, ${where}`,
          ...peers[WITH].cycles(slice),
        },
      ];
    });
    return { measurements, close };
  },
};
