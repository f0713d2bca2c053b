// Tokens of agents, persons and admins. A token is `askline_`, a 12-character id and a secret; the store keeps the id
// and the secret's hash. A token is found by one read and revoked by one delete, and a copy of the database does
// not reveal it.

import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Json } from "../../core/kit/json.js";
import { LIMITS } from "../../core/kit/limits.js";
import { collect } from "../../core/kit/pages.js";
import { defined } from "../../core/kit/tools.js";
import { AsklineError } from "../../core/model/error.js";
import { TOKEN_INFO, TOKEN_INPUT, type TokenInfo, type TokenInput } from "../../core/model/token.js";
import type { Role } from "../../core/model/visibility.js";
import { takenFields } from "../../core/read/taken.js";
import { endRecord, systemEntry } from "../../hub/records/system-log.js";
import type { LogAppend, RecordStore } from "../../hub/seam/store.js";
import { allRecords } from "../../hub/seam/store-kit.js";
import type { Epochs } from "./epochs.js";
import type { Principal } from "./principal.js";
import { hashSecret, newSecret } from "./secrets.js";

const NAMESPACE = "token";
const TOKEN = /^askline_([0-9a-f]{12})([\w-]{43})$/;
/** A revocation in another process takes effect after this time at the latest. */
const REMEMBER_MS = 500;
const MOST_REMEMBERED = 1_000;
/** An expired token stays listed for a while, to explain why it stopped working. */
const LISTED_AFTER_EXPIRY_MS = 30 * 24 * 60 * 60_000;

export interface NewToken {
  readonly role: Role;
  /** An agent's name or a person's id. A new token with the same name has access to the same asks. */
  readonly name: string;
  /** For an agent: the person that it works for. Other owners' agents of the same name do not see its asks. */
  readonly owner?: string;
  readonly sessions?: readonly string[];
  /** For an agent: the people whose answers it may report, given in a form of its own host. */
  readonly reports?: readonly string[];
  /** Milliseconds from now; never expires if omitted. */
  readonly expiresIn?: number;
  /** Created by a program on first start, not by a person on purpose. */
  readonly automatic?: boolean;
}

export interface Tokens {
  /** Only the result contains the token itself; it cannot be recovered later. */
  create(token: NewToken, by?: string): Promise<{ readonly token: string; readonly info: TokenInfo }>;
  list(): Promise<readonly TokenInfo[]>;
  /** The token, if it existed. It stops working here at once, in other processes within a second. */
  revoke(id: string, by?: string): Promise<TokenInfo | undefined>;
  verify(token: string): Promise<Principal | undefined>;
  /** Whether a verified token is still valid. Synchronous if it was looked up a moment ago. */
  isValid(id: string): boolean | Promise<boolean>;
}

interface TokenRecord extends Omit<TokenInfo, "id"> {
  readonly hash: string;
  /** Of a person's token: the person's epoch when it was created; absent for 0. */
  readonly epoch?: number;
  /** The epochs of the people in `reports`: the right ends when a person is revoked. */
  readonly reportEpochs?: readonly number[];
}

export function createTokens(records: RecordStore, epochs: Epochs, now: () => number): Tokens {
  const remembered = new Map<string, { readonly record: TokenRecord; readonly until: number }>();

  const recall = (id: string): TokenRecord | undefined => {
    const known = remembered.get(id);
    return known !== undefined && known.until > now() ? known.record : undefined;
  };
  const find = async (id: string): Promise<TokenRecord | undefined> => {
    const known = recall(id);
    if (known !== undefined) return known;
    remembered.delete(id);
    const record = await records.get(NAMESPACE, id);
    if (record === undefined) return undefined;
    const token = record.value as unknown as TokenRecord;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(id, { record: token, until: now() + REMEMBER_MS });
    return token;
  };
  const counts = (record: TokenRecord): boolean | Promise<boolean> => {
    if (record.expiresAt !== undefined && record.expiresAt <= now()) return false;
    return record.role !== "person" || epochs.isCurrent(record.name, record.epoch);
  };

  const currentReports = async ({
    reports = [],
    reportEpochs = [],
  }: TokenRecord): Promise<readonly string[]> => {
    const current = await Promise.all(
      reports.map((person, index) => epochs.isCurrent(person, reportEpochs[index])),
    );
    return reports.filter((_, index) => current[index]);
  };

  return {
    async create(input, by) {
      check(input);
      const { role, name, owner, sessions, reports, expiresIn, automatic } = input;
      const id = randomBytes(6).toString("hex");
      const secret = newSecret();
      const createdAt = now();
      const expiresAt = expiresIn === undefined ? undefined : createdAt + expiresIn;
      const epoch = role === "person" ? await epochs.current(name) : 0;
      const reportEpochs = await Promise.all((reports ?? []).map((person) => epochs.current(person)));
      const record: TokenRecord = {
        hash: hashSecret(secret),
        role,
        name,
        ...defined({ owner, sessions, reports, reportEpochs: reports && reportEpochs }),
        createdAt,
        ...defined({ expiresAt }),
        ...(automatic && { automatic: true }),
        ...(epoch > 0 && { epoch }),
      };
      const put = await records.put(NAMESPACE, id, record as unknown as Json, {
        expect: null,
        append: [tokenEntry("token.created", id, record, by)],
        expiresAt: expiresAt && expiresAt + LISTED_AFTER_EXPIRY_MS,
      });
      if (!put.ok) throw new AsklineError("internal", "the id of the new token is already taken; try again");
      return { token: `askline_${id}${secret}`, info: toInfo(id, record) };
    },

    async list() {
      return (await collect(allRecords(records, NAMESPACE)))
        .map(({ key, value }) => toInfo(key, value as unknown as TokenRecord))
        .sort((one, other) => one.createdAt - other.createdAt);
    },

    async revoke(id, by) {
      const revoked = await endRecord(records, [NAMESPACE, id], now(), (value) =>
        tokenEntry("token.revoked", id, value as unknown as TokenRecord, by),
      );
      // A request may have looked it up while it was being deleted.
      remembered.delete(id);
      return revoked === undefined ? undefined : toInfo(id, revoked as unknown as TokenRecord);
    },

    async verify(text) {
      const [, id, secret] = TOKEN.exec(text) ?? [];
      if (id === undefined || secret === undefined) return undefined;
      const record = await find(id);
      if (record === undefined || !(await counts(record))) return undefined;
      if (!timingSafeEqual(Buffer.from(record.hash), Buffer.from(hashSecret(secret)))) return undefined;
      return {
        role: record.role,
        name: record.name,
        ...defined({ owner: record.owner, sessions: record.sessions }),
        ...(record.reports !== undefined && { reports: await currentReports(record) }),
        credential: { kind: "token", id },
      };
    },

    isValid(id) {
      const known = recall(id);
      if (known !== undefined) return counts(known);
      return find(id).then((record) => record !== undefined && counts(record));
    },
  };
}

function tokenEntry(
  type: "token.created" | "token.revoked",
  id: string,
  record: TokenRecord,
  by: string | undefined,
): LogAppend {
  const { id: _, createdAt: _createdAt, ...info } = toInfo(id, record);
  return systemEntry(type, id, { ...(info as Readonly<Record<string, Json>>), by });
}

function toInfo(
  id: string,
  { hash: _, epoch: _epoch, reportEpochs: _epochs, ...rest }: TokenRecord,
): TokenInfo {
  return { id, ...rest };
}

/** As over HTTP, except that an admin may be created too, and that the time is in milliseconds. */
const { expiresInMinutes: _, ...INPUT } = TOKEN_INPUT.fields;

function check(input: NewToken): void {
  const wrong: string[] = [];
  takenFields<Omit<TokenInput, "expiresInMinutes" | "role"> & Pick<TokenInfo, "role">>(
    { fields: { ...INPUT, role: TOKEN_INFO.fields.role } },
    { ...input },
    wrong,
  );
  if (wrong.length > 0) throw refused(`the ${wrong.join("; the ")}`);
  const { role, owner, sessions, reports, expiresIn } = input;
  if (owner !== undefined && role !== "agent")
    throw refused("only an agent works for an owner; omit `owner`");
  if (sessions !== undefined && role === "admin") {
    throw refused("an admin has access to every session; omit `sessions`");
  }
  if (!(sessions ?? []).every((session) => session === "" || isId(session, LIMITS.sessionLength))) {
    throw refused("a session must not have control characters, nor be blank");
  }
  if (reports !== undefined && role !== "agent") {
    throw refused("only an agent reports for people; omit `reports`");
  }
  if (expiresIn !== undefined && !(expiresIn > 0 && expiresIn <= LIMITS.durationMs)) {
    throw refused("a token must expire within ten years");
  }
}

export function isId(value: unknown, max: number = LIMITS.idLength): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= max && !/\p{Cc}/u.test(value);
}

function refused(message: string): AsklineError {
  return new AsklineError("invalid_request", message);
}
