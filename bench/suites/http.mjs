// A durable ask through our server, beside a bare relay of the same messages (no storage, no tokens, nothing
// checked) and beside MCP's elicitation, which keeps nothing either. Every server has a process of its own, and
// its clients have another.
import { openApart } from "../apart.mjs";
import { openPeers } from "../open-peers.mjs";

const WAYS = { requests: "over held requests", events: "over events and a request" };
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
      ["relay", "askline"].map((server) => [
        `${server} ${way}`,
        () => openApart({ module: "peers/over-http.mjs", open: "openOverHttp", options: { server, way } }),
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
  const own = Object.entries(WAYS).flatMap(([way, said]) => [
    { name: `relay ${said}, ${where}`, ...peers[`relay ${way}`].cycles(slice) },
    {
      name: `askline ${said}, ${where}`,
      ratioTo: `relay ${said}, ${where}`,
      ...(concurrency === 64 && { budget: { atLeast: 0.35 } }),
      ...peers[`askline ${way}`].cycles(slice),
    },
  ]);
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
