import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import { hasOmittedPreviews } from "../../core/model/omitted-previews.js";
import type { Inbox } from "../../core/model/ports.js";
import { displayLine } from "../../core/text/display.js";
import { statusLine } from "../output/ask-summary.js";
import { CommandError } from "../world/exit.js";

const WHOLE_ID = /^ask_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
// Fewer characters would soon match several asks.
const FEWEST = 4;

/** Where asks are looked up: a server, or a store. */
export type AskReader = Pick<Inbox, "get" | "list">;

/**
 * Finds an ask by its id or a part of it. The part must be unique among all asks that the caller may see, pending and
 * ended, so that a part never silently names another ask later.
 */
export async function findAsk(client: AskReader, text: string, hint: string): Promise<Ask> {
  if (WHOLE_ID.test(text)) return client.get(text);
  const part = text.toLowerCase().replace(/^ask_/, "");
  if (!/^[0-9a-f-]+$/.test(part) || part.length < FEWEST) {
    throw new CommandError(
      `"${displayLine(text)}" is not an id; give at least ${FEWEST} characters of an id that "askline list${hint}" prints`,
    );
  }
  const { asks, next } = await client.list({ id: part }, { order: "newest" });
  // An older server ignores the part, and sends its first page.
  if (next !== undefined)
    throw new CommandError("this server cannot look for a part of an id; give the whole id");
  const [found, ...others] = asks.filter(({ id }) => id.includes(part));
  if (found === undefined) {
    throw new CommandError(
      `no ask that you may see matches "${displayLine(text)}"; run "askline list --status all${hint}" to list them`,
    );
  }
  if (others.length > 0) {
    const ids = [found, ...others].slice(0, 4).map((ask) => `${ask.id}, ${statusLine(ask)}`);
    throw new CommandError(
      `"${displayLine(text)}" matches several asks (${ids.join("; ")}); give more of the id`,
    );
  }
  // A list leaves out the previews of a large ask, which a person needs to decide.
  return hasOmittedPreviews(found) ? client.get(found.id) : found;
}

/** Like {@link findAsk}, for a command that ends the ask: an ask found by a part of its id must be pending. */
export async function findPending(client: AskReader, text: string, hint: string): Promise<Ask> {
  const ask = await findAsk(client, text, hint);
  if (ask.outcome === undefined || WHOLE_ID.test(text)) return ask;
  throw new AsklineError(
    "already_settled",
    `${ask.id} has already ended (${statusLine(ask)}); nothing was sent`,
    { outcome: ask.outcome },
  );
}
