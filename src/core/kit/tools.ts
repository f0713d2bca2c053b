// Small tools without a subject of their own.

import type { Clock } from "./clock.js";

/** The message of what was thrown, which may be anything. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the promise gives, or `late()` where it takes longer. The promise may go on; nobody listens to it then. */
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

/** Removes what was added first, down to `most` entries. */
export function keepNewest(entries: Map<string, unknown> | Set<string>, most: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(key);
  }
}

/** The object without the fields that are undefined: an optional field is left out, not set to undefined. */
export function defined<const T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

type Defined<T> = {
  -readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { -readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };
