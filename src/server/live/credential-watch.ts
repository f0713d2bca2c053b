// Ends what is open when its credential is revoked or expires. Credentials are checked, not connections: thousands of
// streams with one token cost one lookup.

import type { Clock } from "../../core/kit/clock.js";
import type { Logger } from "../../core/kit/logger.js";
import type { Auth } from "../access/auth.js";
import type { Credential } from "../access/principal.js";
import { every } from "./every.js";

/** A lookup may be cached for half a second, so a revoked credential loses what it has open within a second. */
const CHECK_MS = 500;
const CHECKS_AT_ONCE = 64;

export interface CredentialWatch {
  /** Calls `end` when the credential is no longer valid; the result stops watching. */
  add(credential: Credential, end: () => void): () => void;
}

interface Watched {
  readonly credential: Credential;
  readonly ends: Set<() => void>;
}

export function createCredentialWatch(
  auth: Pick<Auth, "isValid">,
  clock: Clock,
  logger: Logger,
): CredentialWatch {
  const watched = new Map<string, Watched>();
  let stop: (() => void) | undefined;
  let isChecking = false;
  let isLogged = false;

  const check = async ({ credential, ends }: Watched): Promise<void> => {
    if (await auth.isValid(credential)) return;
    for (const end of [...ends]) end();
  };
  const checkAll = async (): Promise<void> => {
    const all = [...watched.values()];
    for (let from = 0; from < all.length; from += CHECKS_AT_ONCE) {
      await Promise.all(all.slice(from, from + CHECKS_AT_ONCE).map(check));
    }
  };
  /** One at a time, so that checks do not pile up while a store hangs. An outage is logged once. */
  const run = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    try {
      await checkAll();
      isLogged = false;
    } catch (error) {
      if (!isLogged) logger.warn("failed to check the credentials of open connections", error);
      isLogged = true;
    } finally {
      isChecking = false;
    }
  };

  return {
    add(credential, end) {
      const key = keyOf(credential);
      const entry = watched.get(key) ?? { credential, ends: new Set() };
      watched.set(key, entry);
      // A function of its own, so that adding the same one twice counts twice.
      const own = (): void => end();
      entry.ends.add(own);
      stop ??= every(clock, CHECK_MS, () => void run());
      return () => {
        entry.ends.delete(own);
        if (entry.ends.size === 0 && watched.get(key) === entry) watched.delete(key);
        if (watched.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}

function keyOf(credential: Credential): string {
  switch (credential.kind) {
    case "token":
      return `token ${credential.id}`;
    case "cookie":
      return `cookie ${credential.hash}`;
    case "host":
      return `host ${credential.id}`;
    case "link":
      return `link ${credential.expiresAt} ${credential.epoch} ${credential.person}`;
  }
}
