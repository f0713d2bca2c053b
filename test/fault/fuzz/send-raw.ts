import { connect } from "node:net";
import { WAIT_MS } from "../../support/limits.ts";
import type { Received } from "./judge.ts";
import type { RawRequest } from "./raw-requests.ts";

/** Sends bytes over a connection of their own, and gives the responses that came back. */
export function sendRaw({ parts, cut }: RawRequest, port: number): Promise<readonly Received[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1").setNoDelay(true);
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`neither an answer nor an end within ${WAIT_MS} ms`));
    }, WAIT_MS);
    socket.on("data", (chunk) => chunks.push(chunk));
    // A socket that is cut off while it writes gets an error.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(responsesIn(Buffer.concat(chunks)));
    });
    const next = (index: number): void => {
      const part = parts[index];
      if (part !== undefined) socket.write(part, "latin1", () => setImmediate(next, index + 1));
      else if (cut) socket.resetAndDestroy();
      else socket.end();
    };
    socket.on("connect", () => next(0));
  });
}

/** All whole responses; what is cut short, or goes on as something else, is left out. */
function responsesIn(bytes: Buffer): readonly Received[] {
  const found: Received[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) break;
    const [line = "", ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n");
    const headers = Object.fromEntries(
      lines.map((header) => {
        const at = header.indexOf(":");
        return [header.slice(0, at).toLowerCase(), header.slice(at + 1).trim()];
      }),
    );
    const status = Number(line.split(" ")[1]);
    const length = Number(headers["content-length"] ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    rest = rest.subarray(end + 4 + length);
    // An answer to an Expect, with the response still to come.
    if (status === 100) continue;
    if (status === 101 || body.length < length) break;
    found.push({ status, headers, body: body.toString() });
    if (headers["transfer-encoding"] !== undefined) break;
  }
  return found;
}
