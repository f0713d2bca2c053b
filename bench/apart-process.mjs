// The process of one peer, started by apart.mjs. Opens what it is told to, then measures slice after slice,
// and ends when its parent lets go of it.
import { cyclesPerSecond } from "./cycles.mjs";
import { samples } from "./sample-ask.mjs";

const WARM_UP_MS = 2_500;

let openPeer;
let peer;
let anew = false;

process.on("message", async (message) => {
  try {
    process.send({ figure: message.open === undefined ? await measure(message) : await open(message.open) });
  } catch (error) {
    process.send({ error: error.stack });
  }
});

process.once("disconnect", async () => {
  await peer?.close();
  process.exit();
});

// The terminal's Ctrl+C reaches the parent too: when that is gone we are disconnected, and close in order.
process.on("SIGINT", () => {});

async function open(wanted) {
  const module = await import(new URL(wanted.module, import.meta.url));
  openPeer = () => module[wanted.open](samples[wanted.sample], wanted.options);
  anew = wanted.anew;
  peer = await openPeer();
  // Slices are short, and the more code a peer has, the longer it takes until it is compiled.
  await cyclesPerSecond(peer, { concurrency: 64, milliseconds: WARM_UP_MS })();
}

async function measure(slice) {
  if (anew) {
    await peer.close();
    peer = await openPeer();
  }
  return cyclesPerSecond(peer, slice)();
}
