import type { IncomingMessage } from "node:http";
import { AsklineError } from "../core/index.js";
import { exchangeOf } from "./node-requests.js";

/** The body as JSON; undefined where there is none. */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0) return undefined;
  requireType(request, "application/json");
  try {
    return JSON.parse(decode(bytes));
  } catch {
    throw new AsklineError("invalid_json", "the body is not JSON in UTF-8");
  }
}

/** The body as a browser sends a form. */
export async function readForm(request: Request, limit: number): Promise<URLSearchParams> {
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0) return new URLSearchParams();
  requireType(request, "application/x-www-form-urlencoded");
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

function requireType(request: Request, wanted: string): void {
  const [type = "", ...parameters] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => parameter.trim()).find((it) => it.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (type.trim() === wanted && isUtf8) return;
  throw new AsklineError("unsupported_media_type", `send the body as ${wanted}, in UTF-8`);
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  // Believed only where it saves reading: the bytes are counted below.
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  const exchange = exchangeOf(request);
  return exchange === undefined ? readStream(request, limit) : readIncoming(exchange.incoming, limit);
}

function readIncoming(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (): void => {
      incoming.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= limit) return;
      stop();
      incoming.pause();
      reject(tooLarge(limit));
    };
    const onEnd = (): void => {
      stop();
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    };
    const onClose = (): void => {
      stop();
      reject(new AsklineError("aborted", "the request ended before its body did"));
    };
    incoming.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
    if (incoming.destroyed && !incoming.readableEnded) onClose();
  });
}

async function readStream(request: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // A break cancels the stream: what is too large is not read to its end.
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limit) break;
    chunks.push(chunk);
  }
  if (length > limit) throw tooLarge(limit);
  return Buffer.concat(chunks);
}

function tooLarge(limit: number): AsklineError {
  return new AsklineError("too_large", `the body is larger than ${limit} bytes; send less`);
}
