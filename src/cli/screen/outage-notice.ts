import type { Client } from "../../client/index.js";
import { AsklineError, type Clock, type Logger } from "../../core/index.js";
import type { WatchScreen } from "./watch-screen.js";

const SHORTEST_TRY_MS = 1_000;

/**
 * Puts an outage on the screen for as long as it lasts: a table that nothing reaches any more looks like one to which
 * nothing happens. The stream tells when it fails and not when it is back, so that is looked for.
 */
export function outageNotice(
  clock: Clock,
  screen: () =>
    | { readonly screen: Pick<WatchScreen, "notice">; readonly client: Pick<Client, "list"> }
    | undefined,
): Logger {
  let away = false;
  const tell = (message: string): void => {
    const at = screen();
    if (away || at === undefined) return;
    away = true;
    at.screen.notice(message);
    void reached(at.client, clock).then(() => {
      away = false;
      at.screen.notice(undefined);
    });
  };
  return { warn: tell, error: tell };
}

/** Resolves when the server answers, or nobody wants to know any more. */
async function reached(client: Pick<Client, "list">, clock: Clock): Promise<void> {
  for (;;) {
    const began = clock.monotonic();
    try {
      await client.list({}, { limit: 1 });
      return;
    } catch (error) {
      if (!(error instanceof AsklineError) || error.code !== "unreachable") return;
    }
    // Mostly a try takes its time by itself. One that is redirected, as by the sign-in page of a network, does not.
    const left = SHORTEST_TRY_MS - (clock.monotonic() - began);
    if (left > 0) await new Promise<void>((resolve) => void clock.schedule(left, resolve));
  }
}
