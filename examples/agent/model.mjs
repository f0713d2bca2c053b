// A model for the example, on loopback: it asks once, then says what it would do with the answer it read.
//
//   node examples/agent/model.mjs      prints its URL, then each result of a tool that it reads

import { once } from "node:events";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const QUESTION = {
  question: "Which database should the service use?",
  header: "Database",
  multiSelect: false,
  options: [
    { label: "PostgreSQL", description: "A server of its own; several services can share it" },
    { label: "SQLite", description: "One file, nothing to run" },
  ],
};

/** Starts the model on a free port. `requests` are what it was called with; `onResult` is called with what it read. */
export async function startModel({ onResult = () => undefined } = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    requests.push(body);
    for (const { content } of resultsIn(body)) onResult(content);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ role: "assistant", content: answer(body) }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function resultsIn({ messages }) {
  return messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.filter(({ type }) => type === "tool_result") : [],
  );
}

function answer(body) {
  const [result] = resultsIn(body);
  if (result === undefined) {
    const [{ name }] = body.tools;
    return [{ type: "tool_use", id: "toolu_database", name, input: { questions: [QUESTION] } }];
  }
  const [, given] = /(?:chose|typed): (".*")/.exec(result.content) ?? [];
  const text = given === undefined ? `I stop here. ${result.content}` : `I set up ${JSON.parse(given)}.`;
  return [{ type: "text", text }];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { url } = await startModel({ onResult: (text) => console.log(text) });
  console.log(url);
}
