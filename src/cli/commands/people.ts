import type { Person } from "../../core/model/person.js";
import { displayLine } from "../../core/text/display.js";
import { PAGE_SIZE, type Store } from "../../hub/seam/store.js";
import { createAuth } from "../../server/access/auth.js";
import { namedAsks, peopleWith, removePerson } from "../../server/access/people.js";
import { type Define, examples, withDatabase } from "../input/command.js";
import { print } from "../output/print.js";
import { type Column, printTable } from "../output/table.js";
import { exactTime, relativeTime } from "../output/units.js";
import type { SettingFlags } from "../settings/settings.js";
import { withPresentStore } from "../settings/store.js";
import type { World } from "../world/world.js";

export const define: Define = (people, { world, end }) => {
  withDatabase(people)
    .addHelpText("after", HELP)
    .action(async () => end(await runList(people.optsWithGlobals(), world)));
  const remove = people.command("remove").description("end a person's tokens, sign-ins and links");
  withDatabase(remove)
    .argument("<person>", "the person's id")
    .option("--to <person>", "who is added to the asks that wait for them")
    .addHelpText("after", examples("askline people remove ben", "askline people remove ben --to ana"))
    .action(async (person: string) => end(await runRemove(person, remove.optsWithGlobals(), world)));
};

const HELP = `
The server knows a person who got a token or a signed link, or signed in. An ask to somebody else, or to somebody who
has left, gets a warning; "askline serve --known-people" refuses it.
${examples("askline people", "askline people --json", "askline people remove ben --to ana")}`;

function partsOf(store: Store, { user }: World) {
  return {
    auth: createAuth({ records: store.records, now: () => store.now(), user }),
    asks: namedAsks((after: number | undefined) =>
      store.asks.list({ status: "pending", limit: 500, maxSize: PAGE_SIZE, after }),
    ),
  };
}

type Listed = Person & { readonly browsers: number; readonly waiting: number };

async function runList(flags: SettingFlags, world: World): Promise<number> {
  return withPresentStore(flags, world, async (store) => {
    const { auth, asks } = partsOf(store, world);
    const people = await peopleWith(auth, asks);
    const now = world.clock.now();
    const table: readonly Column<Listed>[] = [
      { title: "PERSON", cell: ({ id }) => displayLine(id), most: 32 },
      { title: "SINCE", cell: ({ since }) => exactTime(since).slice(0, 10) },
      { title: "BROWSERS", cell: ({ browsers }) => String(browsers) },
      {
        title: "LAST SEEN",
        cell: ({ seen }) => (seen === undefined ? "-" : relativeTime(seen, now)),
      },
      { title: "WAITING", cell: ({ waiting }) => String(waiting) },
      {
        title: "",
        cell: ({ left }) => (left === undefined ? "" : `left ${exactTime(left).slice(0, 10)}`),
      },
    ];
    const nobody = "Nobody is known yet. Sign somebody in: askline link --person ana";
    await printTable(world, flags.json, { people }, people, table, nobody);
    return 0;
  });
}

interface RemoveFlags extends SettingFlags {
  readonly to?: string;
}

async function runRemove(person: string, { to, ...flags }: RemoveFlags, world: World): Promise<number> {
  return withPresentStore(flags, world, async (store) => {
    const { auth, asks } = partsOf(store, world);
    const removed = await removePerson(auth, asks, person, to, (id, people) =>
      store.asks.change(id, { kind: "escalate", to: people }),
    );
    const { waiting } = removed;
    const name = displayLine(person);
    const next =
      to === undefined
        ? `pass them on: askline people remove ${name} --to <person>`
        : `${displayLine(to)} was added to them`;
    await print(world, flags.json, removed, () =>
      [
        `${name} removed: tokens, sign-ins and links have ended`,
        ...(waiting.length === 0
          ? ["nothing waits for them by name"]
          : [`waiting for them (${waiting.length}):`, ...waiting.map((id) => `  ${id}`), next]),
      ].join("\n"),
    );
    return 0;
  });
}
