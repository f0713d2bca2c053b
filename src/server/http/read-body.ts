import type { IncomingMessage } from "node:http";
import type { Clock } from "../../core/kit/clock.js";
import { isNearly } from "../../core/kit/fold.js";
import { DOCUMENT_DEPTH, isRecord, parseDocument } from "../../core/kit/json.js";
import { AsklineError } from "../../core/model/error.js";
import type { Model } from "../../core/read/field.js";
import { takenFields } from "../../core/read/taken.js";
import type { ServerLimits } from "./limits.js";
import type { ServerRequest } from "./request.js";

interface Readable<P> {
  readonly request: ServerRequest;
  readonly services: {
    readonly limits: Required<ServerLimits>;
    readonly clock: Clock;
    readonly rateLimits: ByteLimits<P>;
  };
  /** The sender, if it is known: the bytes count in its rate. */
  readonly findings: { readonly principal?: P };
}

interface ByteLimits<P> {
  receive(principal: P, bytes: number): void;
}

/** The body as JSON; undefined if empty. */
export async function readJson<P>(call: Readable<P>): Promise<unknown> {
  const bytes = await readBytes(call, call.services.limits.body);
  if (bytes.length === 0) return undefined;
  requireType(call.request, "application/json");
  try {
    return parseDocument(decode(bytes));
  } catch {
    throw new AsklineError(
      "invalid_json",
      `the body is not JSON in UTF-8 of at most ${DOCUMENT_DEPTH} levels`,
    );
  }
}

/** Reads the rest of a body and drops it, so that the sender can read the reply; within the time of a body. */
export async function dropBody<P>({ request, services }: Readable<P>): Promise<void> {
  const { incoming } = request;
  if (incoming === undefined || incoming.readableEnded || incoming.destroyed) return;
  await new Promise<void>((resolve) => {
    const cancel = services.clock.schedule(services.limits.bodyMs, resolve);
    const over = (): void => {
      cancel();
      resolve();
    };
    incoming.once("end", over).once("close", over).once("error", over).resume();
  });
}

/** The body as an object with these fields, and no others. */
export async function readFields<P, Name extends string>(
  call: Readable<P>,
  names: readonly Name[],
): Promise<Readonly<Partial<Record<Name, unknown>>>> {
  const body = await readKnown(call, names);
  if (isRecord(body)) return body as Readonly<Partial<Record<Name, unknown>>>;
  throw new AsklineError("invalid_request", "send a JSON object");
}

/** The body as the table says, without other fields. */
export async function readTaken<P, T>(call: Readable<P>, model: Pick<Model<T>, "fields">): Promise<T> {
  const wrong: string[] = [];
  const taken = takenFields(model, await readFields(call, Object.keys(model.fields)), wrong);
  if (wrong.length === 0) return taken;
  throw new AsklineError("invalid_request", wrong.join("; "));
}

/**
 * The body as JSON; undefined if empty. Refuses fields of an object by name that the route does not take: a mistyped
 * field would silently not count.
 */
export async function readKnown<P>(call: Readable<P>, names: readonly string[]): Promise<unknown> {
  const body = await readJson(call);
  const unknown = isRecord(body) ? Object.keys(body).find((name) => !names.includes(name)) : undefined;
  if (unknown === undefined) return body;
  const name = unknown.slice(0, 64);
  const meant = names.find((known) => isNearly(name, known));
  const hint = meant === undefined ? "" : `did you mean "${meant}"? `;
  throw new AsklineError(
    "invalid_request",
    `unknown field ${JSON.stringify(name)}; ${hint}this route takes ${names.join(", ") || "no fields"}`,
  );
}

/** The body as a URL-encoded form of at most `most` bytes. */
export async function readForm<P>(call: Readable<P>, most: number): Promise<URLSearchParams> {
  const bytes = await readBytes(call, most);
  if (bytes.length === 0) return new URLSearchParams();
  requireType(call.request, "application/x-www-form-urlencoded");
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

function requireType(request: ServerRequest, wanted: string): void {
  const [type = "", ...parameters] = (request.headers.get("content-type") ?? "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => parameter.trim()).find((it) => it.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (type.trim() === wanted && isUtf8) return;
  throw new AsklineError("unsupported_media_type", `send the body as ${wanted}, in UTF-8`);
}

async function readBytes<P>({ request, services, findings }: Readable<P>, most: number): Promise<Uint8Array> {
  const { limits, clock, rateLimits } = services;
  const limit = Math.min(limits.body, most);
  // Only a shortcut: the bytes are counted below.
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > limit) throw tooLarge(limit);
  const { principal } = findings;
  const receive = (count: number): void => {
    if (principal !== undefined && count > 0) rateLimits.receive(principal, count);
  };
  receive(declared);
  let giveUp = (): void => undefined;
  const cancel = clock.schedule(limits.bodyMs, () => giveUp());
  try {
    const bytes = await (request.incoming === undefined
      ? readStream(request.body, limit, (own) => {
          giveUp = own;
        })
      : readIncoming(request.incoming, limit, (own) => {
          giveUp = own;
        }));
    receive(bytes.length - declared);
    return bytes;
  } finally {
    cancel();
  }
}

function readIncoming(
  incoming: IncomingMessage,
  limit: number,
  onTooSlow: (giveUp: () => void) => void,
): Promise<Uint8Array> {
  if (incoming.readableEnded) return Promise.resolve(parsedBody(incoming, limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (): void => {
      incoming.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
    };
    const refuse = (error: AsklineError): void => {
      stop();
      // Discards the rest until the reply is sent; if paused, it would block the connection's next request.
      incoming.resume();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > limit) refuse(tooLarge(limit));
    };
    const onEnd = (): void => {
      stop();
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    };
    const onClose = (): void => {
      stop();
      reject(new AsklineError("aborted", "the request was aborted before its whole body arrived"));
    };
    incoming.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
    onTooSlow(() => refuse(tooSlow()));
    if (incoming.destroyed && !incoming.readableEnded) onClose();
  });
}

/** A body that a parser of the host, such as `express.json()`, has already read. */
function parsedBody(
  { headers, body }: IncomingMessage & { readonly body?: unknown },
  limit: number,
): Uint8Array {
  const isJson = headers["content-type"]?.startsWith("application/json");
  if (typeof body !== "object" || body === null || !(isJson || body instanceof Uint8Array)) {
    throw new AsklineError(
      "invalid_request",
      "the body was read before it reached Askline; mount Askline before the body parsers",
    );
  }
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  if (bytes.length > limit) throw tooLarge(limit);
  return bytes;
}

async function readStream(
  body: ServerRequest["body"],
  limit: number,
  onTooSlow: (giveUp: () => void) => void,
): Promise<Uint8Array> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let slow = false;
  const cancel = (): void => {
    // The rest is not read, and a failure to cancel changes nothing.
    reader?.cancel().catch(() => undefined);
  };
  onTooSlow(() => {
    slow = true;
    cancel();
  });
  for (;;) {
    const chunk = await reader?.read();
    if (slow) throw tooSlow();
    if (chunk?.value === undefined) return Buffer.concat(chunks);
    length += chunk.value.length;
    if (length > limit) {
      cancel();
      throw tooLarge(limit);
    }
    chunks.push(chunk.value);
  }
}

function tooSlow(): AsklineError {
  return new AsklineError("request_timeout", "the body took too long to arrive; send it again");
}

function tooLarge(limit: number): AsklineError {
  return new AsklineError("too_large", `the body is larger than the limit of ${limit} bytes`);
}
