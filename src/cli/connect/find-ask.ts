import type { Client } from "../../client/index.js";
import { type Ask, type AskFilter, displayLine } from "../../core/index.js";
import { CommandError } from "../world/exit.js";

const WHOLE_ID = /^ask_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
// Fewer characters would soon fit several asks.
const FEWEST = 4;
const PAGE = 500;
/** How many of the newest asks that have ended are searched for a part of an id. */
const MOST_SETTLED = 2_000;

/** The ask of an id, or of the beginning or end of one: among those that are pending first, then the newest. */
export async function findAsk(client: Client, text: string, hint: string): Promise<Ask> {
  if (WHOLE_ID.test(text)) return client.get(text);
  const part = text.toLowerCase();
  if (!/^[\w-]+$/.test(part) || part.replace(/^ask_/, "").length < FEWEST) {
    throw new CommandError(
      `"${displayLine(text)}" is no id; give at least ${FEWEST} characters from its beginning or end, as "askline list${hint}" shows them`,
    );
  }
  const matches = (ask: Ask): boolean => {
    const bare = ask.id.replace(/^ask_/, "");
    return ask.id.startsWith(part) || bare.startsWith(part) || bare.endsWith(part);
  };
  const found = [
    await search(client, { status: "pending" }, Number.POSITIVE_INFINITY, matches),
    await search(client, { status: "settled" }, MOST_SETTLED, matches),
  ].find((asks) => asks.length > 0);
  const [ask, other] = found ?? [];
  if (ask === undefined) {
    throw new CommandError(
      `there is no ask "${displayLine(text)}" that you may see; "askline list --status all${hint}" shows what there is`,
    );
  }
  if (other !== undefined) {
    const ids = (found ?? []).slice(0, 4).map(({ id }) => id);
    throw new CommandError(
      `"${displayLine(text)}" fits several asks (${ids.join(", ")}); give more of the id`,
    );
  }
  return ask;
}

async function search(
  client: Client,
  filter: AskFilter,
  most: number,
  matches: (ask: Ask) => boolean,
): Promise<readonly Ask[]> {
  const found: Ask[] = [];
  let seen = 0;
  for (let after: string | undefined; seen < most; ) {
    const page = await client.list(filter, {
      limit: PAGE,
      order: "newest",
      ...(after !== undefined && { after }),
    });
    found.push(...page.asks.filter(matches));
    seen += page.asks.length;
    if (page.next === undefined) break;
    after = page.next;
  }
  return found;
}
