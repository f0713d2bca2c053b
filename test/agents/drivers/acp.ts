import { RequestError } from "@agentclientprotocol/sdk";
import { acpHandlers } from "../../../src/agents/acp/index.ts";
import type { Prompted, Read, RelayDriver } from "../suite/relay-driver.ts";
import { formSchema } from "../suite/samples.ts";

/** The client's handlers, called as the SDK does; acp.test.ts has an agent of the SDK. */
export const acpRelay: RelayDriver = {
  name: "Agent Client Protocol",
  cannot: {
    "goes on once when two processes resume it": "it is waited for in place: no run is parked",
    "takes the answer at the agent if that is first, and tells the loser":
      "the client has no prompt of its own: these handlers are its prompt",
    "withdraws what an earlier process left, if the agent went on meanwhile":
      "nothing tells a client what an agent asked before; its host sets a deadline",
  },
  async open({ client }) {
    let handlers = acpHandlers(client());
    let connection = new AbortController();
    const prompted = (send: (signal: AbortSignal) => Promise<Read>): Prompted => {
      const request = new AbortController();
      const own = handlers;
      const read = send(AbortSignal.any([connection.signal, request.signal]));
      return {
        read,
        again: () => (own === handlers ? read : send(connection.signal)),
        closeThere: () => request.abort(new RequestError(-32_800, "cancelled")),
      };
    };
    let count = 0;
    return {
      async start() {
        handlers = acpHandlers(client(), { cwd: "/home/ana/shop" });
        connection = new AbortController();
        return async () => connection.abort(new Error("the connection closed"));
      },
      prompt: (target) =>
        prompted(async (signal) => {
          const toolCall = { toolCallId: "call_1", title: "deploy", rawInput: { target } };
          const { outcome } = await handlers.requestPermission({
            params: {
              ...{ sessionId: "s1", toolCall },
              options: [
                { optionId: "yes", name: "Yes", kind: "allow_once" },
                { optionId: "no", name: "No", kind: "reject_once" },
              ],
            },
            signal,
          });
          return outcome.outcome === "selected" ? (outcome.optionId as "yes" | "no") : undefined;
        }),
      form() {
        count += 1;
        return prompted(async (signal) => {
          const requestedSchema = formSchema({ rooms: { type: "integer", title: "Rooms", maximum: 9 } });
          const params = { mode: "form", sessionId: "s1", message: `House ${count}`, requestedSchema };
          const response = await handlers.createElicitation({ params: params as never, signal });
          return response.action === "accept" ? (response.content as { rooms: number }) : undefined;
        });
      },
    };
  },
};
