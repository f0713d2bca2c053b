import {
  AbstractAgent,
  type BaseEvent,
  EventType,
  type Interrupt,
  type Message,
  type RunAgentInput,
} from "@ag-ui/client";
import { Observable } from "rxjs";
import { park, runAgent } from "../../../src/agents/frameworks/ag-ui/index.ts";
import { type AdapterDriver, type Setting, untilEnded } from "../suite/driver.ts";
import type { Prompted, Read, RelayDriver } from "../suite/relay-driver.ts";
import { formSchema } from "../suite/samples.ts";

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** An agent of AG-UI from a function that emits its events. */
export class EventAgent extends AbstractAgent {
  readonly #events: (input: RunAgentInput) => AsyncGenerator<BaseEvent>;

  constructor(events: (input: RunAgentInput) => AsyncGenerator<BaseEvent>, threadId: string) {
    super({ threadId });
    this.#events = events;
  }

  run(input: RunAgentInput): Observable<BaseEvent> {
    return new Observable((subscriber) => {
      (async () => {
        for await (const event of this.#events(input)) subscriber.next(event);
        subscriber.complete();
      })().catch((error: unknown) => subscriber.error(error));
    });
  }
}

type ParkWith = (
  input: Pick<RunAgentInput, "threadId" | "messages" | "resume">,
) => ReturnType<typeof park<Message>>;

/** An agent: its model makes the calls, and ends once it has read their results. */
export async function* agentRun(
  { threadId, runId, messages, resume }: RunAgentInput,
  calls: readonly Call[],
  parkWith: ParkWith,
): AsyncGenerator<BaseEvent> {
  yield event(EventType.RUN_STARTED, { threadId, runId });
  let all: Message[] = messages;
  if (!all.some(({ role }) => role === "assistant")) {
    for (const { id, name, input } of calls) {
      const common = { toolCallId: id };
      yield event(EventType.TOOL_CALL_START, { ...common, toolCallName: name, parentMessageId: "m1" });
      yield event(EventType.TOOL_CALL_ARGS, { ...common, delta: JSON.stringify(input) });
      yield event(EventType.TOOL_CALL_END, common);
    }
    const toolCalls = calls.map(({ id, name, input }) => ({
      id,
      type: "function" as const,
      function: { name, arguments: JSON.stringify(input) },
    }));
    all = [...all, { id: "m1", role: "assistant", toolCalls }];
  }
  const parked = await parkWith({ threadId, messages: all, ...(resume !== undefined && { resume }) });
  for (const { id, toolCallId, content } of parked.results) {
    yield event(EventType.TOOL_CALL_RESULT, { messageId: id, toolCallId, content });
  }
  yield event(EventType.RUN_FINISHED, { threadId, runId, outcome: parked.outcome });
}

export function event(type: EventType, fields: object): BaseEvent {
  return { type, ...fields };
}

interface Stored {
  readonly messages: Message[];
  readonly pendingInterrupts: Interrupt[];
}

/** A front end: runs the agent, and resumes it when the asks behind its interrupts have ended in the hub. */
async function run(
  calls: readonly Call[],
  setting: Setting,
  tools: NonNullable<Parameters<typeof park>[2]>["tools"] = {},
): Promise<Readonly<Record<string, string>>> {
  const { hub, session, ask, storage } = setting;
  const agent = new EventAgent(
    (input) => agentRun(input, calls, (parked) => park(parked, hub, { ...(ask && { ask }), tools })),
    session,
  );
  const stored = storage?.load()?.toString();
  if (stored !== undefined) Object.assign(agent, JSON.parse(stored) satisfies Stored);
  else {
    agent.setMessages([{ id: "u1", role: "user", content: "Go on." }]);
    await agent.runAgent();
  }
  while (agent.pendingInterrupts.length > 0) {
    const { messages, pendingInterrupts } = agent;
    storage?.save(JSON.stringify({ messages, pendingInterrupts } satisfies Stored));
    const asks = await Promise.all(pendingInterrupts.map(({ id }) => hub.get(id)));
    await untilEnded(asks, setting);
    const resume = asks.map(({ id }) => ({ interruptId: id, status: "cancelled" as const }));
    await agent.runAgent({ resume });
  }
  return Object.fromEntries(
    agent.messages.flatMap((message) =>
      message.role === "tool" ? [[message.toolCallId, String(message.content)]] : [],
    ),
  );
}

export const agUiDrivers: readonly AdapterDriver[] = [
  {
    name: "AG-UI, parked",
    ask: (calls, setting) =>
      run(
        calls.map(({ id, input }) => ({ id, name: "ask_user_question", input })),
        setting,
      ),
    async approve(args, setting) {
      const ran: unknown[] = [];
      const deploy = (input: { target: string }): string => {
        ran.push(input);
        return `deployed to ${input.target}`;
      };
      const { call_deploy: text = "" } = await run(
        [{ id: "call_deploy", name: "deploy", input: args }],
        setting,
        { deploy },
      );
      return { text, ran };
    },
  },
];

/** An agent of another make, whose interrupts are answered by `runAgent`. It formats what it reads as our tools do. */
async function* foreignRun({ threadId, runId, resume }: RunAgentInput): AsyncGenerator<BaseEvent> {
  yield event(EventType.RUN_STARTED, { threadId, runId });
  const [entry] = resume ?? [];
  if (entry === undefined) {
    const colour = { type: "string", title: "Which colour?", enum: ["Red", "Green"] };
    const responseSchema = { type: "object", properties: { colour }, required: ["colour"] };
    const interrupts = [{ id: "int-1", reason: "input_required", responseSchema }];
    yield event(EventType.RUN_FINISHED, { threadId, runId, outcome: { type: "interrupt", interrupts } });
    return;
  }
  const chosen = JSON.stringify(entry.payload?.colour);
  const result = `The person answered:\n1. "Which colour?"\n   chose: ${chosen}`;
  yield event(EventType.RUN_FINISHED, { threadId, runId, result });
}

/** Not a driver of every case: what this agent reads is its own affair. */
export const agUiBridge: Pick<AdapterDriver, "name" | "ask"> = {
  name: "AG-UI, interrupted",
  async ask(_calls, { hub, session, storage }) {
    const agent = new EventAgent(foreignRun, session);
    const stored = storage?.load()?.toString();
    if (stored !== undefined) Object.assign(agent, JSON.parse(stored) satisfies Stored);
    const { result } = await runAgent(agent, hub, {
      onInterrupted: () => {
        const { messages, pendingInterrupts } = agent;
        storage?.save(JSON.stringify({ messages, pendingInterrupts } satisfies Stored));
      },
    });
    return { call_1: String(result) };
  },
};

/** An agent of another make, whose interrupts `runAgent` answers: in one thread, one after the other. */
export const agUiRelay: RelayDriver = {
  name: "AG-UI",
  cannot: {
    "hands out nothing twice when the later of two equal prompts is answered first":
      "an interrupt has an id in its thread: equal ones are one",
    "takes the answer at the agent if that is first, and tells the loser":
      "an agent that ends its run with interrupts has no prompt of its own",
    "withdraws what an earlier process left, if the agent went on meanwhile":
      "its host stores the pending interrupts, and the next run begins with them",
  },
  async open({ client }) {
    let own = client();
    const agentOf = (interrupt: Partial<Interrupt>, onPayload: (payload: unknown) => void) =>
      new EventAgent(async function* ({ threadId, runId, resume }) {
        yield event(EventType.RUN_STARTED, { threadId, runId });
        const [entry] = resume ?? [];
        if (entry?.status === "resolved") onPayload(entry.payload);
        const interrupts = [{ id: "int-1", reason: "own:reason", ...interrupt }];
        const outcome = entry === undefined ? { type: "interrupt", interrupts } : { type: "success" };
        yield event(EventType.RUN_FINISHED, { threadId, runId, outcome });
      }, "thread-1");
    const prompted = (interrupt: Partial<Interrupt>, toRead: (payload: never) => Read): Prompted => {
      let read: Read;
      const made = () =>
        agentOf(interrupt, (payload) => {
          read = toRead(payload as never);
        });
      const stop = new AbortController();
      const agent = made();
      const hub = own;
      const running = runAgent(agent, hub, { signal: stop.signal });
      return {
        read: running.then(() => read),
        async again() {
          if (hub === own) return running.then(() => read);
          const next = made();
          next.pendingInterrupts = structuredClone(agent.pendingInterrupts);
          await runAgent(next, own);
          return read;
        },
        closeThere: () => stop.abort(),
      };
    };
    return {
      async start() {
        own = client();
        return () => own.close();
      },
      prompt: (target) =>
        prompted(
          { reason: "tool_call", message: `Deploy to ${target}?` },
          ({ approved }: { approved: boolean }) => (approved ? "yes" : "no"),
        ),
      async park(target) {
        const interrupt = { reason: "tool_call", message: `Deploy to ${target}?` };
        const agent = agentOf(interrupt, () => undefined);
        const onInterrupted = (): never => {
          throw new Error("killed");
        };
        await runAgent(agent, own, { onInterrupted }).catch(() => undefined);
        return async () => {
          const next = agentOf(interrupt, () => undefined);
          next.pendingInterrupts = structuredClone(agent.pendingInterrupts);
          return runAgent(next, own).then(
            () => true,
            () => false,
          );
        };
      },
      form: () =>
        prompted(
          { responseSchema: formSchema({ rooms: { type: "integer", title: "Rooms", maximum: 9 } }) },
          (payload: { rooms: number }) => payload,
        ),
    };
  },
};
