import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHttp } from "../../../src/agents/mcp/index.ts";
import type { Read, RelayDriver } from "../suite/relay-driver.ts";

/** The tool `ask_approval`, called by a client of the official SDK. */
export const mcpRelay: RelayDriver = {
  name: "MCP",
  cannot: {
    "goes on once when two processes resume it": "it is waited for in place: no run is parked",
    "takes the answer at the agent if that is first, and tells the loser":
      "needs a client with forms or cards: mcp/forms.test.ts, mcp/card.chromium.test.ts",
    "asks again, with the reason, when an answer does not fit":
      "needs a client with forms: mcp/forms.test.ts",
    "withdraws what an earlier process left, if the agent went on meanwhile":
      "a model withdraws by a tool what it no longer asks",
  },
  async open({ client, token }) {
    let tools = new Client({ name: "test", version: "1" });
    let count = 0;
    return {
      async start() {
        const port = client();
        const http = createMcpHttp({ portOf: () => port });
        const own = new Client({ name: "test", version: "1" });
        tools = own;
        const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
          fetch: (url, init) => http.fetch(new Request(url, init), token),
        });
        await own.connect(transport as never);
        return async () => {
          await own.close();
          await http.close();
        };
      },
      prompt(target) {
        count += 1;
        const meta = { "claudecode/toolUseId": `toolu_${count}` };
        const request = {
          name: "ask_approval",
          arguments: { actions: [{ name: "deploy", args: { target } }] },
          _meta: meta,
        };
        const send = async (signal?: AbortSignal): Promise<Read> => {
          const options = signal === undefined ? {} : { signal };
          const { structuredContent } = await tools.callTool(request, options);
          const { decisions = [] } = (structuredContent ?? {}) as {
            readonly decisions?: readonly { readonly decision: string }[];
          };
          const [first] = decisions;
          return first && (first.decision === "approve" ? "yes" : "no");
        };
        const stop = new AbortController();
        const own = tools;
        const read = send(stop.signal);
        return {
          read,
          again: () => (own === tools ? read : send()),
          closeThere: () => stop.abort("the person stopped the turn"),
        };
      },
    };
  },
};
