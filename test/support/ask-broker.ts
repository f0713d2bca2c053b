import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The port of broker.ts. */
    readonly broker: number;
  }
}

/** The URL of a server that all tests of this run share; the first that asks starts it. */
export async function askBroker(name: "postgres" | "chromium"): Promise<string> {
  const socket = connect(inject("broker"), "127.0.0.1");
  socket.write(name);
  const { url, error } = JSON.parse(await text(socket)) as { readonly url?: string; readonly error?: string };
  if (url === undefined) throw new Error(`the shared ${name} did not start: ${error}`);
  return url;
}
