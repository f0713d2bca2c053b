import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import {
  type GatewayResolver,
  type GatewayResolverOptions,
  gatewayResolver,
} from "../../../src/client/index.js";
import { type FakeClock, fakeClock } from "../../../src/testing/fake-clock.js";
import { openBackend, type RawBackend } from "./raw-backend.js";

/** A resolver and the gateway backend that it is connected to. */
export interface Scene {
  readonly backend: RawBackend;
  readonly resolver: GatewayResolver;
  readonly clock: FakeClock;
  readonly warnings: string[];
}

export async function openScene(options: Partial<GatewayResolverOptions> = {}): Promise<Scene> {
  const backend = await openBackend();
  const clock = fakeClock();
  const warnings: string[] = [];
  const log = (message: string): void => void warnings.push(message);
  const resolver = gatewayResolver({
    url: backend.url,
    sessionKey: "user-42",
    agentId: "coding-agent",
    WebSocket,
    clock,
    random: () => 0,
    logger: { warn: log, error: log },
    ...options,
  });
  onTestFinished(() => resolver.close());
  return { backend, resolver, clock, warnings };
}
