// A model for the example, on loopback: it asks once, then says what it would do with the answer it read.

import { once } from "node:events";
import { createServer } from "node:http";

const QUESTION = {
  question: "Which database should the service use?",
  header: "Database",
  multiSelect: false,
  options: [
    { label: "PostgreSQL", description: "A server of its own; several services can share it" },
    { label: "SQLite", description: "One file, nothing to run" },
  ],
};

/** Starts the model on a free port. `requests` are what it was called with. */
export async function startModel() {
  const requests = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    requests.push(body);
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

function answer({ messages, tools }) {
  const results = messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.filter(({ type }) => type === "tool_result") : [],
  );
  const [result] = results;
  if (result === undefined) {
    const [{ name }] = tools;
    return [{ type: "tool_use", id: "toolu_database", name, input: { questions: [QUESTION] } }];
  }
  const chosen = /chose: "(.*)"/.exec(result.content)?.[1];
  const text = chosen === undefined ? `I stop here. ${result.content}` : `I set up ${chosen}.`;
  return [{ type: "text", text }];
}
