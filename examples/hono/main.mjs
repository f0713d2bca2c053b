// Askline inside of a Hono app with its own sign-in: the same as the Express example, over Fetch.
//
//   node examples/hono/main.mjs

import { serve } from "@hono/node-server";
import { createHub, memoryStore } from "askline/hub";
import { createServer } from "askline/server";
import { Hono } from "hono";
import { signIn, userOf } from "../express/accounts.mjs";
import { check } from "../express/check.mjs";

const hub = await createHub({ store: memoryStore() });
const askline = createServer({
  hub,
  basePath: "/askline",
  authenticate(request) {
    const name = userOf(request.headers.get("cookie"));
    return name && { role: "person", name };
  },
});

const app = new Hono();
app.all("/askline/*", (context) => askline.fetch(context.req.raw));
app.post("/sign-in", async (context) => {
  const cookie = signIn(await context.req.json());
  if (cookie === undefined) return context.body(null, 401);
  context.header("set-cookie", cookie);
  return context.body(null, 204);
});
app.get("/", (context) => context.text("The shop"));

const http = await new Promise((resolve) => {
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => resolve(server));
});
try {
  await check(`http://127.0.0.1:${http.address().port}`, hub);
  console.log("Hono: each person saw and answered only their own question.");
} finally {
  await askline.close();
  http.closeAllConnections();
  http.close();
  await hub.close();
}
