// What people load is compressed: the files of the pages by the build, and a page when it is sent.

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { PlainReply, Reply } from "./reply.js";
import type { RequestHeaders } from "./request.js";

const gzipped = promisify(gzip);
/** A smaller page fits into one packet. */
const SMALLEST_BYTES = 1_000;

export function takesGzip(headers: RequestHeaders): boolean {
  const accepted = headers.get("accept-encoding")?.split(",") ?? [];
  return accepted.some((encoding) => /^\s*gzip\s*(?:;(?!\s*q=0(?:\.0*)?\s*$).*)?$/i.test(encoding));
}

/**
 * The page, gzipped if the request accepts that. Its length reveals nothing of a secret path: only a browser that is below
 * that path gets a page that names it.
 */
export async function compressPage(reply: Reply, headers: RequestHeaders): Promise<Reply> {
  if (!("body" in reply) || typeof reply.body !== "string" || reply.body.length < SMALLEST_BYTES)
    return reply;
  const vary = [reply.headers.vary, "accept-encoding"].filter(Boolean).join(", ");
  const plain: PlainReply = { ...reply, headers: { ...reply.headers, vary } };
  if (!takesGzip(headers)) return plain;
  const body = new Uint8Array(await gzipped(reply.body));
  return { ...plain, headers: { ...plain.headers, "content-encoding": "gzip" }, body };
}
