// What an inbox reads beside the pending asks: the history with its audit, the devices and the rules.

import type { Ask } from "../../../core/model/ask.js";
import type { Outcome } from "../../../core/model/outcome.js";
import type { WebWords } from "../../../core/words/web.js";
import type { EndedEntry } from "../../inbox/live-asks.js";
import type { InboxAuditEntry, InboxClient, InboxDevice, InboxRule, InboxView } from "../types.js";
import { slim } from "./about.js";

const HISTORY_PAGE = 50;

/** Each list is undefined until it was read, or if the client has none. */
export interface Records {
  /** Newest first. */
  readonly ended: readonly Ask[] | undefined;
  /** Where the next page of the history begins, if there is one. */
  readonly older: string | undefined;
  readonly devices: readonly InboxDevice[] | undefined;
  readonly rules: readonly InboxRule[] | undefined;
  /** Why the last attempt failed, in words; empty if it did not. */
  readonly problem: string;
  audit(id: string): readonly InboxAuditEntry[] | undefined;
  /** Reads what a view needs. */
  open(view: InboxView): void;
  /** Runs what a person asked for, and keeps why it failed. */
  attempt(work: () => Promise<void>): Promise<void>;
  add(entry: EndedEntry): void;
  readMore(): Promise<void>;
  readAudit(): Promise<void>;
  endDevice(device: InboxDevice): Promise<void>;
  revokeRule(rule: InboxRule): Promise<void>;
  clear(): void;
}

export interface RecordsPort {
  readonly client: () => InboxClient | undefined;
  readonly selected: () => string | undefined;
  readonly words: () => WebWords;
  readonly update: () => void;
  /** The person ended the sign-in of this browser. */
  readonly signedOut: () => void;
}

export function createRecords({ client, selected, words, update, signedOut }: RecordsPort): Records {
  let ended: readonly Ask[] | undefined;
  let older: string | undefined;
  let audit: { readonly id: string; readonly entries?: readonly InboxAuditEntry[] } | undefined;
  let devices: readonly InboxDevice[] | undefined;
  let rules: readonly InboxRule[] | undefined;
  let problem = "";

  async function attempt(work: () => Promise<void>): Promise<void> {
    problem = "";
    try {
      await work();
    } catch (error) {
      problem = words().failed(error instanceof Error ? error.message : String(error));
    }
    update();
  }

  const readMore = (): Promise<void> =>
    attempt(async () => {
      const page = await client()?.list(
        { status: "settled" },
        { limit: HISTORY_PAGE, order: "newest", ...(older !== undefined && { after: older }) },
      );
      if (page === undefined) return;
      const known = new Set(ended?.map(({ id }) => id));
      ended = [...(ended ?? []), ...page.asks.filter(({ id }) => !known.has(id)).map(slimEnded)];
      older = page.next;
    });

  const readAudit = (): Promise<void> =>
    attempt(async () => {
      const id = selected();
      const from = client();
      if (id === undefined || from?.audit === undefined || audit?.id === id) return;
      audit = { id };
      const entries = await from.audit(id);
      if (audit.id === id) audit = { id, entries };
    });

  const readDevices = (): Promise<void> =>
    attempt(async () => {
      devices = await client()?.devices?.();
    });

  const readRules = (): Promise<void> =>
    attempt(async () => {
      rules = await client()?.rules?.();
    });

  return {
    get ended() {
      return ended;
    },
    get older() {
      return older;
    },
    get devices() {
      return devices;
    },
    get rules() {
      return rules;
    },
    get problem() {
      return problem;
    },
    audit: (id) => (audit?.id === id ? audit.entries : undefined),
    open(view) {
      problem = "";
      if (view === "history" && ended === undefined) void readMore();
      if (view === "history") void readAudit();
      if (view === "devices") void readDevices().then(readRules);
    },
    attempt,
    add({ ask, outcome }) {
      if (ended === undefined) return;
      ended = [{ ...ask, status: outcome.kind, outcome, settledAt: Date.now() }, ...ended];
    },
    readMore,
    readAudit,
    endDevice: (device) =>
      attempt(async () => {
        await client()?.endDevice?.(device.id);
        if (device.current === true) signedOut();
        else await readDevices();
      }),
    revokeRule: (rule) =>
      attempt(async () => {
        try {
          await client()?.revokeRule?.(rule.id);
        } finally {
          rules = await client()?.rules?.();
        }
      }),
    clear() {
      ended = undefined;
      older = undefined;
    },
  };
}

/** The history needs who ended an ask, and not what was said. */
function slimEnded(ask: Ask): Ask {
  const { outcome } = ask;
  const short =
    outcome === undefined
      ? undefined
      : "by" in outcome
        ? { kind: outcome.kind, by: outcome.by }
        : { kind: outcome.kind };
  return { ...slim(ask), ...(short !== undefined && { outcome: short as Outcome }) };
}
