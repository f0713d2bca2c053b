// A scripted agent of the Agent Client Protocol, over stdio. It asks for permission to deploy when it is told to.
import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

const cancelled = new Set();

agent({ name: "scripted" })
  .onRequest("initialize", () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentCapabilities: { loadSession: true },
    agentInfo: { name: "scripted", version: "1.0.0" },
  }))
  .onRequest("session/new", () => ({ sessionId: `session-${process.pid}` }))
  .onRequest("session/load", () => ({}))
  .onNotification("session/cancel", ({ params }) => {
    cancelled.add(params.sessionId);
  })
  .onRequest("session/prompt", async ({ params, client }) => {
    const { sessionId } = params;
    const text = params.prompt[0].text;
    const say = (words) =>
      client.notify("session/update", {
        sessionId,
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } },
      });
    if (text === "die") process.exit(3);
    if (!text.startsWith("deploy")) {
      await say(`You said: ${text}`);
      return { stopReason: "end_turn" };
    }
    const toolCall = {
      toolCallId: "call_1",
      title: "Deploy to production",
      rawInput: { target: "production" },
    };
    await client.notify("session/update", { sessionId, update: { sessionUpdate: "tool_call", ...toolCall } });
    const { outcome } = await client.request("session/request_permission", {
      sessionId,
      toolCall,
      options: [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "always", name: "Always", kind: "allow_always" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ],
    });
    if (cancelled.has(sessionId)) return { stopReason: "cancelled" };
    await say(`Chosen: ${outcome.optionId ?? outcome.outcome}\u001b[2J`);
    return { stopReason: "end_turn" };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
