// An ask over the gateway's WebSocket protocol, through our gateway or through a relay that hands frames on. Each plugin has a device of its own, which answers what it is shown; a cycle is one question
// of a plugin, and the answer that comes back to it.
import { WebSocket } from "ws";
import { runAlone } from "../cycles.mjs";
import { fourQuestions, sampleName } from "../sample-ask.mjs";
import { startServer } from "../server-process.mjs";

/** `server` is the name of a program in servers/, `store` is `sqlite`, `memory` or `none`. */
export async function openOverGateway(
  sample = fourQuestions,
  { server: name, store = "sqlite", connections = 64 } = {},
) {
  const server = await startServer(name, String(connections), store, sampleName(sample));
  const answers = answersOf(sample);
  const free = [];
  const sockets = [];
  for (let pair = 0; pair < connections; pair += 1) {
    const { agentToken, personToken } = server.pairs[pair] ?? {};
    const device = await connect(server.url, `role=device&pair=${pair}`, personToken);
    const plugin = await connect(server.url, `role=host&pair=${pair}`, agentToken);
    sockets.push(device, plugin);
    device.on("message", (data) => {
      const { type, payload } = JSON.parse(data);
      if (type !== "event" || payload.event !== "ask_user_question") return;
      const { questionId } = payload.payload;
      device.send(JSON.stringify({ type: "hook.ask_user_answer", payload: { questionId, answers } }));
    });
    free.push({ plugin, sessionKey: `session-${pair}` });
  }

  async function cycle(questionId) {
    const pair = free.pop();
    const payload = { sessionKey: pair.sessionKey, agentId: "bench", questionId, ...sample.ask };
    const answered = new Promise((resolve) => {
      pair.plugin.once("message", (data) => resolve(JSON.parse(data)));
    });
    pair.plugin.send(JSON.stringify({ type: "event", payload: { event: "ask_user_question", payload } }));
    const hook = await answered;
    free.push(pair);
    const isAnswer = hook.type === "hook.ask_user_answer" && hook.payload.questionId === questionId;
    if (!isAnswer || Object.keys(hook.payload.answers).length !== sample.answers.length) {
      throw new Error(`the plugin got ${JSON.stringify(hook)}`);
    }
  }

  return {
    cycle,
    async close() {
      for (const socket of sockets) socket.terminate();
      await server.close();
    },
  };
}

/** The answers as a map from text to label, labels joined, or what was typed. */
function answersOf({ ask, answers }) {
  const entries = answers.map(({ selected, text }, index) => {
    const { question, options } = ask.questions[index];
    const labels = selected.map((id) => options[Number(id.slice(1)) - 1].label);
    return [question, text ?? labels.join(", ")];
  });
  return Object.fromEntries(entries);
}

function connect(url, query, token) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const address = `${url.replace("http", "ws")}/v1/gateway?${query}`;
  const socket = new WebSocket(address, { headers, perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    socket.once("error", reject);
  });
}

await runAlone(import.meta.url, "gateway", () => openOverGateway(fourQuestions, { server: process.argv[2] }));
