// An agent in a process of its own, which writes a session over HTTP and waits for its answers.
//
//   node agent-process.mjs <url> <token> <session>
//   { "answered": "…" }    on stdout, for each question

import { writeSync } from "node:fs";
import { connect } from "../../../dist/client/index.js";

const [url, token, sessionId] = process.argv.slice(2);
const quiet = { warn: () => undefined, error: () => undefined };
const client = connect({ url, token, logger: quiet });
const session = await client.openSession({ sessionId, locale: "vi" });
await session.toolUse({ id: "tc-1", name: "write_todos", message: "Chuẩn bị" });
await session.toolResult({ id: "tc-1" });
const { outcome } = await session.ask([{ question: "Mục tiêu?", options: ["Cổ tức", "Tăng trưởng"] }], {
  key: "tc-2",
});
writeSync(1, `${JSON.stringify({ kind: outcome.kind, selected: outcome.answers?.[0]?.selected })}\n`);
await session.toolUse({ id: "tc-3", name: "analyze_price", message: "Phân tích" });
await session.toolResult({ id: "tc-3" });
await session.text("Xong", { final: true });
await client.close();
