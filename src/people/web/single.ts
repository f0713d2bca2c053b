// The card as one HTML file: for a sandbox without network or storage, driven by the page around it.
//
//   host  -> frame   { type: "askline:show", ask, draft?, answerOnPick?, locale?, person?, surface?, theme? }
//   frame -> host    { type: "askline:ready" }, once, when it can be shown an ask
//                    { type: "askline:" and an ending's type (answer, decide, …), number, detail }
//                    { type: "askline:draft" | "askline:settled", detail }, { type: "askline:size", height }
//   host  -> frame   { type: "askline:stored", number, outcome? } or { type: "askline:refused", number, code? }
//
// A host that handles nothing but `askline:answer` may leave the last two out: without `waits: true` in `show`, the
// ask has ended when it was sent. A program within the file uses `window.askline.mount` instead. With
// `<body data-host="mcp">` the page around it is an MCP host (mcp-app.ts).

import { isRecord } from "../../core/kit/json.js";
import { AsklineCard } from "./card.js";
import { startApp } from "./mcp-app.js";
import { type MountOptions, mount } from "./mount.js";

/** Lets the page around this one drive it. */
function listen(): void {
  const sent = new Map<number, { stored(outcome: unknown): void; refused(error: Error): void }>();
  let number = 0;
  const tell = (message: object): void => window.parent.postMessage(message, "*");
  window.addEventListener("message", ({ data, source }) => {
    if (source !== window.parent || !isRecord(data)) return;
    if (data.type === "askline:show") {
      const waits = data.waits === true;
      mount({
        ...(data as unknown as MountOptions),
        on(name, { ...detail }) {
          const { waitUntil: _, ...plain } = detail as Record<string, unknown>;
          if (name === "draft" || name === "settled") {
            tell({ type: `askline:${name}`, detail: plain });
            return undefined;
          }
          number += 1;
          const own = number;
          const end = waits
            ? new Promise((stored, refused) => sent.set(own, { stored, refused }))
            : undefined;
          tell({ type: `askline:${name}`, number: own, detail: plain });
          return end;
        },
      });
      return;
    }
    const waiting = sent.get(Number(data.number));
    if (waiting === undefined) return;
    sent.delete(Number(data.number));
    if (data.type === "askline:stored") waiting.stored(data.outcome);
    else if (data.type === "askline:refused") {
      const code = typeof data.code === "string" ? data.code : "internal";
      waiting.refused(Object.assign(new Error(code), { name: "AsklineError", code }));
    }
  });
  new ResizeObserver(() =>
    tell({
      type: "askline:size",
      height: Math.ceil(document.documentElement.getBoundingClientRect().height),
    }),
  ).observe(document.documentElement);
  tell({ type: "askline:ready" });
}

customElements.define("askline-card", AsklineCard);
Object.assign(window, { askline: { mount } });
if (document.body.dataset.host === "mcp") void startApp();
else if (window.parent !== window) listen();
