// An MCP server over stdio whose tool asks for a name, in a form.
import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
let call;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  const respond = (value) => send({ id, result: value });
  if (method === "initialize") {
    const serverInfo = { name: "form", version: "1" };
    respond({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
  } else if (method === "tools/list") {
    const inputSchema = { type: "object", properties: {} };
    respond({ tools: [{ name: "ask_name", description: "Asks for a name", inputSchema }] });
  } else if (method === "tools/call") {
    call = id;
    const properties = { name: { type: "string", title: "Name" }, age: { type: "integer" } };
    const requestedSchema = { type: "object", properties, required: ["name"] };
    send({ id: "form", method: "elicitation/create", params: { message: "Who?", requestedSchema } });
  } else if (id === "form") {
    send({
      id: call,
      result: { content: [{ type: "text", text: `got ${JSON.stringify(result ?? error)}` }] },
    });
  } else if (id !== undefined) respond({});
});
