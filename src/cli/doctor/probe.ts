/** What answers at a URL, as far as it tells without a token. */
export type Probed =
  | { readonly kind: "askline"; readonly date: number | undefined }
  | { readonly kind: "other"; readonly what: string }
  | { readonly kind: "nothing"; readonly reason: string };

const PROBE_MS = 3_000;

/** A server of ours says that it is well, and asks for a token in its own words. */
export async function probe(url: string): Promise<Probed> {
  try {
    const health = await request(`${url}/healthz`);
    const asks = await request(`${url}/v1/asks`);
    const ours = asks.headers.get("www-authenticate")?.includes('realm="askline"') ?? false;
    if (!ours) return { kind: "other", what: "it speaks HTTP, and is no Askline" };
    if (health.status !== 200) return { kind: "other", what: `its /healthz answers ${health.status}` };
    const date = Date.parse(health.headers.get("date") ?? "");
    return { kind: "askline", date: Number.isNaN(date) ? undefined : date };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code === "ECONNREFUSED" || code === "ENOTFOUND") return { kind: "nothing", reason: code };
    if (error instanceof Error && error.name === "TimeoutError")
      return { kind: "other", what: "it says nothing" };
    return { kind: "other", what: "it does not speak HTTP" };
  }
}

/** The version that a server says it has; undefined where it does not say. */
export async function versionOf(url: string, token: string): Promise<string | undefined> {
  try {
    const response = await request(`${url}/v1/server`, { authorization: `Bearer ${token}` });
    const body: unknown = await response.json();
    const version = typeof body === "object" && body !== null && "version" in body ? body.version : undefined;
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

function request(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(PROBE_MS) });
}
