// Finds a server and a token as the command line does: ASKLINE_URL and ASKLINE_TOKEN, or else the server of this machine
// and the token in the file that `askline serve` writes.
//
// Only Node has files and an environment. Its modules are not imported, so that this file loads in browsers too.

import { isRecord } from "../core/kit/json.js";
import { messageOf } from "../core/kit/tools.js";
import { AsklineError } from "../core/model/error.js";
import { type Client, type ConnectOptions, connect as connectTo } from "./connect.js";
import { provedFetch, type ServerProof } from "./proved-fetch.js";

/** The part of Node's `process` that this needs. */
interface NodeProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
  kill(pid: number, signal: 0): unknown;
  getBuiltinModule(name: "node:fs"): { readFileSync(path: string, encoding: "utf8"): string };
  getBuiltinModule(name: "node:os"): { homedir(): string };
  getBuiltinModule(name: "node:path"): {
    join(...parts: readonly string[]): string;
    resolve(...parts: readonly string[]): string;
    dirname(path: string): string;
  };
}

/** `connect` for Node. Elsewhere, and with a URL, it is the same as in a browser. */
export function connect(options: ConnectOptions = {}): Client {
  const node = (globalThis as { readonly process?: Partial<NodeProcess> }).process;
  const isGiven = options.url !== undefined || options.urls !== undefined;
  if (isGiven || typeof node?.getBuiltinModule !== "function") return connectTo(options);
  const { proof, ...found } = findServer(node as NodeProcess, options);
  // A caller's own `fetch` need not reach the server by its address.
  if (proof === undefined || options.fetch !== undefined) return connectTo({ ...options, ...found });
  const send: typeof fetch = (input, init) => globalThis.fetch(input, init);
  return connectTo({ ...options, ...found, fetch: provedFetch(send, found.url, proof) });
}

function findServer(
  node: NodeProcess,
  { as: role = "agent", token: given }: ConnectOptions,
): { readonly url: string; readonly token: string; readonly proof: ServerProof | undefined } {
  const { env } = node;
  const path = node.getBuiltinModule("node:path");
  const home = node.getBuiltinModule("node:os").homedir();
  const absolute = (text: string, folder: string): string =>
    /^~(\/|$)/.test(text) ? path.join(home, text.slice(1)) : path.resolve(folder, text);
  /** A relative folder in an XDG variable counts as not set, as its specification requires. */
  const folderOf = (variable: string, usual: string): string => {
    const folder = env[variable];
    return path.join(folder?.startsWith("/") ? folder : path.join(home, usual), "askline");
  };
  const readJson = (file: string, mustExist = false): Readonly<Record<string, unknown>> => {
    try {
      const read = node.getBuiltinModule("node:fs").readFileSync(file, "utf8");
      const document: unknown = JSON.parse(read.replace(/^\uFEFF/, ""));
      if (isRecord(document)) return document;
      throw new Error("it is not a JSON object");
    } catch (error) {
      if (!mustExist && isRecord(error) && error.code === "ENOENT") return {};
      // A parser's message would show a part of the file, which may be a token.
      const why = error instanceof SyntaxError ? "it is not JSON" : messageOf(error);
      throw new AsklineError("invalid_request", `cannot read ${file} (${why})`);
    }
  };

  const named = env.ASKLINE_CONFIG ? absolute(env.ASKLINE_CONFIG, node.cwd()) : undefined;
  const own = path.join(folderOf("XDG_CONFIG_HOME", ".config"), "config.json");
  const files = [...(named === undefined ? [] : [named]), own].map((file) => ({
    folder: path.dirname(file),
    values: readJson(file, file === named),
  }));
  const setting = (name: string): { readonly text: string; readonly folder: string } | undefined => {
    const text = env[`ASKLINE_${name.toUpperCase()}`];
    if (text) return { text, folder: node.cwd() };
    const file = files.find(({ values }) => values[name] !== undefined);
    return file && { text: String(file.values[name]), folder: file.folder };
  };

  const data = setting("data");
  const folder =
    data === undefined ? folderOf("XDG_DATA_HOME", ".local/share") : absolute(data.text, data.folder);
  /** The server that was started last on this machine and still runs. */
  const lastUrl = (): string | undefined => {
    // Port 0 is any free one, and names no server.
    if ((env.ASKLINE_PORT && env.ASKLINE_PORT !== "0") || env.ASKLINE_HOST) return undefined;
    try {
      const { earlier, ...last } = readJson(path.join(folder, "server.json"));
      const known = [last, ...(Array.isArray(earlier) ? earlier : [])];
      return known.map(runningUrl).find((url) => url !== undefined);
    } catch {
      return undefined;
    }
  };
  const runningUrl = ({ url, pid }: Readonly<Record<string, unknown>>): string | undefined => {
    try {
      if (typeof url !== "string" || typeof pid !== "number") return undefined;
      node.kill(pid, 0);
      const { hostname, port, protocol } = new URL(url);
      // Only a server of this machine, whatever the file says.
      const local = localUrl(hostname, port);
      return protocol === "http:" && local === url ? local : undefined;
    } catch {
      return undefined;
    }
  };
  const url = env.ASKLINE_URL || (lastUrl() ?? localUrl(setting("host")?.text, setting("port")?.text));
  if (!URL.canParse(url)) throw new AsklineError("invalid_request", `ASKLINE_URL "${url}" is not a URL`);
  const token = given ?? (env.ASKLINE_TOKEN || undefined);
  const file = path.join(folder, "credentials.json");
  const { servers } = readJson(file);
  const entry = isRecord(servers) ? servers[serverOrigin(url)] : undefined;
  const kept = token ?? (isRecord(entry) ? entry[role] : undefined);
  if (typeof kept === "string") {
    return { url, token: kept, proof: isRecord(entry) ? readProof(entry.proof, url) : undefined };
  }
  throw new AsklineError(
    "unauthorized",
    `no ${role} token for ${url} in ${file}. To use a server on this machine, start it with "askline serve", which writes one. For another server, get a token there with "askline token create --role ${role}" and use connect({ url, token }), or set ASKLINE_URL and ASKLINE_TOKEN`,
  );
}

/** How long a proof counts: connections cannot be told apart here, so another program may have the port by then. */
const PROVED_MS = 1_000;

/** With the proof of an older version, which has none, nothing is ever sent. */
function readProof(proof: unknown, url: string): ServerProof {
  const [id = "", key = " "] = typeof proof === "string" ? proof.split(".") : [];
  const { hostname, port } = new URL(url);
  const hosts = hostname === "localhost" ? ["127.0.0.1", "::1"] : [hostname.replace(/^\[(.*)\]$/, "$1")];
  return { id, key, addresses: hosts.map((host) => `${host}:${port || 80}`), maxAgeMs: PROVED_MS };
}

/**
 * The server on this machine. A configured host counts only if it is loopback: a configuration file must not send a
 * token elsewhere.
 */
export function localUrl(host = "127.0.0.1", port: string | number = 4780): string {
  const name = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const known = /^(localhost|::1|127(\.\d{1,3}){3})$/.test(name) ? name : "127.0.0.1";
  return `http://${known.includes(":") ? `[${known}]` : known}:${port}`;
}

/** The name of a server in the credentials file: `localhost` and `127.0.0.1` are the same server. */
export function serverOrigin(text: string): string {
  const url = new URL(text);
  if (url.hostname === "localhost") url.hostname = "127.0.0.1";
  return url.origin;
}
