// The build of another checkout and ours in turns, for suites whose figures must not fall: what slows the machine slows
// both, so the ratio holds on a busy machine too.
import { openApart } from "../apart.mjs";
import { requireBuild } from "../askline.mjs";
import { openPeers } from "../open-peers.mjs";
import { coreCalls, core as coreSuite, sliced } from "./core.mjs";
import { ASKED, gatewaySlice, gateway as gatewaySuite, PEER as OVER_GATEWAY } from "./gateway.mjs";
import { http as httpSuite, PEER as OVER_HTTP, WAYS } from "./http.mjs";
import { HUB, hubSqlite } from "./hub-sqlite.mjs";

/** The suites that can be measured against the build of another checkout. */
export function suitesAgainst(checkout) {
  requireBuild(checkout);
  return [
    against(coreSuite, { openBoth: () => coreOf(checkout), atLeast: 0.5 }),
    against(hubSqlite, {
      peers: Object.entries(ASKED).map(([sample, name]) => ({ name, peer: { ...HUB, sample } })),
      slices: () => [{ where: "64 at once", slice: { concurrency: 64, milliseconds: 300 } }],
    }),
    against(httpSuite, {
      peers: Object.entries(WAYS).map(([way, name]) => ({
        name,
        peer: { ...OVER_HTTP, options: { server: "askline", way } },
      })),
      slices: () =>
        [1, 64].map((concurrency) => ({
          where: `${concurrency} at once`,
          slice: { concurrency, milliseconds: 400 },
        })),
    }),
    against(gatewaySuite, {
      peers: Object.entries(ASKED).map(([sample, name]) => ({
        name,
        peer: { ...OVER_GATEWAY, sample, options: { server: "askline-gateway" } },
      })),
      slices: () => [1, 64].map(gatewaySlice),
    }),
  ];

  function against({ name, title, rounds, warmUp }, { peers, slices, openBoth, atLeast = 0.75 }) {
    const open = openBoth ?? (() => peersOf(checkout, peers, slices()));
    return {
      name,
      title: `${title}: this build beside ${checkout}`,
      rounds,
      warmUp,
      async open() {
        const { pairs, close } = await open();
        const measurements = pairs.flatMap(([measured, before, now]) => [
          { name: `before: ${measured}`, ...before },
          { name: `now: ${measured}`, ratioTo: `before: ${measured}`, budget: { atLeast }, ...now },
        ]);
        return { measurements, close };
      },
    };
  }
}

async function coreOf(checkout) {
  const [before, now] = [await coreCalls(checkout), await coreCalls()];
  const pairs = Object.keys(now).map((call) => [
    `\`${call}\``,
    { unit: "/s", slice: sliced(before[call]) },
    { unit: "/s", slice: sliced(now[call]) },
  ]);
  return { pairs };
}

async function peersOf(checkout, peers, slices) {
  const openers = peers.flatMap(({ name, peer }) => [
    [`before: ${name}`, () => openApart({ ...peer, checkout })],
    [`now: ${name}`, () => openApart(peer)],
  ]);
  const opened = await openPeers(Object.fromEntries(openers));
  const pairs = slices.flatMap(({ where, slice }) =>
    peers.map(({ name }) => [
      `${name}, ${where}`,
      opened.peers[`before: ${name}`].cycles(slice),
      opened.peers[`now: ${name}`].cycles(slice),
    ]),
  );
  return { pairs, close: opened.close };
}
