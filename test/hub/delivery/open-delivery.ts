import { callbackPolicy } from "../../../src/hub/delivery/callbacks.ts";
import { createHub, type Hub, memoryStore, type Store } from "../../../src/hub/index.ts";
import {
  type Deliveries,
  type DeliveryOptions,
  startDelivery,
} from "../../../src/people/channels/delivery.ts";
import { type FakeClock, fakeClock, whileTimePasses } from "../../../src/testing/fake-clock.ts";
import { until } from "../../server/open-server.ts";

export interface OpenDelivery {
  readonly hub: Hub;
  readonly store: Store;
  readonly clock: FakeClock;
  readonly deliveries: Deliveries;
  readonly logged: string[];
  /** Lets time pass in steps until the check holds. */
  passUntil<T>(
    look: () => T | undefined | false | Promise<T | undefined | false>,
    stepMs?: number,
  ): Promise<T>;
}

const opened: OpenDelivery[] = [];

/** A hub in memory whose messages are delivered while time passes. */
export async function openDelivery(options: Partial<DeliveryOptions> = {}): Promise<OpenDelivery> {
  const { store = memoryStore() } = options;
  const clock = fakeClock();
  const logged: string[] = [];
  const log = (...parts: readonly unknown[]): void => void logged.push(parts.map(String).join(" "));
  const logger = { warn: log, error: log };
  const { callbacks = { allowPrivate: true } } = options;
  const hub = await createHub({ store, clock, logger, callbacks: callbackPolicy(callbacks) });
  const deliveries = await startDelivery({
    // In real time, unlike everything else: a busy machine may need a while for a response.
    timeoutMs: 10_000,
    ...options,
    hub,
    store,
    clock,
    logger,
    callbacks,
  });
  const open: OpenDelivery = {
    ...{ hub, store, clock, deliveries, logged },
    passUntil: (look, stepMs = 50) => whileTimePasses(clock, until(look), stepMs),
  };
  opened.push(open);
  return open;
}

/** For `afterEach`. */
export async function closeDeliveries(): Promise<void> {
  for (const { clock, deliveries, hub } of opened.splice(0)) {
    await whileTimePasses(clock, deliveries.close(), 100);
    await hub.close();
  }
}
