// A model on loopback that speaks OpenAI's Responses API as far as Codex needs it. A prompt that contains `SCRIPT:name`
// makes the model call what that script says; then it says "done".
import { createServer } from "node:http";
import { listen } from "../../client/scripted-server.ts";

export interface ModelCall {
  readonly name: string;
  readonly namespace?: string;
  readonly args: object;
}

export interface LoopbackModel {
  readonly url: string;
  /** What the model read after its last call: outputs of tools and messages, as JSON. */
  read(): string;
  close(): void;
}

interface Item {
  readonly type: string;
  readonly role?: string;
}

export async function startLoopbackModel(
  scripts: Readonly<Record<string, readonly ModelCall[]>>,
): Promise<LoopbackModel> {
  let calls = 0;
  let read = "";
  const outputOf = (input: readonly Item[]): readonly object[] => {
    const last = input.findLastIndex(({ role, type }) => type === "message" && role === "user");
    const [, name = ""] = /SCRIPT:(\w+)/.exec(JSON.stringify(input[last] ?? "")) ?? [];
    const isAnswered = input.slice(last + 1).some(({ type }) => type.endsWith("_output"));
    const wanted = isAnswered ? undefined : scripts[name];
    if (wanted === undefined) {
      const from = input.findLastIndex(({ type }) => type.endsWith("_call"));
      if (from >= 0) read = JSON.stringify(input.slice(from + 1));
      return [
        { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "done" }] },
      ];
    }
    return wanted.map(({ name: tool, namespace, args }) => {
      calls += 1;
      return {
        ...{ type: "function_call", id: `fc_${calls}`, call_id: `call_${calls}`, name: tool },
        ...(namespace !== undefined && { namespace }),
        arguments: JSON.stringify(args),
      };
    });
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (!request.url?.endsWith("/responses")) {
      response.writeHead(404).end("{}");
      return;
    }
    const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly input: readonly Item[] };
    const send = (type: string, fields: object): void => {
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
    };
    response.writeHead(200, { "content-type": "text/event-stream" });
    send("response.created", { response: { id: "resp_1" } });
    for (const [index, item] of outputOf(input).entries()) {
      send("response.output_item.done", { output_index: index, item });
    }
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    send("response.completed", { response: { id: "resp_1", usage } });
    response.end();
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    read: () => read,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
