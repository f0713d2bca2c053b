import { afterAll, afterEach, beforeEach, describe, it } from "vitest";
import { createHub, type Hub, memoryStore } from "../../src/hub/index.ts";
import { agUiDrivers } from "./drivers/ag-ui.ts";
import { aiSdkDrivers } from "./drivers/ai-sdk.ts";
import { copilotDrivers } from "./drivers/copilot.ts";
import { langChainDrivers } from "./drivers/langchain.ts";
import { mastraDrivers } from "./drivers/mastra.ts";
import { openAIAgentsDrivers } from "./drivers/openai-agents.ts";
import { toolsDrivers } from "./drivers/tools.ts";
import { adapterCases } from "./suite/cases.ts";
import { watchAsks } from "./suite/next-ask.ts";

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

  beforeEach(async () => {
    hub = await createHub({ store: memoryStore() });
  });
  afterEach(() => hub.close());

  afterAll(() => driver.close?.());

  it.each(adapterCases)("$name", async ({ run }) => {
    await run({ driver, hub, setting: { hub, session: "thread-1" }, nextAsk: watchAsks(hub) });
  });
});
