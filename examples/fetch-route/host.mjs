// A Node host for route handlers, in ten lines. An agent in the same process asks, and prints what was answered.
//
//   node examples/fetch-route/host.mjs

import { createServer } from "node:http";
import { Readable } from "node:stream";
import { DELETE, GET, hub, POST, PUT } from "./route.mjs";

const handlers = { DELETE, GET, POST, PUT };

const host = createServer(async (request, response) => {
  const { method, headers, url } = request;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const body = method === "GET" || method === "HEAD" ? null : Readable.toWeb(request);
  const init = { method, headers, body, duplex: "half", signal: gone.signal };
  const reply = await (handlers[method] ?? GET)(new Request(`http://${headers.host}${url}`, init));
  response.writeHead(reply.status, Object.fromEntries(reply.headers));
  Readable.fromWeb(reply.body ?? new Blob([]).stream()).pipe(response);
});

host.listen(Number(process.env.PORT ?? 0), "127.0.0.1", async () => {
  const { id } = await hub.post({
    questions: [{ question: "Refund the order?", options: ["Yes", "No"] }],
  });
  console.log(`http://127.0.0.1:${host.address().port}/askline/asks/${id}`);
  const { kind, by, choices } = await hub.wait(id);
  console.log(`${kind} by ${by?.id}: ${choices?.[0]?.labels.join(", ")}`);
});
