// An ask over HTTP, through our server or through a relay that hands it on.
//
//   requests   the agent posts the ask and waits in a held request; the person, who was told its id, answers
//   events     the agent posts the ask in a request that is held; a person who follows the events answers
import { httpClient } from "../http-client.mjs";
import { fourQuestions, sampleName } from "../sample-ask.mjs";
import { startServer } from "../server-process.mjs";

/** `server` is the name of a program in servers/, `store` is `sqlite`, or `none` for a relay that stores nothing. */
export async function openOverHttp(sample = fourQuestions, { server: name, store = "sqlite", way }) {
  const server = await startServer(name, store, sampleName(sample));
  const client = httpClient(server.url);
  const { agentToken, personToken } = server;
  const answer = (id) =>
    client.send("POST", `/v1/asks/${id}/answer`, personToken, { answers: sample.answers });

  async function overRequests(id) {
    const { ask } = await client.send("POST", "/v1/asks", agentToken, question(id));
    const waiting = client.send("GET", `/v1/asks/${ask.id}?wait=60`, agentToken);
    await answer(ask.id);
    return waiting;
  }

  const failing = new Map();
  async function overEvents(id) {
    return new Promise((resolve, reject) => {
      failing.set(id, reject);
      client.send("POST", "/v1/asks?wait=60", agentToken, question(id)).then(resolve, reject);
    }).finally(() => failing.delete(id));
  }

  function question(id) {
    return { ...sample.ask, session: "bench", key: id };
  }

  if (way === "events") {
    await client.follow("/v1/events", personToken, ({ type, ask }) => {
      if (type === "ask.created") answer(ask.id).catch(failing.get(ask.key));
    });
  }
  const ask = way === "events" ? overEvents : overRequests;
  return {
    async cycle(id) {
      const { ask: ended } = await ask(id);
      if (ended.outcome?.answers?.length !== sample.answers.length) {
        throw new Error(`the agent went on with ${JSON.stringify(ended)}`);
      }
    },
    async close() {
      client.close();
      await server.close();
    },
  };
}
