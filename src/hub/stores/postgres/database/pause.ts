/**
 * Waits in real time, not by the injected clock, because the wait is for a network. Resolves early when aborted. An
 * `idle` wait does not keep the process alive.
 */
export function pause(
  milliseconds: number,
  signal: AbortSignal,
  { idle = false }: { readonly idle?: boolean } = {},
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(0, milliseconds));
    if (idle) timer.unref();
    signal.addEventListener("abort", end);
  });
}
