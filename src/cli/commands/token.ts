import { Option } from "commander";
import { defined } from "../../core/kit/tools.js";
import type { TokenInfo } from "../../core/model/token.js";
import type { Role } from "../../core/model/visibility.js";
import { displayLine } from "../../core/text/display.js";
import type { Store } from "../../hub/seam/store.js";
import { type Auth, createAuth } from "../../server/access/auth.js";
import { freeName, namesakes } from "../connect/agent-names.js";
import { collect, type Define, examples, withDatabase } from "../input/command.js";
import { requireDuration } from "../input/time-flags.js";
import { print } from "../output/print.js";
import { type Column, printTable } from "../output/table.js";
import { counted, exactTime, relativeTime } from "../output/units.js";
import type { SettingFlags } from "../settings/settings.js";
import { withPresentStore, withStore } from "../settings/store.js";
import { CommandError } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (token, { world, end }) => {
  token.addHelpText("after", examples("askline token create --role agent", "askline token list"));

  const create = token.command("create").description("create a token and print it once");
  withDatabase(create)
    .addOption(
      new Option("--role <role>", "what the token may do")
        .choices(["agent", "person", "admin"])
        .makeOptionMandatory(),
    )
    .option("--person <id>", "for --role person: the person's id")
    .option(
      "--name <name>",
      "for an agent: the name its asks are stored under (a random one, such as agent-7f3a)",
    )
    .option("--owner <person>", "for an agent: the person it works for; others' agents do not see its asks")
    .option("--replace", "for an agent with --name: revoke its tokens of this name and owner")
    .option("--session <id>", "only this conversation; repeatable", collect)
    .option("--reports <person>", "for an agent: may report this person's answers; repeatable", collect)
    .option("--expires <duration>", "how long it is valid: 12h, 30d; without end if omitted")
    .addHelpText(
      "after",
      examples(
        "askline token create --role agent",
        "askline token create --role agent --name ci --expires 30d",
        "askline token create --role agent --name claude-code-ana --owner ana --reports ana",
        "askline token create --role agent --name ci --replace",
        "askline token create --role person --person ana",
        "ASKLINE_TOKEN=$(askline token create --role admin --name ops)",
      ),
    )
    .action(async () => end(await runTokenCreate(create.optsWithGlobals() as CreateTokenFlags, world)));

  const list = token.command("list").description("list all tokens, without their secrets");
  withDatabase(list)
    .addHelpText("after", examples("askline token list", "askline token list --json"))
    .action(async () => end(await runTokenList(list.optsWithGlobals(), world)));

  const revoke = token.command("revoke").description("revoke a token, or everything of a person");
  withDatabase(revoke)
    .argument("[id]", 'its id, as "askline token list" prints it, or the beginning of the id')
    .option("--person <id>", "instead of an id: end this person's tokens, sign-ins and links")
    .addHelpText("after", examples("askline token revoke 3f9a12bc77d0", "askline token revoke --person ana"))
    .action(async (id: string | undefined) => {
      const flags = revoke.optsWithGlobals() as RevokeTokenFlags;
      end(await runRevoke(id, flags, world));
    });
};

export interface CreateTokenFlags extends SettingFlags {
  readonly role: Role;
  readonly person?: string;
  readonly name?: string;
  readonly owner?: string;
  readonly replace?: boolean;
  readonly session?: readonly string[];
  readonly reports?: readonly string[];
  readonly expires?: string;
}

/**
 * `askline token create`: prints the token alone to stdout, once. The store keeps only its hash. An agent's name that
 * is in use is refused: its holder would see the asks of the other. With `--replace` the new token takes its place.
 */
async function runTokenCreate(flags: CreateTokenFlags, world: World): Promise<number> {
  const chosen = nameOf(flags);
  const expiresIn = flags.expires === undefined ? undefined : requireDuration("--expires", flags.expires);
  const { role, owner, replace } = flags;
  if (replace && (role !== "agent" || chosen === undefined)) {
    throw new CommandError("--replace needs --role agent and the --name of the agent");
  }
  return withAuth(withoutPerson(flags), world, async (auth) => {
    const agent = { name: chosen ?? (await freeName(auth)), ...defined({ owner }) };
    const others = role === "agent" ? await namesakes(auth, agent, world.clock.now()) : [];
    if (others.length > 0 && !replace) throw nameInUse(agent, others);
    const { token, info } = await auth.createToken({
      ...{ role, ...agent },
      ...defined({ sessions: flags.session, reports: flags.reports, expiresIn }),
    });
    const replaced = others.filter((other) => other.owner === owner);
    for (const { id } of replaced) await auth.revokeToken(id);
    await print(world, flags.json, { token, ...info }, () => token);
    if (!flags.json) {
      world.stderr.write(
        `askline: created token ${info.id} for ${describe(info)}; save it now, it is not shown again\n`,
      );
      for (const other of others) {
        const what = replaced.includes(other)
          ? `revoked token ${other.id}, which it replaces`
          : `token ${other.id} has the same name and another owner, or none; revoke it if nobody needs it`;
        world.stderr.write(`askline: ${what}\n`);
      }
    }
    return 0;
  });
}

/** `askline token list`: every token without its secret. */
async function runTokenList(flags: SettingFlags, world: World): Promise<number> {
  return withPresentAuth(flags, world, async (auth) => {
    const tokens = await auth.listTokens();
    const now = world.clock.now();
    const table: readonly (Column<TokenInfo> | false)[] = [
      { title: "ID", cell: ({ id }) => id },
      { title: "ROLE", cell: ({ role }) => role },
      { title: "NAME", cell: ({ name: text }) => displayLine(text), most: 24 },
      { title: "CREATED", cell: ({ createdAt }) => exactTime(createdAt).slice(0, 10) },
      { title: "EXPIRES", cell: (info) => expiry(info, now) },
      tokens.some(({ owner }) => owner !== undefined) && {
        title: "OWNER",
        cell: ({ owner = "" }) => displayLine(owner),
        most: 16,
      },
      tokens.some(({ reports }) => reports !== undefined) && {
        title: "REPORTS",
        cell: ({ reports = [] }) => reports.map(displayLine).join(", "),
        most: 16,
      },
      { title: "SESSIONS", cell: ({ sessions }) => (sessions ?? ["all"]).map(displayLine).join(", ") },
    ];
    const none = "There are no tokens. Create one: askline token create --role agent";
    await printTable(world, flags.json, { tokens }, tokens, table, none);
    return 0;
  });
}

interface RevokeTokenFlags extends SettingFlags {
  readonly person?: string;
}

function runRevoke(id: string | undefined, flags: RevokeTokenFlags, world: World): Promise<number> {
  const { person } = flags;
  if (id === undefined ? person === undefined : person !== undefined) {
    throw new CommandError("give either the id of a token or --person");
  }
  const others = withoutPerson(flags);
  return id === undefined ? runPersonRevoke(person ?? "", others, world) : runTokenRevoke(id, others, world);
}

/** `askline token revoke --person ana`: tokens, codes, browsers, sockets and signed links of the person end. */
async function runPersonRevoke(person: string, flags: SettingFlags, world: World): Promise<number> {
  return withPresentAuth(flags, world, async (auth) => {
    const { tokens, browsers } = await auth.revokePerson(person);
    await print(
      world,
      flags.json,
      { person, tokens, browsers },
      () =>
        `${displayLine(person)} revoked: ${counted(tokens, "token")}, ${counted(browsers, "browser")}, and every sign-in code and signed link`,
    );
    return 0;
  });
}

/** `askline token revoke ID`: the token stops working within a second, and a person is signed out of every browser unless it was for some sessions. */
async function runTokenRevoke(id: string, flags: SettingFlags, world: World): Promise<number> {
  const part = idIn(id);
  return withPresentAuth(flags, world, async (auth) => {
    const matching = (await auth.listTokens()).filter((info) => info.id.startsWith(part));
    const [found, other] = matching;
    if (found === undefined) {
      throw new CommandError(
        `no token has the id "${displayLine(id).slice(0, 24)}"; "askline token list" prints all ids`,
      );
    }
    if (other !== undefined) {
      throw new CommandError(
        `"${displayLine(id)}" matches several tokens; give all twelve characters of the id`,
      );
    }
    const isSignedOut = found.role === "person" && found.sessions === undefined;
    const signedOut = isSignedOut ? (await auth.devices(found.name)).length : 0;
    await auth.revokeToken(found.id);
    const browsers = signedOut === 0 ? "" : `, and signed out of ${counted(signedOut, "browser")}`;
    await print(
      world,
      flags.json,
      { revoked: found, signedOut },
      () => `${found.id} revoked: ${describe(found)}${browsers}`,
    );
    return 0;
  });
}

/** The id in what was typed; the token itself is accepted too. */
function idIn(text: string): string {
  const id = /^askline_([0-9a-f]{12})/.exec(text)?.[1] ?? text.trim().toLowerCase();
  if (id.length >= 4) return id;
  throw new CommandError(`"${displayLine(text)}" is not the id of a token; "askline token list" prints them`);
}

/** Undefined for an agent without `--name`. */
function nameOf({ role, person, name }: CreateTokenFlags): string | undefined {
  if (role === "person") {
    const id = person ?? name;
    if (id !== undefined) return id;
    throw new CommandError("--role person needs the person's id; add --person ana");
  }
  if (person !== undefined)
    throw new CommandError(`--person applies to --role person; name this ${role} with --name`);
  return name ?? (role === "admin" ? "admin" : undefined);
}

function nameInUse(
  { name, owner }: Pick<TokenInfo, "name" | "owner">,
  others: readonly TokenInfo[],
): CommandError {
  const ids = others.map(({ id }) => id).join(", ");
  const own = owner === undefined ? ", or say whom each agent works for with --owner" : "";
  return new CommandError(
    `the name ${displayLine(name)} is in use by ${ids}, and agents of one name share their asks; choose another name, replace it with --replace${own}`,
  );
}

/** Here `--person` names the owner of the token, not the setting of `askline serve`. */
function withoutPerson({ person: _person, ...flags }: CreateTokenFlags | RevokeTokenFlags): SettingFlags {
  return flags;
}

function describe({ role, name, owner, reports }: TokenInfo): string {
  const people = (reports ?? []).map(displayLine).join(", ");
  const whose = owner === undefined ? "" : ` of ${displayLine(owner)}`;
  return `${role} ${displayLine(name)}${whose}${people === "" ? "" : `, who may report answers of ${people}`}`;
}

function expiry({ expiresAt }: TokenInfo, now: number): string {
  if (expiresAt === undefined) return "never";
  return expiresAt <= now ? "expired" : relativeTime(expiresAt, now);
}

type WithAuth = (flags: SettingFlags, world: World, task: (auth: Auth) => Promise<number>) => Promise<number>;

const withAuth: WithAuth = (flags, world, task) =>
  withStore(flags, world, (store) => task(authOf(store, world)));

/** Listing and revoking need a store that exists. */
const withPresentAuth: WithAuth = (flags, world, task) =>
  withPresentStore(flags, world, (store) => task(authOf(store, world)));

function authOf(store: Store, { user }: World): Auth {
  return createAuth({ records: store.records, now: () => store.now(), user });
}
