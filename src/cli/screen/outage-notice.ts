import type { Client } from "../../client/index.js";
import { AsklineError, type Logger } from "../../core/index.js";
import type { WatchScreen } from "./watch-screen.js";

/**
 * Puts an outage on the screen for as long as it lasts: a table that nothing reaches any more looks like one to which
 * nothing happens. The stream tells when it fails and not when it is back, so that is looked for.
 */
export function outageNotice(
  screen: () => { readonly screen: WatchScreen; readonly client: Client } | undefined,
): Logger {
  let away = false;
  const tell = (message: string): void => {
    const at = screen();
    if (away || at === undefined) return;
    away = true;
    at.screen.notice(message);
    void reached(at.client).then(() => {
      away = false;
      at.screen.notice(undefined);
    });
  };
  return { warn: tell, error: tell };
}

/** Resolves when the server answers, or nobody wants to know any more. Each try takes its time by itself. */
async function reached(client: Client): Promise<void> {
  for (;;) {
    try {
      await client.list({}, { limit: 1 });
      return;
    } catch (error) {
      if (!(error instanceof AsklineError) || error.code !== "unreachable") return;
    }
  }
}
