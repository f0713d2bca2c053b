import type { PlanOptions } from "./agent.js";

/**
 * The text of a plugin for opencode. It starts `askline opencode` for each project, and lets it reach that opencode on
 * loopback with a password of its own: without a flag, opencode listens on no port.
 */
export function opencodePlugin({ command, flags }: Pick<PlanOptions, "command" | "flags">): string {
  return `// Written by "askline connect". "askline connect --remove opencode" removes it.
// Sends the questions and permission requests of opencode to your Askline inbox.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const [PROGRAM, ...ARGS] = ${JSON.stringify(command)};
const FLAGS = ${JSON.stringify(flags)};
const RETRY_MS = 5_000;

export const Askline = async ({ client, directory, serverUrl }) => {
  const { fetch: call = fetch, headers } = client._client?.getConfig?.() ?? {};
  const password = randomBytes(24).toString("hex");
  const authorization = \`Basic \${Buffer.from(\`opencode:\${password}\`).toString("base64")}\`;
  const log = (message) => client.app.log({ body: { service: "askline", level: "info", message } }).catch(() => {});

  const answer = async (request, response) => {
    if (request.headers.authorization !== authorization) return response.writeHead(401).end();
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const own = new Headers(headers);
    own.set("content-type", "application/json");
    const body = chunks.length === 0 ? undefined : Buffer.concat(chunks);
    const target = new URL(request.url, serverUrl);
    const stop = new AbortController();
    response.once("close", () => stop.abort());
    const { method } = request;
    const reply = await call(new Request(target, { method, headers: own, body, signal: stop.signal }));
    response.writeHead(reply.status, { "content-type": reply.headers.get("content-type") ?? "application/json" });
    response.flushHeaders();
    for await (const chunk of reply.body ?? []) response.write(chunk);
    response.end();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = \`http://127.0.0.1:\${server.address().port}\`;

  let child;
  let isOver = false;
  const start = () => {
    child = spawn(PROGRAM, [...ARGS, "opencode", url, "--directory", directory, "--while-stdin", ...FLAGS], {
      env: { ...process.env, OPENCODE_SERVER_PASSWORD: password, OPENCODE_SERVER_USERNAME: "opencode" },
      stdio: ["pipe", "ignore", "pipe"],
      // The signals of the terminal are not for it: it ends when stdin does.
      detached: true,
    });
    child.stdin.on("error", () => {});
    createInterface({ input: child.stderr }).on("line", log);
    child.on("error", (error) => log(\`\${PROGRAM} could not be started: \${error.message}\`));
    // It ends with 2 if it cannot run like this at all.
    child.on("exit", (code) => {
      if (!isOver && code !== 2) setTimeout(start, RETRY_MS).unref();
    });
  };
  start();
  return {
    dispose: async () => {
      isOver = true;
      child.stdin.end();
      server.close();
    },
  };
};
`;
}
