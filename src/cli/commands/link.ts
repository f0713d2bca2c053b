import { spawn } from "node:child_process";
import { displayLine } from "../../core/index.js";
import { type Auth, createAuth } from "../../server/index.js";
import { inboxLink } from "../connect/local-access.js";
import { localUrl, namedUrl, type RemoteFlags } from "../connect/open-client.js";
import { type Define, examples, withDatabase } from "../input/command.js";
import { print } from "../output/print.js";
import { withPresentStore } from "../settings/store.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withDatabase(command)
    .option("--url <url>", "the server's address (ASKLINE_URL; otherwise this machine)")
    .option("--person <id>", "whose inbox (ASKLINE_PERSON; your user name)")
    .option("--new", "also for a person whom the server does not know yet")
    .option("--open", "open it in a browser (BROWSER; otherwise the usual one)")
    .addHelpText("after", HELP)
    .action(async () => end(await runLink(command.optsWithGlobals(), world, { checks: true })));
};

const HELP = `
The link signs a person in once, within ten minutes.
${examples("askline link", "askline link --person ana", "askline link --person bo --new", "askline link --open")}`;

/** The name that this command had before: prints a link for any person, and checks nothing. */
export const defineInbox: Define = (command, { world, end }) => {
  withDatabase(command)
    .option("--url <url>", "the server's address (ASKLINE_URL; otherwise this machine)")
    .option("--person <id>", "whose inbox (ASKLINE_PERSON; your user name)")
    .addHelpText("after", `\nSee also "askline link".\n${examples("askline inbox --person ana")}`)
    .action(async () => end(await runLink(command.optsWithGlobals(), world, { checks: false })));
};

interface LinkFlags extends RemoteFlags {
  readonly person?: string;
  readonly new?: boolean;
  readonly open?: boolean;
}

/** `askline link`: prints a new link that opens a person's inbox in a browser, once. */
async function runLink(
  flags: LinkFlags,
  world: World,
  { checks }: { readonly checks: boolean },
): Promise<number> {
  return withPresentStore(flags, world, async (store, settings) => {
    const auth = createAuth({ records: store.records, now: () => store.now() });
    const { person } = settings;
    if (checks && flags.person !== undefined && flags.new !== true) await requirePerson(auth, person);
    const url = (namedUrl(flags, world) ?? settings.publicUrl ?? localUrl(settings)).replace(/\/$/, "");
    const link = await inboxLink(auth, url, person);
    if (checks && !(await isServed(url))) {
      world.stderr.write(`askline: no server answers at ${url}; start one with "askline serve"\n`);
    }
    await print(world, flags.json, { person, url: link }, () => link);
    if (flags.open === true) await openBrowser(link, world);
    return 0;
  });
}

/** A mistyped name would sign somebody in as a person to whom nothing is addressed. */
async function requirePerson(auth: Auth, person: string): Promise<void> {
  const known = (await auth.listTokens()).filter(({ role }) => role === "person").map(({ name }) => name);
  if (known.includes(person)) return;
  const names = [...new Set(known)].map(displayLine).join(", ");
  throw new CommandError(
    `this server knows no person "${displayLine(person)}" (${names === "" ? "it knows nobody yet" : `it knows ${names}`}); add --new to make a link for a new person`,
  );
}

const ANSWER_WITHIN_MS = 1_000;

async function isServed(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })).ok;
  } catch {
    return false;
  }
}

const BROWSERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Resolves when the browser was started, not when it ends. */
function openBrowser(link: string, { environment, stderr }: World): Promise<void> {
  const own = environment.BROWSER ? [environment.BROWSER] : undefined;
  const [command = "xdg-open", ...args] = own ?? BROWSERS[process.platform] ?? [];
  return new Promise((resolve) => {
    const child = spawn(command, [...args, link], { stdio: "ignore", detached: true });
    child.once("spawn", () => {
      child.unref();
      resolve();
    });
    child.once("error", (error) => {
      stderr.write(
        `askline: cannot start ${displayLine(command)} (${error.message}); open the link yourself\n`,
      );
      resolve();
    });
  });
}
