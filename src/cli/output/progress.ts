import type { World } from "../world/world.js";

const EVERY_MS = 100;

export interface Progress {
  /** Shows the progress, at most every 100 ms. */
  show(text: () => string): void;
  /** Clears the line, so that something else can be written; the next {@link show} restores it. */
  end(): void;
}

/** A progress line on stderr; nothing if stderr is not a terminal. */
export function createProgress({ stderr, clock }: World): Progress {
  const terminal = "isTTY" in stderr && stderr.isTTY === true;
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(text) {
      const now = clock.monotonic();
      if (!terminal || now - shownAt < EVERY_MS) return;
      shownAt = now;
      stderr.write(`\r\u001b[K${text()}`);
    },
    end() {
      if (shownAt > Number.NEGATIVE_INFINITY) stderr.write("\r\u001b[K");
      shownAt = Number.NEGATIVE_INFINITY;
    },
  };
}
