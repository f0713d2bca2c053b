// The card as an MCP App, in a sandboxed frame of an MCP host. They speak JSON-RPC by messages; these few are all that a
// card needs.
//
//   card -> host   ui/initialize, then ui/notifications/initialized; ui/notifications/size-changed
//   host -> card   ui/notifications/tool-result: its _meta has the ask, and the token to answer it with
//                  ui/notifications/host-context-changed (theme, locale); ui/resource-teardown
//   card -> host   tools/call answer_ask, then ui/message, or ui/update-model-context if the host takes no messages

import { CARD_META_KEY, CARD_SURFACE, CARD_TOOL } from "../../agents/shapes/shared/mcp-card.js";
import { isRecord } from "../../core/kit/json.js";
import type { AsklineCard } from "./card.js";
import { mount, setTheme } from "./mount.js";
import type { CardAsk } from "./types.js";

type Fields = Readonly<Record<string, unknown>>;

const waiting = new Map<number, { resolve(result: Fields): void; reject(error: Error): void }>();
let sent = 0;
let context: Fields = {};
let host: Fields = {};
let card: AsklineCard | undefined;

function send(message: object): void {
  window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

function request(method: string, params: object): Promise<Fields> {
  sent += 1;
  const id = sent;
  send({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

function receive({ data, source }: MessageEvent): void {
  if (source !== window.parent || !isRecord(data) || data.jsonrpc !== "2.0") return;
  const params = isRecord(data.params) ? data.params : {};
  if (typeof data.method !== "string") respond(data);
  else if (data.method === "ui/notifications/tool-result") show(params);
  else if (data.method === "ui/notifications/host-context-changed") apply(params);
  else if (data.id !== undefined) {
    const isKnown = data.method === "ui/resource-teardown" || data.method === "ping";
    send({ id: data.id, ...(isKnown ? { result: {} } : { error: { code: -32_601, message: "unknown" } }) });
  }
}

function respond({ id, result, error }: Fields): void {
  const asked = waiting.get(Number(id));
  waiting.delete(Number(id));
  if (isRecord(result)) asked?.resolve(result);
  else asked?.reject(new Error(isRecord(error) ? String(error.message) : "no result"));
}

/** Takes over what the host says about itself; it sends only what has changed. */
function apply(changed: Fields): void {
  context = { ...context, ...changed };
  if (card === undefined) return;
  setTheme(card, context.theme);
  card.locale = localeOf(context);
}

function localeOf({ locale }: Fields): string | undefined {
  return typeof locale === "string" ? locale : undefined;
}

function show({ _meta: meta }: Fields): void {
  const given = isRecord(meta) ? meta[CARD_META_KEY] : undefined;
  if (!isRecord(given) || !isRecord(given.ask)) return;
  const { ask, token } = given;
  const theme = context.theme === "light" || context.theme === "dark" ? context.theme : undefined;
  const locale = localeOf(context);
  card = mount({
    ask: ask as unknown as CardAsk,
    surface: CARD_SURFACE,
    theme,
    locale,
    on(name, detail) {
      if (name === "draft" || name === "settled") return undefined;
      const { answers, decisions, note, reason, text } = detail as unknown as Fields;
      const endings: Readonly<Record<string, object>> = {
        answer: { answers, note },
        decide: { decisions, note },
        decline: { decline: { reason } },
        reply: { reply: { text } },
      };
      const ending = endings[name];
      return answer(JSON.parse(JSON.stringify({ ask: ask.id, token, ...ending })) as Fields);
    },
  });
}

/** Resolves with the outcome as it is stored: somebody else may have been faster. */
async function answer(args: Fields): Promise<unknown> {
  const result = await request("tools/call", { name: CARD_TOOL, arguments: args });
  if (result.isError === true) throw Object.assign(new Error("refused"), { code: "invalid_answer" });
  void tell(result.content).catch(() => undefined);
  const stored = isRecord(result._meta) ? result._meta[CARD_META_KEY] : undefined;
  return isRecord(stored) ? stored.outcome : undefined;
}

/** The model goes on with the answer: at once where the host takes messages, otherwise with its next turn. */
async function tell(content: unknown): Promise<void> {
  if (host.message !== undefined) {
    const { isError } = await request("ui/message", { role: "user", content });
    if (isError !== true) return;
  }
  if (host.updateModelContext !== undefined) await request("ui/update-model-context", { content });
}

/** Lets the MCP host around this page drive it. */
export async function startApp(): Promise<void> {
  window.addEventListener("message", receive);
  const { hostContext, hostCapabilities } = await request("ui/initialize", {
    appInfo: { name: "askline", version: "1" },
    appCapabilities: {},
    protocolVersion: "2026-01-26",
  });
  if (isRecord(hostCapabilities)) host = hostCapabilities;
  if (isRecord(hostContext)) apply(hostContext);
  send({ method: "ui/notifications/initialized", params: {} });
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    const size = { width: Math.ceil(width), height: Math.ceil(height) };
    send({ method: "ui/notifications/size-changed", params: size });
  }).observe(document.documentElement);
}
