import { STATUS_CODES } from "node:http";
import type { PlainResponse } from "./respond.js";

/** A response as text, for a connection that node:http does not serve and that is closed behind it. */
export function lastWords({ status, headers, body }: PlainResponse): string {
  const lines = Object.entries({
    ...headers,
    connection: "close",
    "content-length": String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`;
}
