import { unreachable } from "../../client/failed-try.js";
import { isRecord } from "../../core/kit/json.js";
import type { RememberedRule as Rule } from "../../core/model/rule.js";
import { displayLine } from "../../core/text/display.js";
import { WEB } from "../../core/words/en/web.js";
import { type Remote, type RemoteFlags, withClient } from "../connect/open-client.js";
import { type Define, examples, withRemote } from "../input/command.js";
import { print } from "../output/print.js";
import { type Column, printTable } from "../output/table.js";
import { exactTime } from "../output/units.js";
import { CommandError, FAULT_EXIT_CODE } from "../world/exit.js";
import type { World } from "../world/world.js";

export const define: Define = (rules, { world, end }) => {
  withRemote(rules)
    .addHelpText("after", HELP)
    .action(async () => end(await runList(rules.optsWithGlobals(), world)));
  const revoke = rules.command("revoke").description("revoke a rule: the next such action is asked about");
  withRemote(revoke)
    .argument("<id>", 'its id, as "askline rules" prints it')
    .addHelpText("after", examples("askline rules revoke rule_4f0c…"))
    .action(async (id: string) => end(await runRevoke(id, revoke.optsWithGlobals(), world)));
};

const HELP = `
Lists the decisions about actions that you wanted remembered ("session" or "always"). A rule decides exactly the call
that you were shown, of the same agent in the same folder. "ended" is a rule of an earlier version that reached further.
${examples("askline rules", "askline rules --json", "askline rules revoke rule_4f0c…")}`;

async function runList(flags: RemoteFlags, world: World): Promise<number> {
  const rules = await withClient(flags, "person", world, async (remote) => {
    const body = await send(remote, "/v1/rules", "GET");
    return (isRecord(body) && Array.isArray(body.rules) ? body.rules : []) as readonly Rule[];
  });
  const table: readonly Column<Rule>[] = [
    { title: "ID", cell: ({ id }) => id },
    { title: "RULE", cell: ({ effect, ended }) => (ended === undefined ? effect : "ended") },
    { title: "TOOL", cell: ({ tool }) => displayLine(tool), most: 20 },
    { title: "AGENT", cell: ({ agent }) => displayLine(agent), most: 16 },
    { title: "FOR", cell: ({ session }) => (session === undefined ? "always" : "one session") },
    { title: "MADE", cell: ({ createdAt }) => exactTime(createdAt).slice(0, 10) },
    { title: "BY", cell: ({ person }) => displayLine(person), most: 16 },
    { title: "FOLDER", cell: ({ project = "-" }) => displayLine(project), most: 32 },
    { title: "WHEN EQUAL", cell: comparedText },
  ];
  const none = "There are no rules. Approve or reject an action with --remember, or on the inbox page.";
  await printTable(world, flags.json, { rules }, rules, table, none);
  return 0;
}

/** What must be equal, or why the rule no longer decides. */
function comparedText({ args, wording = [], ended }: Rule): string {
  const reason = ended === undefined ? "" : `${WEB.ruleEnds[ended]}: `;
  return [`${reason}${displayLine(JSON.stringify(args))}`, ...wording.map((name) => `(any ${name})`)].join(
    " ",
  );
}

async function runRevoke(id: string, flags: RemoteFlags, world: World): Promise<number> {
  if (!/^rule_\w+$/.test(id)) throw new CommandError(`"${displayLine(id)}" is not the id of a rule`);
  await withClient(flags, "person", world, (remote) => send(remote, `/v1/rules/${id}`, "DELETE"));
  await print(world, flags.json, { revoked: id }, () => `${id} revoked`);
  return 0;
}

async function send({ url, token, fetch }: Remote, path: string, method: string): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    redirect: "manual",
    signal: AbortSignal.timeout(15_000),
  }).catch((error: unknown) => {
    throw unreachable(url, error).error;
  });
  const text = await response.text();
  const body: unknown = text === "" ? {} : JSON.parse(text);
  if (response.ok) return body;
  const error =
    isRecord(body) && isRecord(body.error) ? String(body.error.message) : `status ${response.status}`;
  throw new CommandError(displayLine(error), FAULT_EXIT_CODE);
}
