import { displayLine } from "../../core/text/display.js";
import { rotateSecret, type SecretOwner, signingSecret } from "../../hub/delivery/http/signing.js";
import { type Delivery, listDeliveries, retryDelivery } from "../../hub/delivery/outbox/entry.js";
import type { Store } from "../../hub/seam/store.js";
import { type Auth, createAuth } from "../../server/access/auth.js";
import { type Define, examples, withDatabase } from "../input/command.js";
import { columnsOf, print } from "../output/print.js";
import { type Column, printTable } from "../output/table.js";
import { relativeTime } from "../output/units.js";
import { nearest } from "../settings/names.js";
import type { SettingFlags } from "../settings/settings.js";
import { withPresentStore } from "../settings/store.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (deliveries, { world, end }) => {
  deliveries.addHelpText(
    "after",
    examples(
      "askline deliveries list",
      "askline deliveries retry --dead",
      "askline deliveries secret --asker builder",
    ),
  );

  const list = deliveries
    .command("list", { isDefault: true })
    .description("list what waits, fails or was given up");
  withDatabase(list)
    .option("--ask <id>", "only the deliveries of this ask")
    .option("--dead", "only what was given up")
    .addHelpText("after", LIST_HELP)
    .action(async () => end(await runList(list.optsWithGlobals(), world)));

  const retry = deliveries.command("retry").description("attempt failed deliveries again, now");
  withDatabase(retry)
    .argument("[id]", "the id of a delivery, as the list prints it, or the beginning of the id")
    .option("--ask <id>", "instead of an id: the failed deliveries of this ask")
    .option("--dead", "instead of an id: everything that was given up")
    .addHelpText(
      "after",
      examples("askline deliveries retry --dead", "askline deliveries retry --ask ask_0193"),
    )
    .action(async (id: string | undefined) => end(await runRetry(id, retry.optsWithGlobals(), world)));

  const secret = deliveries.command("secret").description("print the secret that signs messages");
  withDatabase(secret)
    .option("--asker <name>", "the callbacks of the asks of this agent, by the name of its token")
    .option("--webhooks", "all webhooks without a secret of their own")
    .option("--rotate", "make a new one; the old one also signs for another 24 hours")
    .addHelpText("after", SECRET_HELP)
    .action(async () => end(await runSecret(secret.optsWithGlobals(), world)));
};

const LIST_HELP = `
A delivery that fails is attempted again for three days, with growing pauses. Then it is dead: it stays listed for 30
days, and "askline deliveries retry" gives it another three days.
${examples("askline deliveries", "askline deliveries list --dead --json")}`;

const SECRET_HELP = `
Messages are signed as Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature). Receivers check them with
this secret; libraries exist for most languages.
${examples("askline deliveries secret --webhooks", "askline deliveries secret --asker builder --rotate")}`;

export interface DeliveryFlags extends SettingFlags {
  readonly ask?: string;
  readonly dead?: boolean;
  readonly asker?: string;
  readonly webhooks?: unknown;
  readonly rotate?: boolean;
}

/** More than anybody reads; the rest is counted by `/metrics`. */
const MOST = 1_000;

async function runList(flags: DeliveryFlags, world: World): Promise<number> {
  return withPresentStore(settingsOf(flags), world, async (store) => {
    const found = await find(store, flags);
    const now = store.now();
    const deliveries = found.map((one) => ({ id: idOf(one), ...withoutData(one) }));
    const table = columnsFor(columnsOf(world), now);
    const nothing = "Nothing waits to be delivered, and nothing was given up.";
    await printTable(world, flags.json, { deliveries }, found, table, nothing);
    return 0;
  });
}

const NARROW = 60;
const MEDIUM = 110;

/** The state and the reason always; the rest where there is room. */
function columnsFor(
  width: number = Number.POSITIVE_INFINITY,
  now: number,
): readonly (Column<Delivery> | false)[] {
  const isWide = width >= MEDIUM;
  return [
    { title: "ID", cell: idOf, most: 14 },
    { title: "STATE", cell: ({ state }) => state },
    width >= NARROW && { title: "TO", cell: ({ title }) => displayLine(title), most: isWide ? 32 : 22 },
    isWide && { title: "WHAT", cell: ({ type }) => displayLine(type) },
    // As in other tables at a terminal: the last characters are enough to find the ask.
    isWide && { title: "ASK", cell: ({ askId }) => displayLine(askId).slice(-8) },
    width >= NARROW && { title: "TRIES", cell: ({ attempts }) => String(attempts) },
    width >= NARROW && {
      title: "NEXT",
      cell: ({ state, nextAt = now }) =>
        state === "dead" ? "never" : nextAt <= now ? "now" : relativeTime(nextAt, now),
    },
    { title: "WHY", cell: ({ waitsFor, lastError = "" }) => displayLine(waitsFor ?? lastError) },
  ];
}

async function runRetry(id: string | undefined, flags: DeliveryFlags, world: World): Promise<number> {
  if ([id !== undefined, flags.ask !== undefined, flags.dead === true].filter(Boolean).length !== 1) {
    throw new CommandError("give either the id of a delivery, --ask or --dead");
  }
  return withPresentStore(settingsOf(flags), world, async (store) => {
    const found = (await find(store, flags)).filter(
      (one) => one.state !== "waiting" && (id === undefined || idOf(one).startsWith(id)),
    );
    if (id !== undefined && found.length !== 1) {
      throw new CommandError(
        found.length === 0
          ? `no failed delivery has the id "${displayLine(id)}"; "askline deliveries" prints all ids`
          : `"${displayLine(id)}" matches several deliveries; give more characters of the id`,
      );
    }
    let retried = 0;
    for (const one of found) if (await retryDelivery(store.records, one)) retried += 1;
    await print(world, flags.json, { retried }, () =>
      retried === 0
        ? "Nothing to retry."
        : retried === 1
          ? "1 delivery is attempted again"
          : `${retried} deliveries are attempted again`,
    );
    return 0;
  });
}

async function runSecret(flags: DeliveryFlags, world: World): Promise<number> {
  const { asker } = flags;
  if ((asker === undefined) === (flags.webhooks === undefined)) {
    throw new CommandError("give either --asker with the name of an agent, or --webhooks");
  }
  const owner: SecretOwner = asker === undefined ? "webhooks" : { asker };
  return withPresentStore(settingsOf(flags), world, async ({ records, asks, now }) => {
    if (asker !== undefined) await requireAsker(asker, asks, createAuth({ records, now }));
    const secret = flags.rotate
      ? await rotateSecret(records, owner, now())
      : await signingSecret(records, owner);
    await print(world, flags.json, { secret, ...(asker !== undefined && { asker }) }, () => secret);
    return 0;
  });
}

/** A secret for a name that nobody has would be good for nothing, and a typing error would go unnoticed. */
async function requireAsker(asker: string, asks: Store["asks"], auth: Auth): Promise<void> {
  const names = (await auth.listTokens()).filter(({ role }) => role === "agent").map(({ name }) => name);
  if (names.includes(asker)) return;
  // A host that identifies its callers by itself has no tokens.
  if ((await asks.list({ asker, limit: 1 })).asks.length > 0) return;
  const meant = nearest(asker, names);
  const hint = meant === undefined ? '"askline token list" lists them' : `did you mean "${meant}"?`;
  throw new CommandError(`there is no agent "${displayLine(asker)}"; ${hint}`);
}

async function find(
  { asks, records }: Pick<Store, "asks" | "records">,
  { ask: id, dead }: DeliveryFlags,
): Promise<readonly Delivery[]> {
  const ask = id === undefined ? {} : { ask: (await asks.get(id)) ?? { id } };
  const found = await listDeliveries(records, { limit: MOST, ...ask });
  return dead ? found.filter(({ state }) => state === "dead") : found;
}

/** Short, and without a secret: its lane and the position of its event. */
function idOf({ lane, position, key }: Delivery): string {
  const suffix = /\d{16}(.*)$/.exec(key)?.[1] ?? "";
  return `${position}-${lane.replace(/^webhook-/, "").slice(0, 8)}${suffix}`;
}

function withoutData({ data: _, ...delivery }: Delivery): Omit<Delivery, "data"> {
  return delivery;
}

/** Here `--webhooks` is a choice, not the setting of `askline serve`. */
function settingsOf({ webhooks: _, ...flags }: DeliveryFlags): SettingFlags {
  return flags;
}
