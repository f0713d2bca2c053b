// Askline inside of an Express app with its own sign-in: the app's users are the people, and need no token of ours.
//
//   node examples/express/main.mjs

import { once } from "node:events";
import { createHub, memoryStore } from "askline/hub";
import { createServer } from "askline/server";
import express from "express";
import { signIn, userOf } from "./accounts.mjs";
import { check } from "./check.mjs";

const hub = await createHub({ store: memoryStore() });
const askline = createServer({
  hub,
  basePath: "/askline",
  // `incoming` is Express's request, with the user that the middleware below has found.
  authenticate: (_request, incoming) => incoming.user && { role: "person", name: incoming.user },
});

const app = express();
app.use((request, _response, next) => {
  request.user = userOf(request.headers.cookie);
  next();
});
app.use("/askline", askline.node);
app.post("/sign-in", express.json(), (request, response) => {
  const cookie = signIn(request.body);
  if (cookie === undefined) response.status(401).end();
  else response.set("set-cookie", cookie).status(204).end();
});
app.get("/", (_request, response) => response.send("The shop"));

const http = app.listen(0, "127.0.0.1");
await once(http, "listening");
try {
  await check(`http://127.0.0.1:${http.address().port}`, hub);
  console.log("Express: each person saw and answered only their own question.");
} finally {
  await askline.close();
  http.closeAllConnections();
  http.close();
  await hub.close();
}
