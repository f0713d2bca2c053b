// What our gateway is compared with: frames handed from a plugin to its device and back, and an ack to the
// device. Nothing is read, nothing is stored, and nobody has to prove who they are.
import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { listenLocally, serving } from "../server-process.mjs";

const ACK = JSON.stringify({ type: "ack", payload: { questionId: "q", status: "answered" } });
const plugins = new Map();
const devices = new Map();

const nodeServer = createServer();
const sockets = new WebSocketServer({ server: nodeServer, perMessageDeflate: false });
sockets.on("connection", (socket, { url }) => {
  const query = new URL(url, "http://localhost").searchParams;
  const pair = query.get("pair");
  const isDevice = query.get("role") === "device";
  (isDevice ? devices : plugins).set(pair, socket);
  socket.on("message", (data) => {
    const other = (isDevice ? plugins : devices).get(pair);
    other.send(data, { binary: false });
    if (isDevice) socket.send(ACK);
  });
});

serving({ url: await listenLocally(nodeServer), pairs: [] });
