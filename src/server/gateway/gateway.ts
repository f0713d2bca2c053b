// All gateway connections of one server, from the upgrade to the close.

import type { Duplex } from "node:stream";
import { GATEWAY_PROTOCOL } from "../../agents/shapes/gateway.js";
import { AsklineError } from "../../core/model/error.js";
import { createSockets, openWebSocket, type Upgrade } from "../http/upgrades.js";
import { createOpenSet } from "../live/open-set.js";
import { createTail } from "../live/tail.js";
import { CLOSING } from "../live/waits.js";
import type { Services } from "../routing/call.js";
import { type Admission, admit } from "./admit.js";
import { type Connection, openConnection } from "./connection.js";
import { createDevice } from "./device.js";
import { createHost } from "./host.js";
import { createNames } from "./names.js";
import { createUndelivered } from "./undelivered.js";

export interface Gateway {
  /**
   * Handles an upgrade to one of the gateway's paths; undefined for any other path. Resolves once the connection is
   * open, or with the error to send to the client.
   */
  readonly upgrade: Upgrade;
  readonly size: number;
  /** The event position of the slowest device; undefined if none is connected. */
  slowestPosition(): number | undefined;
  /** Closes every connection and waits until all are closed. */
  close(): Promise<void>;
}

export function createGateway(services: Services): Gateway {
  const { hub, limits, logger } = services;
  const open = createOpenSet<Connection>(services);
  const tail = createTail(hub, logger);
  const names = createNames(hub);
  const undelivered = createUndelivered(services, tail);

  // Frames up to this size get an error message.
  const sockets = createSockets(2 * limits.body);

  const start = (admission: Admission, ...[socket, stream]: SocketPair): void => {
    const connection = openConnection(socket, stream, admission.principal, services, (own) =>
      admission.role === "host"
        ? createHost(own, services, {
            ...{ timeoutMs: admission.timeoutMs, undelivered },
            // Our own clients offer it, and send their questions again.
            resumes: socket.protocol === GATEWAY_PROTOCOL,
          })
        : createDevice(own, services, { surface: admission.surface, tail, names }),
    );
    open.add(connection, `gateway_${admission.role}`, admission.principal);
  };

  const take = async (...[incoming, url, socket, head]: Parameters<Upgrade>): Promise<unknown> => {
    try {
      if (open.isClosed) throw new AsklineError("closed", CLOSING);
      const admission = await admit(incoming, url, services);
      services.rateLimits.socket(admission.principal, incoming, socket);
      openWebSocket(sockets, incoming, socket, head, (webSocket) => start(admission, webSocket, socket));
      return undefined;
    } catch (error) {
      return error;
    }
  };

  return {
    upgrade: (incoming, url, socket, head) =>
      services.gatewayPaths.has(url.pathname) ? take(incoming, url, socket, head) : undefined,
    get size() {
      return open.size;
    },
    slowestPosition: () => (tail.isRunning ? tail.position : undefined),
    close: open.close,
  };
}

type SocketPair = readonly [socket: Parameters<typeof openConnection>[0], stream: Duplex];
