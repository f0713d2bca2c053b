// A durable ask from a plugin to a device and back over our gateway, beside a relay of the same frames that writes the
// same rows by hand (no tokens, nothing read or checked), which is the honest limit, and beside a bare relay that
// stores nothing. Every server has a process of its own, and its clients have another. What a store in memory gives
// shows how much of the way is storing, and how much is reading, checking and sending.
import { openApart } from "../apart.mjs";
import { besideRelays } from "../beside-relays.mjs";
import { openPeers } from "../open-peers.mjs";

export const PEER = { module: "peers/over-gateway.mjs", open: "openOverGateway" };
export const ASKED = { fourQuestions: "four questions", oneQuestion: "one question" };

export const gateway = {
  name: "gateway",
  title: "From a plugin to a device and back, over WebSocket",
  rounds: 11,
  // A server runs for weeks, and takes some seconds until its code is compiled for what it does most.
  warmUp: 4,
  async open() {
    const servers = {
      relay: { server: "gateway-relay", store: "none" },
      "storing relay": { server: "gateway-relay", store: "sqlite" },
      askline: { server: "askline-gateway", store: "sqlite" },
      "askline in memory": { server: "askline-gateway", store: "memory" },
    };
    const openers = Object.entries(ASKED).flatMap(([sample, asked]) =>
      Object.entries(servers).map(([name, options]) => [
        `${name}, ${asked}`,
        () => openApart({ ...PEER, options, sample }),
      ]),
    );
    const { peers, close } = await openPeers(Object.fromEntries(openers));
    return {
      measurements: [1, 64].flatMap((concurrency) =>
        Object.values(ASKED).flatMap((asked) => compared(peers, asked, concurrency)),
      ),
      close,
    };
  },
};

function compared(peers, asked, concurrency) {
  const { where, slice } = gatewaySlice(concurrency);
  const row = (server) => ({
    name: `${server}, ${asked}, ${where}`,
    ...peers[`${server}, ${asked}`].cycles(slice),
  });
  const [relay, ...others] = besideRelays(row, concurrency);
  return [relay, ...others, { ...row("askline in memory"), ratioTo: relay.name }];
}

/**
 * A slice begins with all connections at once and ends when the last one is done. Where each cycle takes twenty
 * milliseconds, as with 64 on two cores, a short slice would for a good part be its beginning and its end.
 */
export function gatewaySlice(concurrency) {
  return {
    where: `${concurrency} ${concurrency === 1 ? "connection" : "connections"}`,
    slice: { concurrency, milliseconds: concurrency === 1 ? 400 : 1_000 },
  };
}
