import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/client/index.ts";
import { openServer, type RealServer } from "../client/real-server.ts";
import { acpRelay } from "./drivers/acp.ts";
import { agUiRelay } from "./drivers/ag-ui.ts";
import { claudeCodeRelay } from "./drivers/claude-code.ts";
import { codexHookRelay, codexRelay } from "./drivers/codex.ts";
import { copilotRelay } from "./drivers/copilot.ts";
import { mcpRelay } from "./drivers/mcp.ts";
import { opencodeRelay } from "./drivers/opencode.ts";
import { watchAsks } from "./suite/next-ask.ts";
import type { Read, RelayDriver, RelayStory } from "./suite/relay-driver.ts";
import { relayStories } from "./suite/relay-stories.ts";

const drivers = [
  claudeCodeRelay,
  codexHookRelay,
  codexRelay,
  opencodeRelay,
  acpRelay,
  copilotRelay,
  agUiRelay,
  mcpRelay,
];
const stories = Object.keys(relayStories) as RelayStory[];

async function play(driver: RelayDriver, story: RelayStory): Promise<void> {
  const server = await openServer();
  onTestFinished(() => server.close());
  const token = await server.token("agent", "deployer", ["ana"]);
  const client = () => {
    const logger = { warn: () => undefined, error: () => undefined };
    const own = connect({ url: server.url, token, logger });
    onTestFinished(() => own.close());
    return own;
  };
  const agent = await driver.open({ server, token, client });
  const kills: (() => Promise<unknown>)[] = [];
  onTestFinished(async () => {
    for (const kill of kills) await kill();
  });
  const breakServer = async (): Promise<() => Promise<void>> => {
    await server.kill();
    return async () => {
      const next: RealServer = await server.another(server.port);
      onTestFinished(() => next.close());
    };
  };
  await relayStories[story]({
    agent: {
      ...agent,
      async start() {
        const kill = await agent.start();
        kills.push(kill);
        return kill;
      },
      prompt(target) {
        const prompted = agent.prompt(target);
        let sent: Read;
        const onRead = (read: Read): void => {
          sent = read;
        };
        // One that is killed or closed may fail.
        prompted.read.then(onRead, () => undefined);
        return { ...prompted, sent: () => sent };
      },
    },
    ...{ hub: server.hub, there: driver.there ?? "decided", nextAsk: watchAsks(server.hub), breakServer },
  });
}

describe.each(drivers)("a prompt of $name", (driver) => {
  afterAll(() => driver.close?.());

  const can = stories.filter((story) => driver.cannot[story] === undefined);
  it.each(can)("%s", (story) => play(driver, story));

  it("says of each story that it cannot have why", () => {
    for (const reason of Object.values(driver.cannot)) expect(reason).toMatch(/\w+ \w+/);
  });
});
