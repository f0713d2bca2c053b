// Reaches the app-server of Codex: the one that Codex's own terminals share, over its socket, or one that listens on a port.

import { realpathSync } from "node:fs";
import { WebSocket } from "ws";
import type { CodexConnection } from "../../agents/codex/connection.js";
import { untilAborted } from "../../core/rules/abort.js";

/** Of one message; a file change has the whole of its files. */
const MOST_BYTES = 64 * 1024 * 1024;

export async function openCodex(address: string, signal: AbortSignal): Promise<CodexConnection> {
  const socket = new WebSocket(urlOf(address), { maxPayload: MOST_BYTES, perMessageDeflate: false });
  const messages: string[] = [];
  let isClosed = false;
  let wake = (): void => undefined;
  let failure: Error | undefined;
  socket.on("message", (data) => {
    messages.push(String(data));
    wake();
  });
  socket.on("error", (error) => {
    failure = error;
  });
  const opened = new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("close", () => {
      isClosed = true;
      wake();
      reject(failure ?? new Error(`${address} closed the connection`));
    });
  });
  try {
    await untilAborted(signal, opened);
  } catch (error) {
    socket.terminate();
    throw error;
  }
  async function* received(): AsyncGenerator<string> {
    for (;;) {
      for (let next = messages.shift(); next !== undefined; next = messages.shift()) yield next;
      if (isClosed) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    messages: received(),
    send: (message) => socket.send(message),
    close: () => socket.terminate(),
  };
}

function urlOf(address: string): string {
  if (!address.startsWith("unix:")) return address;
  const path = address.slice("unix:".length);
  try {
    // Codex's socket is a link to a short path: the path of a socket has a limit.
    return `ws+unix:${realpathSync(path)}:/`;
  } catch {
    throw new Error(`no Codex runs here (${path}); start "codex", or "codex app-server daemon start"`);
  }
}
