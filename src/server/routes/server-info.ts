import type { Route } from "../call.js";
import { authorized } from "../identify.js";
import { json } from "../respond.js";

/** What a server is, for those with a token: its version is nobody else's business. */
export const serverInfoRoutes: readonly Route[] = [
  {
    path: "/v1/server",
    methods: {
      GET: authorized({ roles: ["agent", "person"] }, async ({ services: { version } }) =>
        json(200, version === undefined ? {} : { version }),
      ),
    },
  },
];
