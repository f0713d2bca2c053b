import { AsklineError } from "../core/index.js";

/** `prom-client`, which only those install who want metrics. */
export type PrometheusClient = typeof import("prom-client");

export async function loadClient(): Promise<PrometheusClient> {
  try {
    // Its names stand beside the default only where Node finds them in the source, and not in a bundle.
    const { default: client } = await import("prom-client");
    return client;
  } catch (error) {
    throw new AsklineError(
      "unsupported",
      "metrics need the package prom-client, which is not installed: npm install prom-client",
      { cause: error },
    );
  }
}
