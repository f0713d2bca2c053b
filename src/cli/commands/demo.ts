import { runDemo } from "../demo/run-demo.js";
import { answerDemo } from "../demo/scripted-person.js";
import { runSessionDemo } from "../demo/session-demo.js";
import { jsonReporter, textReporter } from "../demo/text-reporter.js";
import { SIGNAL_EXIT_CODES } from "../exit-codes.js";
import { columnsOf } from "../print.js";
import { type Remote, type RemoteFlags, withClient } from "../remote/open-client.js";
import { stderrLogger } from "../remote/stderr-logger.js";
import type { Interruption, World } from "../world.js";

export interface DemoFlags extends RemoteFlags {
  readonly answerAll?: boolean;
  readonly session?: boolean;
}

const RETRY_FOR_MS = 5_000;

/** `askline demo`: a scripted agent that asks through a server and waits for a person. */
export async function runDemoCommand(flags: DemoFlags, world: World): Promise<number> {
  const interruption = world.interruption();
  const options = { retryForMs: RETRY_FOR_MS, logger: stderrLogger(world) };
  try {
    const finished = await withClient(
      flags,
      "agent",
      world,
      (agent) =>
        flags.answerAll
          ? withClient(
              flags,
              "person",
              world,
              (person) => playBoth(agent, person, flags, world, interruption),
              options,
            )
          : play(agent, flags, world, interruption),
      options,
    );
    return finished ? 0 : SIGNAL_EXIT_CODES[interruption.received() ?? "SIGINT"];
  } finally {
    interruption.dispose();
  }
}

function play(
  { client, url, settings, hint }: Remote,
  flags: DemoFlags,
  world: World,
  { signal }: Interruption,
): Promise<boolean> {
  const write = (text: string): void => {
    world.stdout.write(text);
  };
  if (flags.session) {
    const place = { columns: columnsOf(world), url, dataFolder: settings.data };
    return runSessionDemo({ client, signal, write, json: flags.json ?? false, ...place });
  }
  const reporter = flags.json
    ? jsonReporter(write)
    : textReporter({ write, columns: columnsOf(world), url, dataFolder: settings.data, hint });
  return runDemo({ client, signal, logger: stderrLogger(world), reporter });
}

/** The agent and a scripted person, until the agent has come to its end. */
async function playBoth(
  agent: Remote,
  person: Remote,
  flags: DemoFlags,
  world: World,
  interruption: Interruption,
): Promise<boolean> {
  const over = new AbortController();
  const answering = answerDemo(person.client, over.signal);
  try {
    // A person who fails ends the demo: nobody would answer any more.
    return await Promise.race([play(agent, flags, world, interruption), answering.then(() => false)]);
  } finally {
    over.abort();
    await answering.catch(() => undefined);
  }
}
