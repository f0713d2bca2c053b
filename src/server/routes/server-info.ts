import type { Route } from "../call.js";
import { authorized } from "../identify.js";
import type { Operation } from "../operation.js";
import { json } from "../reply.js";

const INFO: Operation = {
  id: "getServer",
  summary: "Which version answers",
  responses: { 200: { description: "What this server is.", schema: "ServerInfo" } },
};

/** What a server is, for those with a token: its version is nobody else's business. */
export const serverInfoRoutes: readonly Route[] = [
  {
    path: "/v1/server",
    methods: {
      GET: authorized({ roles: ["agent", "person"] }, INFO, async ({ services: { version } }) =>
        json(200, version === undefined ? {} : { version }),
      ),
    },
  },
];
