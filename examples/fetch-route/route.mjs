// A route handler, as frameworks that speak Fetch want it: app/askline/[[...path]]/route.js in Next.js, for example.

import { createHub, memoryStore } from "askline/hub";
import { createServer } from "askline/server";

export const hub = await createHub({ store: memoryStore() });

const server = createServer({
  hub,
  basePath: "/askline",
  /** Stands for the app's own sign-in. */
  authenticate(request) {
    const name = /(?:^|; )user=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1];
    return name && { role: "person", name };
  },
});

export const GET = server.fetch;
export const POST = server.fetch;
export const PUT = server.fetch;
export const DELETE = server.fetch;
