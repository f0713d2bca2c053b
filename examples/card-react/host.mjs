// The back end of the app: it serves the built page, and gives the user who is signed in a token for Askline. The admin's
// token stays here.
//
//   askline serve --allow-origin http://127.0.0.1:8080
//   export ASKLINE_URL=http://127.0.0.1:4780 ASKLINE_ADMIN_TOKEN=$(askline token create --role admin --name shop)
//   npx vite build examples/card-react && PORT=8080 node examples/card-react/host.mjs

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const { ASKLINE_URL, ASKLINE_ADMIN_TOKEN, PORT = "0" } = process.env;
const FILES = process.env.FILES ?? join(import.meta.dirname, "dist");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** Stands for the app's own sign-in. */
function userOf(request) {
  return /(?:^|; )user=(\w+)/.exec(request.headers.cookie ?? "")?.[1];
}

async function tokenFor(person) {
  const response = await fetch(`${ASKLINE_URL}/v1/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${ASKLINE_ADMIN_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ role: "person", name: person, expiresInMinutes: 10 }),
  });
  if (!response.ok) throw new Error(`Askline refused a token: ${response.status} ${await response.text()}`);
  const { token, info } = await response.json();
  return { url: ASKLINE_URL, person, token, expiresAt: info.expiresAt };
}

const server = createServer(async (request, response) => {
  const send = (status, type, body) => response.writeHead(status, { "content-type": type }).end(body);
  try {
    const { pathname } = new URL(request.url, "http://host");
    if (pathname === "/api/askline-token" && request.method === "POST") {
      const person = userOf(request);
      if (person === undefined) return send(401, "text/plain", "sign in first");
      return send(200, "application/json", JSON.stringify(await tokenFor(person)));
    }
    const path = pathname === "/" ? "/index.html" : normalize(pathname);
    const contents = await readFile(join(FILES, path)).catch(() => undefined);
    return contents === undefined
      ? send(404, "text/plain", "not found")
      : send(200, TYPES[extname(path)] ?? "application/octet-stream", contents);
  } catch (error) {
    console.error(error);
    return send(502, "text/plain", "Askline cannot be reached");
  }
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
