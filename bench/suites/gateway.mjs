// A durable ask from a plugin to a device and back over our gateway, beside a bare relay of the same frames (no
// storage, no tokens, nothing read). Every server has a process of its own, and its clients have another. What a store
// that writes nothing gives tells how much of the way is storing, and how much is reading, checking and sending.
import { openApart } from "../apart.mjs";
import { openPeers } from "../open-peers.mjs";

const PEER = { module: "peers/over-gateway.mjs", open: "openOverGateway" };

export const gateway = {
  name: "gateway",
  title: "From a plugin to a device and back, over WebSocket",
  rounds: 11,
  // A server runs for weeks, and takes some seconds until its code is compiled for what it does most.
  warmUp: 4,
  async open() {
    const { peers, close } = await openPeers({
      relay: () => openApart({ ...PEER, options: { server: "gateway-relay" } }),
      askline: () => openApart({ ...PEER, options: { server: "askline-gateway" } }),
      inMemory: () => openApart({ ...PEER, options: { server: "askline-gateway", store: "memory" } }),
      relayOne: () => openApart({ ...PEER, options: { server: "gateway-relay" }, sample: "oneQuestion" }),
      asklineOne: () => openApart({ ...PEER, options: { server: "askline-gateway" }, sample: "oneQuestion" }),
      inMemoryOne: () =>
        openApart({
          ...PEER,
          options: { server: "askline-gateway", store: "memory" },
          sample: "oneQuestion",
        }),
    });
    const measured = [1, 64].flatMap((concurrency) => [
      ...compared(peers.relay, peers.askline, peers.inMemory, concurrency, "four questions"),
      ...compared(peers.relayOne, peers.asklineOne, peers.inMemoryOne, concurrency, "one question"),
    ]);
    return { measurements: measured, close };
  },
};

function compared(relay, askline, inMemory, concurrency, asked) {
  // A slice begins with all connections at once and ends when the last one is done. Where each cycle takes twenty
  // milliseconds, as with 64 on two cores, a short slice would for a good part be its beginning and its end.
  const slice = { concurrency, milliseconds: concurrency === 1 ? 400 : 1_000 };
  const where = `${asked}, ${concurrency} ${concurrency === 1 ? "connection" : "connections"}`;
  return [
    { name: `relay, ${where}`, ...relay.cycles(slice) },
    {
      name: `askline, ${where}`,
      ratioTo: `relay, ${where}`,
      ...(concurrency === 64 && { budget: { atLeast: 0.35 } }),
      ...askline.cycles(slice),
    },
    { name: `askline in memory, ${where}`, ratioTo: `relay, ${where}`, ...inMemory.cycles(slice) },
  ];
}
