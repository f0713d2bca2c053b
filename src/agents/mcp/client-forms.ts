// Whether and how the client that calls shows a form: by its protocol revision and its connection.

import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isRecord } from "../../core/kit/json.js";
import { abortReason } from "../../core/rules/abort.js";
import { type ClientForm, returnedForm } from "./forms.js";
import type { RememberedClient } from "./mcp-server.js";

/** Forms that are shown over HTTP to 2025 clients, by the id of the request: the response is a request of its own. */
export type ShownForms = Map<
  string,
  { readonly session: string; resolve(result: unknown): void; reject(error: Error): void }
>;

/** A person takes as long as a person takes. */
const FORM_TIMEOUT_MS = 24 * 60 * 60_000;

export function declaresForms(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities.elicitation : undefined;
  // Before there were modes, an empty object meant forms.
  return isRecord(elicitation) && (isRecord(elicitation.form) || !isRecord(elicitation.url));
}

export function clientForm(
  server: Server,
  context: ServerContext,
  remembered: RememberedClient,
  shown: ShownForms,
): ClientForm | undefined {
  const { mcpReq, http } = context;
  const envelope = (mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>;
  if (envelope[PROTOCOL_VERSION_META_KEY] !== undefined) {
    if (!declaresForms(envelope[CLIENT_CAPABILITIES_META_KEY])) return undefined;
    const returned = returnedForm(mcpReq.inputResponses, mcpReq.requestState());
    return { revision: "2026-07-28", ...(returned !== undefined && { returned }) };
  }
  const { session } = remembered;
  const version =
    server.getNegotiatedProtocolVersion() ?? http?.req?.headers.get("mcp-protocol-version") ?? "";
  const revision = version >= "2025-11-25" ? "2025-11-25" : "2025-06-18";
  if (session !== undefined) {
    if (remembered.showsForms !== true) return undefined;
    return { revision, show: (form, signal) => showOverHttp(server, context, shown, session, form, signal) };
  }
  if (!declaresForms(server.getClientCapabilities())) return undefined;
  return {
    revision,
    async show(form, signal) {
      await useFirstId(server);
      const params = form as unknown as Record<string, unknown>;
      return mcpReq.send({ method: "elicitation/create", params }, { signal, timeout: FORM_TIMEOUT_MS });
    },
  };
}

const usedFirstIds = new WeakSet<Server>();

/** Clients of SDK 1 ignore the cancel of a request whose id is 0, which is the first one: that form would stay open. */
async function useFirstId(server: Server): Promise<void> {
  if (usedFirstIds.has(server)) return;
  usedFirstIds.add(server);
  await server.ping().catch(() => undefined);
}

/** Writes the request into the stream of the call; its response comes back by `respondToForm`. */
async function showOverHttp(
  server: Server,
  { mcpReq }: ServerContext,
  shown: ShownForms,
  session: string,
  form: object,
  signal: AbortSignal,
): Promise<unknown> {
  const id = `form-${crypto.randomUUID()}`;
  let stop = (): void => undefined;
  const response = new Promise<unknown>((resolve, reject) => {
    shown.set(id, { session, resolve, reject });
    stop = () => {
      const params = { requestId: id, reason: "answered elsewhere" };
      void mcpReq.notify({ method: "notifications/cancelled", params }).catch(() => undefined);
      reject(abortReason(signal));
    };
    signal.addEventListener("abort", stop, { once: true });
  });
  response.catch(() => undefined);
  try {
    if (signal.aborted) throw abortReason(signal);
    await server.transport?.send(
      { jsonrpc: "2.0", id, method: "elicitation/create", params: form as Record<string, unknown> },
      { relatedRequestId: mcpReq.id },
    );
    return await response;
  } finally {
    signal.removeEventListener("abort", stop);
    shown.delete(id);
  }
}

export function respondToForm(
  shown: ShownForms,
  session: string | undefined,
  { id, result, error }: Readonly<Record<string, unknown>>,
): boolean {
  const form = typeof id === "string" ? shown.get(id) : undefined;
  if (form === undefined || form.session !== session) return false;
  if (isRecord(error)) {
    form.reject(new ProtocolError(Number(error.code) || 0, String(error.message ?? "")));
  } else form.resolve(result);
  return true;
}
