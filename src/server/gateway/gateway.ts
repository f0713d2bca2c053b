// All gateway connections of one server, from the upgrade to the close.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { GATEWAY_PROTOCOL } from "../../agents/shapes/gateway.js";
import { AsklineError } from "../../core/model/error.js";
import { chooseProtocol, openWebSocket, type Upgrade } from "../http/upgrades.js";
import { every } from "../live/every.js";
import { createTail } from "../live/tail.js";
import { CLOSING } from "../live/waits.js";
import type { Services } from "../routing/call.js";
import { type Admission, admit } from "./admit.js";
import { CLOSE_CODES, type Connection, openConnection } from "./connection.js";
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
  const { hub, clock, limits, logger, connections, credentials } = services;
  const open = new Set<Connection>();
  const tail = createTail(hub, logger);
  const names = createNames(hub);
  const undelivered = createUndelivered(services, tail);
  let closed = false;
  let stopBeat: (() => void) | undefined;

  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // Frames up to this size get an error message; larger ones close the connection (1009).
    maxPayload: 2 * limits.body,
    handleProtocols: chooseProtocol,
  });

  const startBeat = (): (() => void) =>
    every(clock, limits.heartbeatMs, () => {
      for (const connection of open) connection.beat();
    });

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
    open.add(connection);
    const unwatch = credentials.add(admission.principal.credential, connection.endUnauthorized);
    const counted = connections.open(`gateway_${admission.role}`, admission.principal);
    stopBeat ??= startBeat();
    void connection.over.then(() => {
      open.delete(connection);
      unwatch();
      counted();
      if (open.size > 0) return;
      stopBeat?.();
      stopBeat = undefined;
    });
    if (closed) connection.close(CLOSE_CODES.goingAway, "the server is closing");
  };

  const take = async (
    incoming: IncomingMessage,
    url: URL,
    socket: Duplex,
    head: Buffer,
  ): Promise<unknown> => {
    try {
      if (closed) throw new AsklineError("closed", CLOSING);
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
    async close() {
      closed = true;
      for (const connection of open) connection.close(CLOSE_CODES.goingAway, "the server is closing");
      await Promise.all([...open].map(({ over }) => over));
    },
  };
}

type SocketPair = readonly [socket: Parameters<typeof openConnection>[0], stream: Duplex];
