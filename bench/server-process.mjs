// Servers in processes of their own, as they are in life. A server's program tells where it is by
// `serving(where, close)`; whoever started it gets that from `startServer`.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Starts `servers/<name>.mjs` and gives what it told, and `close`, which resolves when it has ended. */
export async function startServer(name, ...args) {
  const program = fileURLToPath(new URL(`servers/${name}.mjs`, import.meta.url));
  const child = fork(program, args, { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const where = await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`the server ${name} ended with ${code}`)));
  });
  return {
    ...where,
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** In a server's program: tells that it serves, and closes it when its parent lets go or is gone. */
export function serving(where, close = () => {}) {
  process.on("SIGINT", () => {});
  process.once("disconnect", async () => {
    await close();
    process.exit();
  });
  process.send(where);
}

/** Listens on a free port of the loopback and gives the URL. */
export function listenLocally(nodeServer) {
  // A client that is not measured just now comes back to its connection.
  nodeServer.keepAliveTimeout = 600_000;
  return new Promise((resolve, reject) => {
    nodeServer.once("error", reject);
    nodeServer.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${nodeServer.address().port}`));
  });
}
