// Tickets open one stream or WebSocket from a page that cannot send a header:
//
//   POST /v1/tickets --60 seconds, one path, one origin--> ?ticket=… --> used
//
// A ticket is a record under the hash of its secret, so that every server of the store knows it. Using it replaces the
// record by compare-and-set: of several attempts, on any server, one succeeds.

import type { Clock } from "../../core/kit/clock.js";
import { isRecord, type Json } from "../../core/kit/json.js";
import { ROLES } from "../../core/model/visibility.js";
import type { Hub } from "../../hub/seam/port.js";
import type { Auth } from "./auth.js";
import type { Credential, Principal } from "./principal.js";
import { hashSecret, newSecret } from "./secrets.js";

const NAMESPACE = "ticket";
const USED = "used";
const TICKET = /^ticket_[\w-]{43}$/;

/** How long a ticket can be used. */
const TICKET_MS = 60_000;

export interface TicketTarget {
  /** Below the base path. */
  readonly path: string;
  /** The origin of the page that will use it; null for a program, which sends none. */
  readonly origin: string | null;
}

export interface Tickets {
  create(
    principal: Principal,
    target: TicketTarget,
  ): Promise<{ readonly ticket: string; readonly expiresAt: number }>;
  /** Uses a ticket up if it fits; undefined if it is unknown, used or expired, or its owner has no access any more. */
  redeem(ticket: string, fits: (target: TicketTarget) => boolean): Promise<Principal | undefined>;
}

/** Only this file writes these records. */
interface TicketRecord extends TicketTarget, Pick<Principal, "role" | "name" | "sessions"> {
  /** The id of the token; absent for a caller that the host's `authenticate` identified. */
  readonly token?: string;
}

export function createTickets(
  { records, now }: Pick<Hub, "records" | "now">,
  auth: Auth,
  clock: Clock,
): Tickets {
  /** Callers of the host's `authenticate`: only this process can check them again. */
  const hosted = new Map<string, Credential>();

  /** Another server cannot ask the host about this caller again, so what the ticket opens there ends soon. */
  const shortLived = (key: string): Credential => {
    const until = clock.monotonic() + TICKET_MS;
    return { kind: "host", id: key, isValid: async () => clock.monotonic() < until };
  };

  return {
    async create({ role, name, sessions, credential }, target) {
      const ticket = `ticket_${newSecret()}`;
      const key = hashSecret(ticket);
      const expiresAt = now() + TICKET_MS;
      const record: TicketRecord = {
        ...{ ...target, role, name },
        ...(sessions !== undefined && { sessions }),
        ...(credential.kind === "token" && { token: credential.id }),
      };
      if (credential.kind === "host") {
        hosted.set(key, credential);
        clock.schedule(TICKET_MS, () => hosted.delete(key));
      }
      await records.put(NAMESPACE, key, record as unknown as Json, { expect: null, expiresAt });
      return { ticket, expiresAt };
    },

    async redeem(ticket, fits) {
      if (!TICKET.test(ticket)) return undefined;
      const key = hashSecret(ticket);
      const found = await records.get(NAMESPACE, key);
      const record = found && readRecord(found.value);
      if (found === undefined || record === undefined || !fits(record)) return undefined;
      const { expiresAt = now(), version } = found;
      const { ok } = await records.put(NAMESPACE, key, USED, { expect: version, expiresAt });
      if (!ok) return undefined;
      const { role, name, sessions, token } = record;
      const credential: Credential =
        token === undefined ? (hosted.get(key) ?? shortLived(key)) : { kind: "token", id: token };
      hosted.delete(key);
      if (!(await auth.isValid(credential))) return undefined;
      return { role, name, ...(sessions !== undefined && { sessions }), credential };
    },
  };
}

/** Undefined if the ticket was used. */
function readRecord(value: Json): TicketRecord | undefined {
  if (!isRecord(value) || !ROLES.some((role) => role === value.role)) return undefined;
  return value as unknown as TicketRecord;
}
