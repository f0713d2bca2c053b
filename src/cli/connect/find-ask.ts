import type { Client } from "../../client/index.js";
import { type Ask, AsklineError, displayLine } from "../../core/index.js";
import { statusLine } from "../output/ask-summary.js";
import { CommandError } from "../world/exit.js";

const WHOLE_ID = /^ask_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
// Fewer characters would soon fit several asks.
const FEWEST = 4;
const PAGE = 500;
/** A part of an id is looked for among this many asks, the newest first. */
const MOST_ASKS = 50_000;

/**
 * The ask of an id, or of a part of one. The part must be unique among all asks that the caller may see, pending and
 * ended: a part that once named an ask never comes to name another one unnoticed.
 */
export async function findAsk(client: Client, text: string, hint: string): Promise<Ask> {
  if (WHOLE_ID.test(text)) return client.get(text);
  const part = text.toLowerCase().replace(/^ask_/, "");
  if (!/^[0-9a-f-]+$/.test(part) || part.length < FEWEST) {
    throw new CommandError(
      `"${displayLine(text)}" is not an id; give at least ${FEWEST} characters of one, as "askline list${hint}" shows them`,
    );
  }
  const [found, ...others] = await search(client, part);
  if (found === undefined) {
    throw new CommandError(
      `there is no ask "${displayLine(text)}" that you may see; "askline list --status all${hint}" shows what there is`,
    );
  }
  if (others.length > 0) {
    const ids = [found, ...others].slice(0, 4).map((ask) => `${ask.id}, ${statusLine(ask)}`);
    throw new CommandError(
      `"${displayLine(text)}" fits several asks (${ids.join("; ")}); give more of the id`,
    );
  }
  return found;
}

/** {@link findAsk}, for a command that ends the ask. One that was found by a part of its id must be pending. */
export async function findPending(client: Client, text: string, hint: string): Promise<Ask> {
  const ask = await findAsk(client, text, hint);
  if (ask.outcome === undefined || WHOLE_ID.test(text)) return ask;
  throw new AsklineError(
    "already_settled",
    `${ask.id} has ended already (${statusLine(ask)}); nothing was sent`,
    { outcome: ask.outcome },
  );
}

async function search(client: Client, part: string): Promise<readonly Ask[]> {
  const found: Ask[] = [];
  let seen = 0;
  for (let after: string | undefined; ; ) {
    const page = await client.list(
      {},
      { limit: PAGE, order: "newest", ...(after !== undefined && { after }) },
    );
    found.push(...page.asks.filter(({ id }) => id.slice("ask_".length).includes(part)));
    seen += page.asks.length;
    if (page.next === undefined) return found;
    if (seen >= MOST_ASKS) {
      throw new CommandError(
        `there are more than ${MOST_ASKS.toLocaleString("en")} asks, too many to look for a part of an id; give the whole id`,
      );
    }
    after = page.next;
  }
}
