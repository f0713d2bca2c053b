// Small tools without a subject of their own.

import type { Clock } from "./clock.js";

/** The message of a thrown value, which may not be an Error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Resolves with the promise, or with `late()` if it takes longer. The promise goes on, and its result is ignored. */
export async function within<T>(
  clock: Clock,
  milliseconds: number,
  promise: Promise<T>,
  late: () => T,
): Promise<T> {
  let cancel = (): void => undefined;
  const timeUp = new Promise<T>((resolve) => {
    cancel = clock.schedule(milliseconds, () => resolve(late()));
  });
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, timeUp]);
  } finally {
    cancel();
  }
}

/** Calls `renew` every `everyMs` until it rejects, which calls `lost`, or until the returned function is called. */
export function holdLease(
  clock: Clock,
  everyMs: number,
  renew: () => Promise<unknown>,
  lost: () => void = () => undefined,
): () => void {
  let released = false;
  let cancel = (): void => undefined;
  const next = (): void => {
    if (!released) cancel = clock.schedule(everyMs, () => void renew().then(next, lost));
  };
  next();
  return () => {
    released = true;
    cancel();
  };
}

/** The last part of a path with slashes of either kind, such as the folder of a project. */
export function lastPart(path: string | undefined): string | undefined {
  return path?.split(/[\\/]/).findLast((part) => part !== "");
}

/** Removes the oldest entries until at most `most` are left. */
export function keepNewest(entries: Map<string, unknown> | Set<string>, most: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(key);
  }
}

/** The object without its undefined fields: an optional field is omitted, not set to undefined. */
export function defined<const T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

type Defined<T> = {
  -readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { -readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };
