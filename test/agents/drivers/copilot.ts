import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { CopilotClient, type CopilotSession, type SessionConfig } from "@github/copilot-sdk";
import { askline, askTool, withApproval } from "../../../src/agents/frameworks/copilot/index.ts";
import type { AdapterDriver, Setting } from "../suite/driver.ts";
import type { Prompted, Read, RelayDriver } from "../suite/relay-driver.ts";
import { formSchema } from "../suite/samples.ts";

export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

interface ModelMessage {
  readonly role: string;
  readonly content: string;
  readonly tool_call_id?: string;
}

/** The real runtime, with a model on this machine: it makes the calls, and ends when it has read their results. */
export interface CopilotRuntime {
  /** Runs a session to its end; returns what the model read, by call id. */
  run(
    calls: readonly ModelCall[],
    config: Partial<SessionConfig>,
    started?: (session: CopilotSession) => void | Promise<void>,
  ): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

export function copilotRuntime(): CopilotRuntime {
  const folder = mkdtempSync(join(tmpdir(), "askline-copilot-"));
  const client = new CopilotClient({
    baseDirectory: join(folder, "home"),
    workingDirectory: folder,
    useLoggedInUser: false,
    logLevel: "none",
  });
  const models = new Set<Server>();
  const end = (model: Server): void => {
    models.delete(model);
    model.closeAllConnections();
    model.close();
  };
  return {
    async run(calls, config, started) {
      let read: Readonly<Record<string, string>> = {};
      const model = createServer(async (request, response) => {
        const { messages } = (await json(request)) as { readonly messages: readonly ModelMessage[] };
        read = Object.fromEntries(
          messages.flatMap(({ tool_call_id: id, content }) => (id === undefined ? [] : [[id, content]])),
        );
        const isDone = calls.every(({ id }) => id in read);
        const toolCalls = calls.map(({ id, name, input }) => ({
          id,
          type: "function",
          function: { name, arguments: JSON.stringify(input) },
        }));
        const message = isDone ? { content: "Done." } : { content: null, tool_calls: toolCalls };
        response.setHeader("content-type", "application/json");
        response.end(
          JSON.stringify({
            id: "1",
            object: "chat.completion",
            created: 1,
            model: "double",
            choices: [
              {
                index: 0,
                message: { role: "assistant", ...message },
                finish_reason: isDone ? "stop" : "tool_calls",
              },
            ],
            usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
          }),
        );
      });
      models.add(model);
      await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
      try {
        const { port } = model.address() as AddressInfo;
        const session = await client.createSession({
          model: "double",
          provider: { type: "openai", baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: "none" },
          ...config,
        });
        const done = session.sendAndWait({ prompt: "Go on." }, 60_000);
        await started?.(session);
        await done;
        await session.disconnect();
        return read;
      } finally {
        end(model);
      }
    },
    async close() {
      await client.stop();
      for (const model of models) end(model);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let runtime: CopilotRuntime | undefined;

async function run(
  calls: readonly ModelCall[],
  { signal }: Setting,
  tools: NonNullable<SessionConfig["tools"]>,
): Promise<Readonly<Record<string, string>>> {
  runtime ??= copilotRuntime();
  const read = await runtime.run(calls, { tools }, (session) => {
    signal?.addEventListener("abort", () => void session.abort());
  });
  signal?.throwIfAborted();
  return read;
}

export const copilotDrivers: readonly AdapterDriver[] = [
  {
    name: "Copilot, in place",
    ask: (calls, setting) =>
      run(
        calls.map(({ id, input }) => ({ id, name: "ask_user_question", input })),
        setting,
        [askTool(setting.hub, { ask: { ...setting.ask, session: setting.session } })],
      ),
    async approve(args, setting) {
      const ran: unknown[] = [];
      const deploy = {
        name: "deploy",
        description: "Deploys the service",
        parameters: { type: "object", properties: { target: { type: "string" } } },
        handler: (input: { target: string }) => {
          ran.push(input);
          return `deployed to ${input.target}`;
        },
      };
      const { call_deploy: text = "" } = await run(
        [{ id: "call_deploy", name: "deploy", input: args }],
        setting,
        [withApproval(deploy, setting.hub, { ask: { session: setting.session } })],
      );
      return { text, ran };
    },
    async close() {
      await runtime?.close();
      runtime = undefined;
    },
  },
];

/** The handlers, called as the runtime does; copilot.test.ts has the real runtime. */
export const copilotRelay: RelayDriver = {
  name: "Copilot",
  there: "withdrawn",
  cannot: {
    "goes on once when two processes resume it": "it is waited for in place: no run is parked",
    "withdraws what an earlier process left, if the agent went on meanwhile":
      "its SDK names no request, and a Resolver finds none: the host sets a deadline",
  },
  async open({ client }) {
    let handlers = askline(client());
    let count = 0;
    const prompted = (send: (toolCallId: string) => Promise<Read>): Prompted => {
      count += 1;
      const toolCallId = `call_${count}`;
      const own = handlers;
      const read = send(toolCallId);
      const completed = { type: "permission.completed", data: { toolCallId } };
      return {
        read,
        again: () => (own === handlers ? read : send(toolCallId)),
        allowThere: () => handlers.onEvent(completed),
        closeThere: () => handlers.onEvent({ type: "abort" }),
      };
    };
    return {
      async start() {
        const own = client();
        handlers = askline(own);
        return () => own.close();
      },
      prompt: (target) =>
        prompted(async (toolCallId) => {
          const request = { kind: "shell", fullCommandText: `deploy ${target}`, toolCallId };
          const { kind } = await handlers.onPermissionRequest(request, { sessionId: "s1" });
          return kind === "approve-once" ? "yes" : kind === "reject" ? "no" : undefined;
        }),
      form: () =>
        prompted(async () => {
          const requestedSchema = formSchema({ rooms: { type: "integer", title: "Rooms", maximum: 9 } });
          const request = { sessionId: "s1", message: "The house", requestedSchema };
          const { action, content } = await handlers.onElicitationRequest(request);
          return action === "accept" ? (content as { rooms: number }) : undefined;
        }),
    };
  },
};
