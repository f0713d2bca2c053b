// Compares what a server of a test sends with what the API's document promises.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { isRecord } from "../../src/core/kit/json.js";
import { apiDocument, closedChecks } from "./api-schemas.ts";

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

interface Template {
  readonly path: string;
  readonly expression: RegExp;
  readonly methods: Readonly<Record<string, unknown>>;
}

const paths = Object.entries(
  apiDocument.paths as Readonly<Record<string, Readonly<Record<string, unknown>>>>,
);
const templates: readonly Template[] = paths.map(([path, methods]) => ({
  path,
  methods,
  expression: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
}));

/** What the document does not allow about a response; undefined where it is as promised. */
export function departure({ method, path, status, type, body }: Sent): string | undefined {
  // Every route can also be reached below the path of an inbox: the second server of the document.
  const own = path.replace(/^\/i\/[\w-]{22}(?=\/)/, "");
  const template = templates.find(({ expression }) => expression.test(own));
  const asked = method === "HEAD" ? "get" : method.toLowerCase();
  const operation = template?.methods[asked];
  const route = `${method} ${template?.path ?? path}`;
  const told = (message: string): string => `${route} ${status}: ${message}`;
  // A preflight request belongs to browsers, not to an operation.
  if (method === "OPTIONS" && status === 204 && body === "") return undefined;
  // What belongs to no operation is refused in the one shape of errors.
  if (template === undefined || !isRecord(operation)) {
    if (status < 400) return told("is not described");
    const wrong = type === "application/json" && body !== "" && closedChecks.schema("Problem", parse(body));
    return wrong ? told(wrong) : undefined;
  }
  const response = responseOf(operation, status);
  if (response === undefined) return told(`this status is not described; ${body.slice(0, 200)}`);
  const { content = {} } = response;
  const isEmpty = body === "" && type === "";
  if (Object.keys(content).length === 0) return isEmpty || body === "" ? undefined : told("has a body");
  if (Object.hasOwn(content, "*/*")) return undefined;
  if (!Object.hasOwn(content, type)) return told(`the content type ${type || "(none)"} is not described`);
  if (method === "HEAD" || type === "text/html") return undefined;
  const place =
    response.name === undefined
      ? ["paths", template.path, asked, "responses", String(status)]
      : ["components", "responses", response.name];
  const pointer = ["", ...place, "content", type]
    .map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"))
    .join("/");
  if (type === "text/event-stream") {
    for (const [, event, data = ""] of body.matchAll(/^(?:event: (.*)\n)?data: (.*)\n\n/gm)) {
      const schema = event === "draft" ? "x-hints/draft" : "x-event";
      const wrong = closedChecks.at(`${encodeURI(pointer)}/${schema}`, parse(data));
      if (wrong !== undefined) return told(`an event: ${wrong}: ${data.slice(0, 300)}`);
    }
    return undefined;
  }
  const sent = type === "application/json" ? parse(body) : body;
  const wrong = closedChecks.at(`${encodeURI(pointer)}/schema`, sent);
  return wrong === undefined ? undefined : told(`${wrong}: ${body.slice(0, 300)}`);
}

interface Response {
  readonly content?: object;
  /** Of one that operations share. */
  readonly name?: string;
}

function responseOf({ responses }: Readonly<Record<string, unknown>>, status: number): Response | undefined {
  const shared = (
    apiDocument.components as never as { readonly responses: Readonly<Record<string, Response>> }
  ).responses;
  const response = (responses as Readonly<Record<string, Response & { readonly $ref?: string }>>)[
    String(status)
  ];
  const name = response?.$ref?.slice("#/components/responses/".length);
  return name === undefined ? response : { ...shared[name], name };
}

export interface Conformance {
  /** Throws where something departed from the document since the last look. */
  check(): void;
}

/** Looks at every response of a server that serves below this base path, before the server does. */
export function watchResponses(nodeServer: Server, base = ""): Conformance {
  const departures: string[] = [];
  const emit = nodeServer.emit.bind(nodeServer) as (event: string | symbol, ...args: unknown[]) => boolean;
  // Not a listener: the server would hand it the paths that it does not serve.
  nodeServer.emit = (event: string | symbol, ...args: unknown[]) => {
    if (event === "request") {
      const [request, response] = args as [IncomingMessage, ServerResponse];
      record(request, response, (sent) => {
        const { path } = sent;
        const inner = path.startsWith(base) ? path.slice(base.length) || "/" : "/outside";
        const departed = departure({ ...sent, path: inner });
        if (departed !== undefined) departures.push(departed);
      });
    }
    return emit(event, ...args);
  };
  return {
    check() {
      const found = departures.splice(0);
      if (found.length > 0) throw new Error(`not as the API's document promises:\n${found.join("\n")}`);
    },
  };
}

function record(request: IncomingMessage, response: ServerResponse, done: (sent: Sent) => void): void {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown): void => {
    if (typeof chunk === "string") chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const { write, end } = response;
  response.write = ((...args: unknown[]) => {
    keep(args[0]);
    return Reflect.apply(write, response, args);
  }) as typeof write;
  response.end = ((...args: unknown[]) => {
    keep(args[0]);
    return Reflect.apply(end, response, args);
  }) as typeof end;
  let type = "";
  const { writeHead } = response;
  response.writeHead = ((...args: unknown[]) => {
    const given = args.find(isRecord) ?? {};
    type = String(given["content-type"] ?? given["Content-Type"] ?? type);
    return Reflect.apply(writeHead, response, args);
  }) as typeof writeHead;
  response.once("close", () => {
    const whole = String(response.getHeader("content-type") ?? type);
    const [essence = ""] = whole.split(";");
    // Of a response that was cut off, only a stream's events are whole.
    if (!response.writableFinished && essence !== "text/event-stream") return;
    const target = request.url ?? "/";
    const url = /^https?:/.test(target) ? target : `http://localhost${target}`;
    const path = URL.canParse(url) ? new URL(url).pathname : target;
    const body = Buffer.concat(chunks).toString();
    done({ method: request.method ?? "GET", path, status: response.statusCode, type: essence, body });
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return `no JSON: ${text.slice(0, 100)}`;
  }
}
