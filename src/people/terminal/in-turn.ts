const tails = new WeakMap<object, Promise<unknown>>();

/**
 * Runs tasks that share an object, here an input, one after another in call order. All surfaces on one input use it, so
 * that no prompt appears while another waits for its line.
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
