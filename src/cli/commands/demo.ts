import { type Remote, type RemoteFlags, withClient } from "../connect/open-client.js";
import { jsonReporter, textReporter } from "../demo/reporter.js";
import { answerDemo, runDemo } from "../demo/run-demo.js";
import { runSessionDemo } from "../demo/session-demo.js";
import { type Define, examples, withRemote } from "../input/command.js";
import { stderrLogger } from "../output/logger.js";
import { columnsOf } from "../output/print.js";
import { SIGNAL_EXIT_CODES } from "../world/exit.js";
import type { Interruption, World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withRemote(command)
    .option("--answer-all", "have a scripted person answer everything immediately")
    .option("--session", "run a conversation instead: groups of tool calls, and two questions")
    .addHelpText(
      "after",
      examples("askline demo", "askline serve --demo", "askline demo --answer-all", "askline demo --session"),
    )
    .action(async () => end(await runDemoCommand(command.optsWithGlobals() as DemoFlags, world)));
};

export interface DemoFlags extends RemoteFlags {
  readonly answerAll?: boolean;
  readonly session?: boolean;
}

const RETRY_FOR_MS = 5_000;

/** `askline demo`: a scripted agent that asks through a server and waits for a person. */
async function runDemoCommand(flags: DemoFlags, world: World): Promise<number> {
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
    return runSessionDemo({ client, signal, stdout: world.stdout, json: flags.json ?? false, ...place });
  }
  const reporter = flags.json
    ? jsonReporter(world.stdout)
    : textReporter({ write, columns: columnsOf(world), url, dataFolder: settings.data, hint });
  return runDemo({ client, signal, logger: stderrLogger(world), reporter });
}

/** Runs the agent and a scripted person until the agent is finished. */
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
    // If the scripted person fails, nobody answers any more, so the demo ends.
    return await Promise.race([play(agent, flags, world, interruption), answering.then(() => false)]);
  } finally {
    over.abort();
    await answering.catch(() => undefined);
  }
}
