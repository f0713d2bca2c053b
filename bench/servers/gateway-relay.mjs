// What our gateway is compared with: frames handed from a plugin to its device and back, and an ack to the device.
// Nothing is read, and nobody has to prove who they are. With the store `sqlite`, the rows of the ask and of its answer
// are on disk before either is handed on, written by hand; otherwise nothing is stored.
import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { openRowsByHand } from "../rows-by-hand.mjs";
import { samples } from "../sample-ask.mjs";
import { listenLocally, serving } from "../server-process.mjs";

const [, store, sample] = process.argv.slice(2);
const rows = store === "sqlite" ? await openRowsByHand(samples[sample]) : undefined;
const ACK = JSON.stringify({ type: "ack", payload: { questionId: "q", status: "answered" } });
// By the number of the pair; a plugin has one ask under way at a time.
const plugins = new Map();
const devices = new Map();
const asks = new Map();

const nodeServer = createServer();
const sockets = new WebSocketServer({ server: nodeServer, perMessageDeflate: false });
sockets.on("connection", (socket, { url }) => {
  const query = new URL(url, "http://localhost").searchParams;
  const pair = query.get("pair");
  const isDevice = query.get("role") === "device";
  (isDevice ? devices : plugins).set(pair, socket);
  socket.on("message", async (data) => {
    if (rows !== undefined) {
      if (isDevice) await rows.settle(asks.get(pair));
      else asks.set(pair, await rows.ask());
    }
    const other = (isDevice ? plugins : devices).get(pair);
    other.send(data, { binary: false });
    if (isDevice) socket.send(ACK);
  });
});

serving({ url: await listenLocally(nodeServer), pairs: [] }, () => rows?.close());
