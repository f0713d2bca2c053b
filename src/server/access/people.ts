// The people that a server knows: everybody who got a token, a signed link or a sign-in, or whom the host let in.
//
//   unknown --a credential or a request--> known --revoked--> left --a credential or a request--> known

import { isRecord } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import { collect, pages } from "../../core/kit/pages.js";
import type { Ask } from "../../core/model/ask.js";
import { AsklineError } from "../../core/model/error.js";
import type { ListedPerson, Person, RemovedPerson } from "../../core/model/person.js";
import type { RecordStore, StoredRecord } from "../../hub/seam/store.js";
import { allRecords } from "../../hub/seam/store-kit.js";
import type { Auth } from "./auth.js";

const NAMESPACE = "person";
/** `seen` is written this often at the most, and not while somebody waits for it. */
const SEEN_MS = 10 * 60_000;
/** A removal in another process takes effect after this time at the latest. */
const REMEMBER_MS = 500;
const MOST_REMEMBERED = 10_000;
/** More names than this are not looked up at once: they count as known. */
const MOST_NAMES = 200;

export interface People {
  /** Everyone, in order of id. */
  list(): Promise<readonly Person[]>;
  /** Which of these people the server does not know, or who have left. */
  unknown(people: readonly string[]): Promise<readonly string[]>;
  /** A credential was issued to this person. */
  issued(person: string): Promise<void>;
  /** This person sent a request. Returns at once. */
  seen(person: string): void;
  left(person: string): Promise<void>;
}

/** `earlier` has the people with credentials of a version that did not record people, and since when. */
export function createPeople(
  records: RecordStore,
  now: () => number,
  earlier: () => Promise<ReadonlyMap<string, number>>,
): People {
  const known = new Map<string, number>();
  const seenAt = new Map<string, number>();
  let recorded: Promise<void> | undefined;

  const recordEarlier = async (): Promise<void> => {
    for (const [person, since] of await earlier()) {
      await records.put(NAMESPACE, person, { since }, { expect: null });
    }
  };
  const begin = (): Promise<void> => {
    recorded ??= recordEarlier().catch((error: unknown) => {
      recorded = undefined;
      throw error;
    });
    return recorded;
  };
  /** Of two writes at once, one is enough. */
  const write = async (person: string, change: { seen?: number; left?: number }): Promise<void> => {
    const found = await records.get(NAMESPACE, person);
    const { since = now(), seen } = found === undefined ? {} : personOf(found);
    const value = { since, ...(seen !== undefined && { seen }), ...change };
    await records.put(NAMESPACE, person, value, { expect: found?.version ?? null });
  };
  const isKnown = async (person: string): Promise<boolean> => {
    if ((known.get(person) ?? 0) > now()) return true;
    const found = await records.get(NAMESPACE, person);
    if (found === undefined || personOf(found).left !== undefined) return false;
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(person, now() + REMEMBER_MS);
    return true;
  };
  const unknownOf = async (people: readonly string[]): Promise<readonly string[]> => {
    const are = await Promise.all(people.map(isKnown));
    return people.filter((_, index) => !are[index]);
  };

  return {
    async list() {
      await begin();
      return (await collect(allRecords(records, NAMESPACE))).map(personOf);
    },
    async unknown(people) {
      const names = [...new Set(people)].slice(0, MOST_NAMES);
      const missing = await unknownOf(names);
      if (missing.length === 0) return missing;
      await begin();
      return unknownOf(missing);
    },
    async issued(person) {
      if (!(await isKnown(person))) await write(person, {});
    },
    seen(person) {
      const at = now();
      if (at - (seenAt.get(person) ?? Number.NEGATIVE_INFINITY) < SEEN_MS) return;
      if (seenAt.size >= MOST_REMEMBERED) seenAt.clear();
      seenAt.set(person, at);
      // Only the time is lost; the next request writes it.
      write(person, { seen: at }).catch(() => seenAt.delete(person));
    },
    async left(person) {
      await write(person, { left: now() });
      known.delete(person);
      seenAt.delete(person);
    },
  };
}

/** Only this file writes these records. */
function personOf({ key, value }: StoredRecord): Person {
  return { id: key, since: 0, ...(isRecord(value) ? value : {}) };
}

/** The pending asks, page by page from a hub or a store, that name their recipients. */
export async function* namedAsks<Cursor>(
  read: (
    after: Cursor | undefined,
  ) => Promise<{ readonly asks: readonly Ask[]; readonly next?: Cursor | undefined }>,
): AsyncGenerator<Ask, void, void> {
  for await (const { asks } of pages(read)) yield* asks.filter(({ recipients }) => recipients.length > 0);
}

/** Everyone, with the number of browsers and of asks that wait for them by name. */
export async function peopleWith(
  auth: Pick<Auth, "people" | "browsersByPerson">,
  asks: AsyncIterable<Ask>,
): Promise<readonly ListedPerson[]> {
  const waiting = new Map<string, number>();
  for await (const { recipients } of asks) {
    for (const person of recipients) waiting.set(person, (waiting.get(person) ?? 0) + 1);
  }
  const browsers = await auth.browsersByPerson();
  return (await auth.people.list()).map((person) => ({
    ...person,
    browsers: browsers.get(person.id) ?? 0,
    waiting: waiting.get(person.id) ?? 0,
  }));
}

/** Passes on what waits for a person, then ends everything that was issued to the person. */
export async function removePerson(
  auth: Pick<Auth, "people" | "revokePerson">,
  asks: AsyncIterable<Ask>,
  person: string,
  to: string | undefined,
  escalate: (id: string, to: readonly string[]) => Promise<unknown>,
): Promise<RemovedPerson> {
  if (to === person) throw new AsklineError("invalid_request", "name another person to pass the asks on to");
  if (to !== undefined) await requireKnown(auth.people, [to]);
  const isThere = (await auth.people.list()).some(({ id }) => id === person);
  const waiting: Ask[] = [];
  for await (const ask of asks) if (ask.recipients.includes(person)) waiting.push(ask);
  if (!isThere && waiting.length === 0) {
    throw new AsklineError("not_found", `the server does not know ${person}, and nothing waits for them`);
  }
  if (to !== undefined) {
    const added = waiting.filter(({ recipients }) => !recipients.includes(to));
    const full = added.find(({ recipients }) => recipients.length >= LIMITS.recipients);
    if (full !== undefined) {
      throw new AsklineError("too_large", `${full.id} may have at most ${LIMITS.recipients} recipients`);
    }
    for (const { id } of added) await escalate(id, [to]);
  }
  const { tokens, browsers } = await auth.revokePerson(person);
  return { person, tokens, browsers, waiting: waiting.map(({ id }) => id), ...(to !== undefined && { to }) };
}

export async function requireKnown(people: People, ids: readonly string[]): Promise<void> {
  const [first] = await people.unknown(ids);
  if (first === undefined) return;
  throw new AsklineError("invalid_request", `${first} is not known to this server, or has left`);
}

/** What an agent, the log and an admin read about such recipients. */
export function unknownText(people: readonly string[]): string {
  return `not known to this server, or gone: ${people.join(", ")}. Nobody with that name can answer; an admin can sign them in (askline link) or reassign the ask.`;
}
