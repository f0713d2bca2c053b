import { afterAll, afterEach, beforeEach, describe, it } from "vitest";
import type { Ask } from "../../src/core/index.ts";
import { createHub, type Hub, memoryStore } from "../../src/hub/index.ts";
import { agUiDrivers } from "./drivers/ag-ui.ts";
import { aiSdkDrivers } from "./drivers/ai-sdk.ts";
import { copilotDrivers } from "./drivers/copilot.ts";
import { langChainDrivers } from "./drivers/langchain.ts";
import { mastraDrivers } from "./drivers/mastra.ts";
import { openAIAgentsDrivers } from "./drivers/openai-agents.ts";
import { toolsDrivers } from "./drivers/tools.ts";
import { adapterCases } from "./suite/cases.ts";

// Every adapter, with its real framework and that framework's own double of a model.
describe.each([
  ...aiSdkDrivers,
  ...langChainDrivers,
  ...openAIAgentsDrivers,
  ...toolsDrivers,
  ...agUiDrivers,
  ...copilotDrivers,
  ...mastraDrivers,
])("$name", (driver) => {
  let hub: Hub;
  let asks: AsyncIterator<Ask>;
  let stop: AbortController;

  beforeEach(async () => {
    hub = await createHub({ store: memoryStore() });
    stop = new AbortController();
    asks = hub.watch({ status: "pending" }, { signal: stop.signal })[Symbol.asyncIterator]();
  });
  afterEach(async () => {
    stop.abort();
    await hub.close();
  });

  afterAll(() => driver.close?.());

  it.each(adapterCases)("$name", async ({ run }) => {
    const known = new Set<string>();
    const nextAsk = async (): Promise<Ask> => {
      for (;;) {
        const { value, done } = await asks.next();
        if (done) throw new Error("the watch has ended");
        if (value.status !== "pending" || known.has(value.id)) continue;
        known.add(value.id);
        return value;
      }
    };
    await run({ driver, hub, setting: { hub, session: "thread-1" }, nextAsk });
  });
});
