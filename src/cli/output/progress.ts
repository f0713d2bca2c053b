import type { World } from "../world/world.js";

const EVERY_MS = 100;

export interface Progress {
  /** Shows how far it has come, now and then. */
  show(text: () => string): void;
  /** Takes the line away, for something else to be written; the next {@link show} brings it back. */
  end(): void;
}

/** One line on stderr that keeps itself up to date; nothing where stderr is no terminal. */
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
