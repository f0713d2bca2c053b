// A model on loopback that speaks the Messages API: it answers each request with the next step of a script. A step is a
// list of tool calls, or a text. The step is chosen by how many assistant turns the conversation has since the prompt
// that names the script, so that a request that is repeated gets the same answer.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
}

export type Step = readonly ToolCall[] | string;

export interface LoopbackModel {
  readonly url: string;
  /** The texts of tool results that the model was sent, in order, without repeats. */
  readonly results: readonly string[];
  close(): Promise<void>;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
}

export async function startLoopbackModel(
  scripts: Readonly<Record<string, readonly Step[]>>,
): Promise<LoopbackModel> {
  const results = new Map<string, string>();
  let calls = 0;
  const stepOf = (messages: readonly Message[], tools: boolean): Step => {
    if (!tools) return "ok";
    const start = messages.findLastIndex(
      ({ role, content }) => role === "user" && /SCRIPT:\w+/.test(textOf(content)),
    );
    const name = /SCRIPT:(\w+)/.exec(textOf(messages[start]?.content ?? ""))?.[1] ?? "";
    const turns = messages.slice(start + 1).filter(({ role }) => role === "assistant").length;
    return scripts[name]?.[turns] ?? "done";
  };

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    if (!incoming.url?.startsWith("/v1/messages") || incoming.url.includes("count_tokens")) {
      outgoing.writeHead(incoming.method === "HEAD" ? 200 : 404, { "content-type": "application/json" });
      return void outgoing.end("{}");
    }
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
      readonly messages: readonly Message[];
      readonly tools?: readonly unknown[];
      readonly stream?: boolean;
    };
    for (const { content } of body.messages) {
      if (typeof content === "string") continue;
      for (const block of content) {
        if (block.type === "tool_result" && block.tool_use_id !== undefined) {
          results.set(block.tool_use_id, textOf(block.content ?? ""));
        }
      }
    }
    // Claude Code names the file for the plan in its prompt.
    const [planFile = ""] = /[^\s"'`\\]+\/plans\/[\w.-]+\.md/.exec(JSON.stringify(body)) ?? [];
    const scripted = stepOf(body.messages, (body.tools?.length ?? 0) > 0);
    const step = JSON.parse(JSON.stringify(scripted).replaceAll("PLAN_FILE", planFile)) as Step;
    const message = {
      id: `msg_${++calls}`,
      type: "message",
      role: "assistant",
      model: "claude-loopback",
      content: contentOf(step, calls),
      stop_reason: typeof step === "string" ? "end_turn" : "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 10 },
    };
    if (!body.stream) {
      outgoing.writeHead(200, { "content-type": "application/json" });
      return void outgoing.end(JSON.stringify(message));
    }
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of eventsOf(message)) {
      outgoing.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    outgoing.end();
  };

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get results() {
      return [...results.values()];
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function textOf(content: string | readonly Block[]): string {
  if (typeof content === "string") return content;
  return content
    .filter(({ type }) => type === "text")
    .map(({ text = "" }) => text)
    .join("\n");
}

function contentOf(step: Step, call: number): readonly object[] {
  if (typeof step === "string") return [{ type: "text", text: step }];
  return step.map(({ name, input }, index) => ({
    ...{ type: "tool_use", id: `toolu_${call}_${index}`, name, input },
  }));
}

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

function* eventsOf({
  content,
  stop_reason,
  ...message
}: {
  readonly content: readonly object[];
  readonly stop_reason: string;
}): Generator<Event> {
  yield { type: "message_start", message: { ...message, content: [], stop_reason: null } };
  for (const [index, block] of content.entries()) {
    const { text, input, ...start } = block as Record<string, unknown>;
    const empty = text === undefined ? { ...start, input: {} } : { ...start, text: "" };
    yield { type: "content_block_start", index, content_block: empty };
    const delta =
      text === undefined
        ? { type: "input_json_delta", partial_json: JSON.stringify(input) }
        : { type: "text_delta", text };
    yield { type: "content_block_delta", index, delta };
    yield { type: "content_block_stop", index };
  }
  yield { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } };
  yield { type: "message_stop" };
}
