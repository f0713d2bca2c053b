// A durable ask through MCP over stdio, whose hub is in another process, beside the same MCP server as small as it can
// be: it forwards each call over HTTP to a process that writes the same rows with the same group commit, and checks
// nothing.
import { openApart } from "../apart.mjs";
import { openPeers } from "../open-peers.mjs";

const PEERS = {
  "MCP that forwards to a storing relay": { server: "relay" },
  "askline mcp": { server: "askline" },
};

export const mcp = {
  name: "mcp",
  title: "From a tool call over MCP stdio to its result, with a person at the server behind",
  rounds: 7,
  warmUp: 2,
  async open() {
    const opening = Object.entries(PEERS).map(([name, options]) => [
      name,
      () => openApart({ module: "peers/mcp-ask.mjs", open: "openMcpAsk", options }),
    ]);
    const { peers, close } = await openPeers(Object.fromEntries(opening));
    const [forwarding, ours] = Object.keys(PEERS);
    const measurements = [1, 64].flatMap((concurrency) => {
      const slice = { concurrency, milliseconds: 600 };
      const row = (name) => ({ name: `${name}, ${concurrency} at once`, ...peers[name].cycles(slice) });
      const limit = row(forwarding);
      const budget = concurrency === 64 ? { budget: { atLeast: 0.5 } } : {};
      return [limit, { ...row(ours), ratioTo: limit.name, ...budget }];
    });
    return { measurements, close };
  },
};
