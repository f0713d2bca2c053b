// What our server is compared with: the same requests, responses and events, handed from one to the other. Nobody has
// to prove who they are, and nothing is checked. With the store `sqlite`, the rows of the ask and of its answer are on
// disk before either is handed on, written by hand; otherwise nothing is stored.
import { createServer } from "node:http";
import { openRowsByHand } from "../rows-by-hand.mjs";
import { samples } from "../sample-ask.mjs";
import { listenLocally, serving } from "../server-process.mjs";

const [store, sample] = process.argv.slice(2);
const rows = store === "sqlite" ? await openRowsByHand(samples[sample]) : undefined;
const asks = new Map();
const streams = new Set();
let lastId = 0;

const nodeServer = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  const [, , kind, id, action] = pathname.split("/");
  if (kind === "events") return follow(response);
  if (request.method === "GET") return hold(asks.get(id), response);
  const body = JSON.parse(await textOf(request));
  if (action === "answer") return end(asks.get(id), body, response);
  const entry = await create(body);
  if (searchParams.has("wait")) hold(entry, response);
  else send(response, entry.ask);
});

serving({ url: await listenLocally(nodeServer) }, () => rows?.close());

async function create(body) {
  lastId += 1;
  const id = `ask_${String(lastId).padStart(36, "0")}`;
  const entry = { ask: { ...body, id, status: "pending", createdAt: Date.now() }, held: [] };
  entry.row = await rows?.ask();
  asks.set(id, entry);
  tell("ask.created", entry.ask);
  return entry;
}

function hold(entry, response) {
  if (entry.ask.status === "pending") entry.held.push(response);
  else send(response, entry.ask);
}

async function end(entry, outcome, response) {
  await rows?.settle(entry.row);
  entry.ask = { ...entry.ask, status: "answered", outcome: { kind: "answered", ...outcome } };
  // Whoever waited has the answer now, and nobody comes back for it.
  if (entry.held.length > 0) asks.delete(entry.ask.id);
  tell("ask.answered", entry.ask);
  for (const waiting of [...entry.held, response]) send(waiting, entry.ask);
}

function follow(response) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(": here\n\n");
  streams.add(response);
  response.once("close", () => streams.delete(response));
}

function tell(type, ask) {
  if (streams.size === 0) return;
  const frame = `event: ${type}\ndata: ${JSON.stringify({ type, askId: ask.id, ask })}\n\n`;
  for (const stream of streams) stream.write(frame);
}

function send(response, ask) {
  const body = JSON.stringify({ ask });
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  response.writeHead(200, headers).end(body);
}

async function textOf(request) {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) text += chunk;
  return text;
}
