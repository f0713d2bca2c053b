import type { Ask } from "../../core/index.js";

/**
 * Those who follow the end of the log. Most devices see one session of very many: they are found by it, so
 * that an event costs as much as it has readers, and not as much as there are.
 */
export interface Followers<F> extends Iterable<F> {
  /** With sessions, only what happens in them. The result takes the follower away again. */
  add(follower: F, sessions?: readonly string[]): () => void;
  /** Whoever follows what happens to this ask; everybody, where it is no longer known. */
  of(ask: Ask | undefined): Iterable<F>;
}

export function createFollowers<F>(): Followers<F> {
  const all = new Set<F>();
  const everywhere = new Set<F>();
  const bySession = new Map<string, Set<F>>();

  const addTo = (session: string, follower: F): void => {
    const there = bySession.get(session);
    if (there === undefined) bySession.set(session, new Set([follower]));
    else there.add(follower);
  };
  const removeFrom = (session: string, follower: F): void => {
    const there = bySession.get(session);
    there?.delete(follower);
    if (there?.size === 0) bySession.delete(session);
  };

  return {
    add(follower, sessions) {
      all.add(follower);
      if (sessions === undefined) everywhere.add(follower);
      else for (const session of sessions) addTo(session, follower);
      return () => {
        all.delete(follower);
        everywhere.delete(follower);
        for (const session of sessions ?? []) removeFrom(session, follower);
      };
    },
    of(ask) {
      if (ask === undefined) return all;
      const there = bySession.get(ask.session);
      if (there === undefined) return everywhere;
      return everywhere.size === 0 ? there : [...everywhere, ...there];
    },
    [Symbol.iterator]: () => all[Symbol.iterator](),
  };
}
