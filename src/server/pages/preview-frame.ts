// The page that shows HTML previews of a card. A frame made by the card itself has the policy of the page around it,
// which may forbid styles, or allow scripts and other hosts. This page has its own, and is empty: the card sends it
// the document to show, which goes into a further frame, without scripts, whose policy is this page's. That policy
// also keeps the further frame from being led elsewhere; hints to connect, which no policy stops, are taken out.

import { sha256 } from "../../hub/seam/sha256.js";
import type { PlainReply } from "../http/reply.js";
import type { Route } from "../routing/call.js";

const SCRIPT = `addEventListener("message",({source,data})=>{
if(source!==parent||typeof data?.asklinePreview!=="string")return;
const page=new DOMParser().parseFromString(data.asklinePreview,"text/html");
for(const element of page.querySelectorAll("base,link,meta,script"))element.remove();
const frame=document.createElement("iframe");
frame.setAttribute("sandbox","");
frame.title="Preview";
frame.srcdoc="<!doctype html>"+page.documentElement.outerHTML;
document.body.replaceChildren(frame)})`;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Preview</title>
<style>html,body,iframe{display:block;width:100%;height:100%;margin:0;border:0;background:#fff;color-scheme:light}</style>
<body><script>${SCRIPT}</script></body>
</html>
`;

const HASH = sha256(SCRIPT, "base64");

/** Nothing is loaded; `sandbox` keeps the page without an origin even if somebody opens it by its address. */
const POLICY = `sandbox allow-scripts; default-src 'none'; script-src 'sha256-${HASH}'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'`;

export const previewFrameRoutes: readonly Route[] = [
  {
    path: "/preview-frame",
    methods: {
      GET: {
        about: {
          id: "previewFrame",
          summary: "The page that shows HTML previews of a card",
          description:
            "An empty page for a frame, the same for everyone, under a policy without network. The card sends it a document by a message.",
          responses: { 200: { description: "A page.", type: "text/html" } },
        },
        handle: async (): Promise<PlainReply> => ({
          status: 200,
          headers: {
            "content-type": "text/html; charset=utf-8",
            "cache-control": "public, max-age=3600",
            "content-security-policy": POLICY,
            "referrer-policy": "no-referrer",
            "x-content-type-options": "nosniff",
          },
          body: PAGE,
        }),
      },
    },
  },
];
