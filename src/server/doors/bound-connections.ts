// No address has all connections of a server: they are as many as it has files to open, and whoever opens one need
// not send anything on it.

import type { Server } from "node:http";
import { type PlainReply, rawReply } from "../reply.js";
import type { Doors } from "./doors.js";

/** Drops each connection of an address that has as many as it may, with a word on why where that can be read. */
export function boundConnections(
  nodeServer: Server,
  doors: Pick<Doors, "connect">,
  refuse: (error: unknown) => PlainReply,
): void {
  nodeServer.on("connection", (socket) => {
    try {
      doors.connect(socket);
    } catch (error) {
      // Not kept until it was read: then it would be open all the same.
      socket.end(rawReply(refuse(error)), () => socket.destroy());
    }
  });
}
