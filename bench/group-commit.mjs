/**
 * Collects the writes of one turn of the event loop and hands them to `commit` together; each is acknowledged
 * when that has returned. One commit at a time: what is written meanwhile makes the next batch. A commit that
 * fails rejects all of its writes.
 */
export function groupCommit(commit) {
  let waiting = [];
  let running = false;

  return function write(value) {
    return new Promise((resolve, reject) => {
      waiting.push({ value, resolve, reject });
      if (waiting.length === 1 && !running) setImmediate(flush);
    });
  };

  async function flush() {
    running = true;
    const batch = waiting;
    waiting = [];
    try {
      const committed = commit(batch.map(({ value }) => value));
      // A driver that blocks has committed by now: waiting for a promise would only cost a turn.
      if (committed instanceof Promise) await committed;
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      running = false;
      if (waiting.length > 0) setImmediate(flush);
    }
  }
}
