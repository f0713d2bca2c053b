// A durable ask through our server, beside a relay of the same messages that writes the same rows by hand (no tokens,
// nothing checked), which is the honest limit, beside a bare relay that stores nothing, and beside MCP's elicitation,
// which stores nothing either. Every server has a process of its own, and its clients have another.
import { openApart } from "../apart.mjs";
import { besideRelays } from "../beside-relays.mjs";
import { openPeers } from "../open-peers.mjs";

export const PEER = { module: "peers/over-http.mjs", open: "openOverHttp" };
export const WAYS = { requests: "over held requests", events: "over events and a request" };
const SERVERS = {
  relay: { server: "relay", store: "none" },
  "storing relay": { server: "relay", store: "sqlite" },
  askline: { server: "askline", store: "sqlite" },
};
const MCP = {
  "MCP 1.32 over HTTP": { major: 1, way: "http" },
  "MCP 2.4 over HTTP": { major: 2, way: "http" },
  "MCP 1.32 over stdio": { major: 1, way: "stdio" },
  "MCP 2.4 over stdio": { major: 2, way: "stdio" },
};

export const http = {
  name: "http",
  title: "From asking four questions to going on with the answers, over HTTP",
  rounds: 11,
  warmUp: 2,
  needsPackages: true,
  async open() {
    const ours = Object.keys(WAYS).flatMap((way) =>
      Object.entries(SERVERS).map(([name, options]) => [
        `${name} ${way}`,
        () => openApart({ ...PEER, options: { ...options, way } }),
      ]),
    );
    const mcp = Object.entries(MCP).map(([name, options]) => [
      name,
      () => openApart({ module: "peers/mcp.mjs", open: "openMcp", options }),
    ]);
    const { peers, close } = await openPeers(Object.fromEntries([...ours, ...mcp]));
    return { measurements: [1, 64].flatMap((concurrency) => measurementsOf(peers, concurrency)), close };
  },
};

function measurementsOf(peers, concurrency) {
  const slice = { concurrency, milliseconds: 400 };
  const where = `${concurrency} at once`;
  const own = Object.entries(WAYS).flatMap(([way, said]) => {
    const row = (server) => ({
      name: `${server} ${said}, ${where}`,
      ...peers[`${server} ${way}`].cycles(slice),
    });
    return besideRelays(row, concurrency);
  });
  const others = Object.keys(MCP).flatMap((name) => [
    { name: `${name}, ${where}`, ...peers[name].cycles(slice) },
    {
      name: `askline ${WAYS.requests}, ${where}`,
      unit: "cycles/s",
      ratioTo: `${name}, ${where}`,
    },
  ]);
  return [...own, ...others];
}
