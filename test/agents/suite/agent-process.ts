// An agent in a process of its own, to be killed: `node agent-process.js <driver> <url> <token> <file>`. It makes one
// call of the ask tool and prints what the model read. A parked run is stored in the file.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { connect } from "../../../src/client/index.ts";
import type { AdapterDriver } from "./driver.ts";
import { SINGLE } from "./samples.ts";

const load: Readonly<
  Record<string, () => Promise<readonly Pick<AdapterDriver, "name" | "ask" | "close">[]>>
> = {
  "AG-UI": async () => {
    const { agUiBridge, agUiDrivers } = await import("../drivers/ag-ui.ts");
    return [...agUiDrivers, agUiBridge];
  },
  AI: async () => (await import("../drivers/ai-sdk.ts")).aiSdkDrivers,
  Copilot: async () => (await import("../drivers/copilot.ts")).copilotDrivers,
  LangChain: async () => (await import("../drivers/langchain.ts")).langChainDrivers,
  LangGraph: async () => (await import("../drivers/langchain.ts")).langChainDrivers,
  Mastra: async () => (await import("../drivers/mastra.ts")).mastraDrivers,
  OpenAI: async () => (await import("../drivers/openai-agents.ts")).openAIAgentsDrivers,
  own: async () => (await import("../drivers/tools.ts")).toolsDrivers,
};

const [name = "", url = "", token = "", file = ""] = process.argv.slice(2);
const drivers = (await load[name.split(/[ ,]/)[0] ?? ""]?.()) ?? [];
const driver = drivers.find((item) => item.name === name);
if (driver === undefined) throw new Error(`no driver is called ${name}`);

const client = connect({ url, token });
const texts = await driver.ask([{ id: "call_1", input: { questions: [SINGLE] } }], {
  hub: client,
  session: name,
  storage: {
    load: () => (existsSync(file) ? readFileSync(file) : undefined),
    save: (run) => {
      // The file appears whole: its appearance is what the test waits for before it kills this process.
      writeFileSync(`${file}.tmp`, run);
      renameSync(`${file}.tmp`, file);
    },
  },
});
console.log(JSON.stringify(texts));
await client.close();
await driver.close?.();
