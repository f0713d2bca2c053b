import { reasonOf } from "../../client/failed-try.js";
import { NOT_PROVED } from "../../client/proved-fetch.js";
import { noSuchAsk } from "../../core/model/error.js";
import { LINK_MS } from "../../core/model/link.js";
import { mayAnswer } from "../../core/model/visibility.js";
import { displayLine } from "../../core/text/display.js";
import { createListPage } from "../../hub/asking/paging.js";
import { PAGE_SIZE, type Store } from "../../hub/seam/store.js";
import { type Auth, createAuth } from "../../server/access/auth.js";
import { type AskReader, findPending } from "../connect/find-ask.js";
import { runningAt } from "../connect/last-server.js";
import { inboxLink } from "../connect/local-access.js";
import { namedUrl } from "../connect/named-url.js";
import { type RemoteFlags, runningUrl } from "../connect/open-client.js";
import { serverFetch, TOO_OLD } from "../connect/server-fetch.js";
import { ASK_ID, type Define, examples, withDatabase } from "../input/command.js";
import { openBrowser } from "../output/open-browser.js";
import { print } from "../output/print.js";
import { drawCode } from "../output/qr-code.js";
import { withPresentStore } from "../settings/store.js";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (command, { world, end }) => {
  withDatabase(command)
    .argument("[id]", `${ASK_ID}: a signed link to this one ask, valid for a day`)
    .option("--url <url>", "the server's address (ASKLINE_URL; otherwise this machine)")
    .option("--person <id>", "whose inbox (ASKLINE_PERSON; your user name)")
    .option("--new", "also for a person whom the server does not know yet")
    .option("--qr", "draw it as a QR code as well, for a phone")
    .option("--open", "open it in a browser (BROWSER; otherwise the usual one)")
    .addHelpText("after", HELP)
    .action(async (id: string | undefined) => end(await runLink(id, command.optsWithGlobals(), world)));
};

const HELP = `
Without an id, the link signs a person in once, within ten minutes. With an id, it opens that ask for that person, as often as needed, for a day: anyone who has it can answer as that person.
${examples(
  "askline link",
  "askline link --person ana --qr",
  "askline link --person bo --new",
  "askline link --open",
  "askline link 3f9a12bc --person ana",
)}`;

interface LinkFlags extends RemoteFlags {
  readonly person?: string;
  readonly new?: boolean;
  readonly qr?: boolean;
  readonly open?: boolean;
}

/** `askline link`: prints a new link that opens a person's inbox in a browser, once; or one ask. */
async function runLink(id: string | undefined, flags: LinkFlags, world: World): Promise<number> {
  return withPresentStore(flags, world, async (store, settings) => {
    const auth = createAuth({ records: store.records, now: () => store.now() });
    const { person } = settings;
    if (flags.person !== undefined && flags.new !== true) await requirePerson(auth, person);
    const running = runningUrl(settings, world);
    const outside = settings.publicUrl ?? runningAt(settings.data, running)?.publicUrl;
    const url = (namedUrl(flags, world) ?? outside ?? running).replace(/\/$/, "");
    const isServed = await answersAt(url, settings.data);
    const link =
      id === undefined ? await inboxLink(auth, url, person) : await askLink(store, auth, url, id, person);
    if (!isServed) {
      // A machine often cannot reach its own address from outside, so this need not be a fault.
      const advice =
        url !== running && (await answersAt(running, settings.data))
          ? `nothing answers at ${url} from this machine, while the server runs at ${running}; if the link does not open, check the name, the proxy and its certificate`
          : `no server answers at ${url}; start one with "askline serve"`;
      world.stderr.write(`askline: ${advice}\n`);
    }
    await print(world, flags.json, { person, url: link }, () => link);
    if (flags.qr === true) await drawCode(link, world);
    if (flags.open === true) await openBrowser(id === undefined ? `${link}#open` : link, world);
    return 0;
  });
}

/** A signed link for one person to one ask. */
async function askLink(store: Store, auth: Auth, url: string, text: string, person: string): Promise<string> {
  const ask = await findPending(storedAsks(store), text, "");
  if (!mayAnswer(person, ask)) {
    throw new CommandError(
      `${ask.id} is not addressed to "${displayLine(person)}" (it is addressed to ${ask.recipients.map(displayLine).join(", ")})`,
    );
  }
  const { link } = await auth.createLink({ askId: ask.id, person, expiresIn: LINK_MS.usual });
  return `${url}/a/${link}`;
}

/** The asks of a store as a client would read them. */
function storedAsks(store: Store): AskReader {
  const list = createListPage(store, { usual: 100, largest: 500, largestSize: PAGE_SIZE });
  return {
    async get(id) {
      const ask = await store.asks.get(id);
      if (ask === undefined) throw noSuchAsk(id);
      return ask;
    },
    list: (filter = {}, page = {}) => list(filter, page),
  };
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

/** Whether the server answers there. A link to another program would give it the person's sign-in. */
async function answersAt(url: string, data: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    return (await serverFetch(data, url)(`${url}/healthz`, { signal })).ok;
  } catch (error) {
    const reason = reasonOf(error);
    if (reason !== NOT_PROVED && reason !== TOO_OLD) return false;
    throw new CommandError(`no link was made to ${url}: ${reason}`, FAULT_EXIT_CODE);
  }
}
