import { createServer } from "node:net";
import { localUrl } from "../remote/open-client.js";
import type { Settings } from "../settings/settings.js";
import { type Finding, ok, reasonOf, wrong } from "./finding.js";
import { type Probed, probe } from "./probe.js";

export interface CheckedPort {
  readonly finding: Finding;
  /** What answers there, where it is ours. */
  readonly probed?: Probed;
}

/** Whether a server could listen, or whether ours does already. */
export async function checkPort(settings: Settings): Promise<CheckedPort> {
  const { host, port } = settings;
  const place = `${host}:${port}`;
  if (port === 0) return { finding: ok("port", "any that is free") };
  const fault = await tryToListen(host, port);
  if (fault === undefined) return { finding: ok("port", `${place} is free`) };
  if (fault !== "EADDRINUSE") return { finding: unusable(place, fault) };
  const probed = await probe(localUrl(settings));
  if (probed.kind === "askline") return { finding: ok("port", `${place} is our server's`), probed };
  const what = probed.kind === "other" ? probed.what : "it does not answer on this machine";
  return {
    finding: wrong(
      "port",
      `${place} is taken by something else: ${what}`,
      `find out by what: lsof -i :${port}; or take another with --port or ASKLINE_PORT`,
    ),
  };
}

function unusable(place: string, fault: string): Finding {
  return fault === "EACCES"
    ? wrong("port", `this user may not listen on ${place}`, "choose a port above 1023 with --port")
    : wrong(
        "port",
        `nothing can listen on ${place} (${fault})`,
        "give an address of this machine with --host",
      );
}

/** The code of the fault; undefined where it went well. The port is let go of at once. */
function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve("code" in error ? String(error.code) : reasonOf(error)));
    server.listen({ host: host.replace(/^\[(.*)\]$/, "$1"), port }, () => {
      server.close(() => resolve(undefined));
    });
  });
}
