import { bridgeOpencode } from "../../../src/agents/opencode/index.ts";
import { openReplay } from "../opencode/replay-server.ts";
import type { Read, RelayDriver } from "../suite/relay-driver.ts";

/** The bridge, with a server that behaves as opencode did when it was recorded. */
export const opencodeRelay: RelayDriver = {
  name: "opencode",
  there: "decided",
  cannot: {
    "goes on once when two processes resume it": "it is waited for in place: no run is parked",
    "asks again, with the reason, when an answer does not fit": "its questions take any text",
  },
  async open({ client }) {
    const opencode = await openReplay();
    let count = 0;
    return {
      async start() {
        const kill = new AbortController();
        const logger = { warn: () => undefined, error: () => undefined };
        const own = client();
        let running: Promise<void> | undefined;
        await new Promise<void>((onConnected) => {
          running = bridgeOpencode(own, {
            ...{ url: opencode.url, signal: kill.signal, logger },
            onConnected: () => onConnected(),
          });
        });
        return async () => {
          kill.abort();
          await running;
        };
      },
      prompt(target) {
        count += 1;
        const session = `ses_${count}`;
        const id = opencode.ask({ metadata: { command: `deploy ${target}` } }, "permission", session);
        const read = opencode.received(`/permission/${id}/reply`).then((body): Read => {
          return (body as { readonly reply: string }).reply === "once" ? "yes" : "no";
        });
        return {
          read,
          again: () => read,
          allowThere: () => opencode.answerHere("permission", id, "reply", { reply: "once" }),
          closeThere: () => opencode.idle(session),
          goOn: () => opencode.forget("permission", id),
        };
      },
    };
  },
};
