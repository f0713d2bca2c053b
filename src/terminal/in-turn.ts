const tails = new WeakMap<object, Promise<unknown>>();

/**
 * Runs tasks that share one thing, here an input, one after another in the order of the calls. Shared by
 * every surface on that input, so that no prompt is shown while another waits for its line.
 */
export function inTurn<T>(shared: object, task: () => Promise<T>): Promise<T> {
  const before = tails.get(shared) ?? Promise.resolve();
  const result = before.then(task);
  tails.set(
    shared,
    result.catch(() => undefined),
  );
  return result;
}
