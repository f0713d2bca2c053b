import type { AskRequest, Outcome } from "../core/index.js";
import { stdinResolver } from "../terminal/index.js";
import type { AskSource } from "./ask-source.js";
import { withDeadline } from "./with-deadline.js";
import type { Terminal, World } from "./world.js";

/** Asks the person at this terminal. */
export async function askPerson(
  ask: AskRequest,
  source: AskSource,
  timeoutMs: number | undefined,
  world: World,
  signal: AbortSignal,
): Promise<Outcome> {
  const surface = openSurface(source, world);
  if (surface === undefined) {
    world.stderr.write(
      "askline: there is no terminal to ask on; run this in one, or give the ask by --question or --file and the answers on stdin\n",
    );
    return { kind: "unavailable", reason: "there is no terminal to ask on" };
  }
  try {
    const by = { kind: "person", id: world.user, surface: "terminal" } as const;
    const resolver = stdinResolver({ input: surface.input, output: surface.output, by });
    const timed = withDeadline(resolver, ask, { timeoutMs, clock: world.clock });
    return await timed.ask(ask, { signal });
  } finally {
    surface.close();
  }
}

/** Prompts never go to stdout: that is for the outcome alone. */
function openSurface({ answersFrom }: AskSource, world: World): Terminal | undefined {
  if (answersFrom === "terminal") return world.openTerminal();
  // Destroyed at the end: an open standard input would keep the process from ending.
  return { input: world.stdin, output: world.stderr, close: () => world.stdin.destroy() };
}
