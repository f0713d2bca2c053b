// Each peer runs in its own process. In one process they would share a heap, and the peer with the most garbage
// would pay for collecting what the others keep; process-wide settings of one peer, such as async hooks, would
// slow down the others.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { measuring } from "./askline.mjs";

const PROGRAM = fileURLToPath(new URL("apart-process.mjs", import.meta.url));

/**
 * Opens a peer in a new process: `{ module: "peers/askline-hub.mjs", open: "openMemoryHub" }`, with the name
 * of a `sample` of sample-ask.mjs and `options` if it takes any. Gives `{ cycles, close }`, where
 * `cycles({ concurrency, milliseconds, time })` is a unit and a slice as of `cyclesPerSecond`. With `anew`, each
 * slice has a new peer. With `checkout`, the peer uses the build of that checkout.
 */
export async function openApart({ module, open, sample = "fourQuestions", options, anew = false, checkout }) {
  const env = checkout === undefined ? process.env : measuring(checkout);
  const child = fork(PROGRAM, [], { env, execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  let waiting;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.on("message", ({ figure, error }) => {
    if (error === undefined) waiting?.resolve(figure);
    else waiting?.reject(new Error(`${open}: ${error}`));
  });
  child.once("exit", (code) => waiting?.reject(new Error(`${open}: its process ended with ${code}`)));

  function tell(message) {
    return new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      child.send(message);
    });
  }
  async function close() {
    // It closes its peer and ends when nobody is connected to it any more, so also when we are killed.
    if (child.connected) child.disconnect();
    await ended;
  }

  try {
    await tell({ open: { module, open, sample, options, anew } });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    cycles: (slice) => ({
      unit: slice.time === "processor" ? "cycles per s of a core" : "cycles/s",
      slice: () => tell(slice),
    }),
    close,
  };
}
