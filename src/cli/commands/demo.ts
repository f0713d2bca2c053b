import { createAuth } from "../../server/access/auth.js";
import { inboxLink } from "../connect/local-access.js";
import { announcedServer } from "../connect/local-server.js";
import { namedUrl } from "../connect/named-url.js";
import { type Remote, type RemoteFlags, withClient } from "../connect/open-client.js";
import { jsonReporter, textReporter } from "../demo/reporter.js";
import { answerDemo, runDemo } from "../demo/run-demo.js";
import { runSessionDemo } from "../demo/session-demo.js";
import { type Define, examples, withRemote } from "../input/command.js";
import { stderrLogger } from "../output/logger.js";
import { openBrowser } from "../output/open-browser.js";
import { columnsOf } from "../output/print.js";
import { readSettings } from "../settings/settings.js";
import { withPresentStore } from "../settings/store.js";
import { SIGNAL_EXIT_CODES } from "../world/exit.js";
import type { Interruption, World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withRemote(command)
    .option("--answer-all", "have a scripted person answer everything immediately")
    .option("--no-open", "do not open the inbox in a browser")
    .option("--session", "run a conversation instead: groups of tool calls, and two questions")
    .addHelpText(
      "after",
      HELP +
        examples(
          "askline demo",
          "askline serve --demo",
          "askline demo --answer-all",
          "askline demo --session",
        ),
    )
    .action(async () => end(await runDemoCommand(command.optsWithGlobals() as DemoFlags, world)));
};

export interface DemoFlags extends RemoteFlags {
  readonly answerAll?: boolean;
  readonly session?: boolean;
  /** False with `--no-open`. */
  readonly open?: boolean;
}

const HELP = `
Uses the server that runs on this machine, or starts one in the background, which "askline stop" ends. At a terminal,
opens the inbox in a browser. The agent is a script: it changes nothing.
`;

const RETRY_FOR_MS = 5_000;

/** `askline demo`: a scripted agent that asks through a server and waits for a person. */
async function runDemoCommand(given: DemoFlags, world: World): Promise<number> {
  const interruption = world.interruption();
  const options = { retryForMs: RETRY_FOR_MS, logger: stderrLogger(world) };
  try {
    const flags = namedUrl(given, world) === undefined ? await startWhatItNeeds(given, world) : given;
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

/** Finds or starts the local server, and opens the inbox for a person who can see it. */
async function startWhatItNeeds(flags: DemoFlags, world: World): Promise<DemoFlags> {
  const settings = await readSettings(flags, world);
  const { url } = await announcedServer(flags, settings, world);
  const isSeen = world.stdout.isTTY === true || Boolean(world.environment.BROWSER);
  if (isSeen && !flags.json && !flags.answerAll && settings.db.kind !== "memory") {
    const link = await withPresentStore(flags, world, (store) => {
      const auth = createAuth({ records: store.records, now: () => store.now() });
      return inboxLink(auth, url, settings.person);
    });
    // A one-time code belongs on a terminal, never in a log.
    if (world.stdout.isTTY === true) {
      world.stdout.write(`Answer in the browser (the link works once, within 10 minutes):\n  ${link}\n`);
    }
    if (flags.open !== false) await openBrowser(`${link}#open`, world);
  }
  return { ...flags, url };
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
