// Our hub in one process, keeping nothing, beside LangGraph with its MemorySaver, which keeps nothing either.
// The budget is for one question: what LangGraph does hardly depends on the size of the ask, and we check
// every word of it. The rows with four questions show what that costs. Neither waits for anything but a core, so
// the time of the core is what counts.
import { openApart } from "../apart.mjs";
import { openPeers } from "../open-peers.mjs";

const SAMPLES = { "one question": "oneQuestion", "four questions": "fourQuestions" };

export const hubMemory = {
  name: "hub-memory",
  title: "From asking to going on with the answer, in one process and in memory",
  rounds: 11,
  warmUp: 3,
  needsPackages: true,
  async open() {
    const opening = Object.entries(SAMPLES).flatMap(([name, sample]) => [
      [`hub, ${name}`, { module: "peers/askline-hub.mjs", open: "openMemoryHub", sample }],
      [`LangGraph, ${name}`, { module: "peers/langgraph-memory.mjs", open: "openLangGraphMemory", sample }],
    ]);
    // Anew, because both keep all they were asked, and a slice is not to pay for the ones before it.
    const { peers, close } = await openPeers(
      Object.fromEntries(opening.map(([name, peer]) => [name, () => openApart({ ...peer, anew: true })])),
    );
    const measurements = Object.keys(SAMPLES).flatMap((sample) =>
      [1, 64].flatMap((concurrency) => {
        const where = `${sample}, ${concurrency} at once`;
        const slice = { concurrency, milliseconds: 400, time: "processor" };
        return [
          { name: `LangGraph, MemorySaver, ${where}`, ...peers[`LangGraph, ${sample}`].cycles(slice) },
          {
            name: `hub, ${where}`,
            ratioTo: `LangGraph, MemorySaver, ${where}`,
            ...(sample === "one question" && { budget: { atLeast: 50 } }),
            ...peers[`hub, ${sample}`].cycles(slice),
          },
        ];
      }),
    );
    return { measurements, close };
  },
};
