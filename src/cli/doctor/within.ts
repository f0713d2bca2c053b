import type { Clock } from "../../core/index.js";

/** The result of a task, or that of `late` where it takes longer. The task may go on; nobody waits for it. */
export async function within<T>(
  clock: Clock,
  milliseconds: number,
  task: Promise<T>,
  late: () => T,
): Promise<T> {
  let cancel = (): void => undefined;
  const timeout = new Promise<T>((resolve) => {
    cancel = clock.schedule(milliseconds, () => resolve(late()));
  });
  try {
    return await Promise.race([task, timeout]);
  } finally {
    cancel();
  }
}
