import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { root } from "../../package/repository.ts";

// In a process of its own, which has neither a document nor what other tests leave behind.
const PROGRAM = `
import { createElement as h } from "react";
import { renderToString } from "react-dom/server";
const defined = [];
globalThis.customElements = { get: () => undefined, define: (name) => defined.push(name) };
const { AsklineCard, AsklineInbox, useAsk, useAskForm, useInbox } = await import("askline/react");
const ask = { questions: [{ question: "Ship it?", options: ["Yes", "No"] }] };
const client = new Proxy({}, { get: () => { throw new Error("a server fetches nothing"); } });
function Own() {
  const { view } = useAskForm(ask);
  const [inbox, one] = [useInbox(client), useAsk(client, "ask_1")];
  return h("p", null, view.rows.map(({ key }) => key).join(" ") + " " + (inbox.loading && one.loading));
}
const html = renderToString(h("main", null, h(AsklineCard, { ask, onAnswer() {}, className: "ours", id: "card" }), h(Own), h(AsklineInbox, { client })));
console.log(JSON.stringify({ html, defined }));
`;

it("renders on a server, and registers and fetches nothing there", () => {
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", PROGRAM], {
    cwd: root,
    encoding: "utf8",
  });
  expect(JSON.parse(output)).toEqual({
    html: '<main><askline-card id="card" class="ours"></askline-card><p>option:o1 option:o2 text note submit reply decline true</p><askline-inbox></askline-inbox></main>',
    defined: [],
  });
});
