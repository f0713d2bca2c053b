// The least that speaks HTTP and reads events, so that little is measured but the server.
import { Agent, request as nodeRequest } from "node:http";

/** `{ send, follow, close }` for one server. Connections are kept and used again. */
export function httpClient(url) {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(url);
  const streams = new Set();

  /** Sends JSON and gives the JSON of the response; rejects for all but success. */
  function send(method, path, token, body) {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(text !== undefined && {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(text),
        }),
      };
      const outgoing = nodeRequest({ agent, hostname, port, method, path, headers }, (response) => {
        readAll(response).then((received) => {
          if (response.statusCode < 300) resolve(JSON.parse(received));
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${received}`));
        }, reject);
      });
      outgoing.once("error", reject);
      outgoing.end(text);
    });
  }

  /** Calls `take` with the data of each event; resolves when the stream has begun. */
  function follow(path, token, take) {
    return new Promise((resolve, reject) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const outgoing = nodeRequest({ hostname, port, path, headers }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`${path}: ${response.statusCode}`));
        let rest = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          const frames = (rest + chunk).split("\n\n");
          rest = frames.pop();
          for (const frame of frames) {
            const data = frame.split("\n").find((line) => line.startsWith("data: "));
            if (data !== undefined) take(JSON.parse(data.slice("data: ".length)));
          }
        });
        response.on("error", () => {});
        resolve();
      });
      // Once it has begun, its end is that of the bench.
      outgoing.on("error", reject);
      streams.add(outgoing);
      outgoing.end();
    });
  }

  return {
    send,
    follow,
    close() {
      for (const stream of streams) stream.destroy();
      agent.destroy();
    },
  };
}

async function readAll(response) {
  let text = "";
  response.setEncoding("utf8");
  for await (const chunk of response) text += chunk;
  return text;
}
