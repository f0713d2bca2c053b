import parsePrometheusTextFormat from "parse-prometheus-text-format";
import { memoryStore, type Store } from "../../../src/hub/index.ts";
import { createMetrics, type MetricsOptions } from "../../../src/server/metrics/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { type OpenServer, openServer } from "../open-server.ts";

type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly value?: string;
  readonly labels?: Labels;
  readonly count?: string;
  readonly sum?: string;
  readonly buckets?: Readonly<Record<string, string>>;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly metrics: readonly Sample[];
}

export interface Scrape {
  readonly text: string;
  readonly families: readonly Family[];
  /** Every line of the text, those of histograms one by one. */
  readonly series: readonly { readonly name: string; readonly labels: Labels }[];
  /** The family's sample with exactly these labels. */
  sample(name: string, labels?: Labels): Sample | undefined;
  /** The number of that sample. */
  value(name: string, labels?: Labels): number | undefined;
}

/** Reads the text format with a third-party parser. */
export function parse(text: string): Scrape {
  const families = parsePrometheusTextFormat(text) as readonly Family[];
  // It throws the histograms of one family together, whatever their labels. As samples of no type they stay apart.
  const flat = parsePrometheusTextFormat(
    text.replaceAll(/^# TYPE \S+ histogram$/gm, ""),
  ) as readonly Family[];
  const all = (name: string): readonly Sample[] =>
    flat.filter((family) => family.name === name).flatMap(({ metrics }) => metrics);
  const find = (name: string, labels: Labels): Sample | undefined =>
    all(name).find((one) => same(one.labels ?? {}, labels));
  const sample: Scrape["sample"] = (name, labels = {}) => {
    const count = find(`${name}_count`, labels)?.value;
    const sum = find(`${name}_sum`, labels)?.value;
    if (count === undefined || sum === undefined) return find(name, labels);
    const own = all(`${name}_bucket`).flatMap(({ labels: { le = "", ...others } = {}, value = "" }) =>
      same(others, labels) ? [[le, value] as const] : [],
    );
    return { count, sum, buckets: Object.fromEntries(own) };
  };
  return {
    text,
    families,
    series: flat.flatMap(({ name, metrics }) => metrics.map(({ labels = {} }) => ({ name, labels }))),
    sample,
    value(name, labels) {
      const found = sample(name, labels)?.value;
      return found === undefined ? undefined : Number(found);
    },
  };
}

function same(one: Labels, other: Labels): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

export interface MeasuredServer extends OpenServer {
  scrape(): Promise<Scrape>;
}

export const SCRAPE_TOKEN = "scrape-me-if-you-can";

/** A server with metrics, over a store in memory. */
export async function openMeasured(
  options: Omit<MetricsOptions, "clock"> & { readonly store?: Store } = {},
): Promise<MeasuredServer> {
  const clock = fakeClock();
  const metrics = await createMetrics({ process: false, clock, ...options });
  const open = await openServer({
    time: clock,
    metrics,
    metricsToken: SCRAPE_TOKEN,
    store: metrics.measure(options.store ?? memoryStore()),
  });
  return Object.assign(open, {
    async scrape() {
      // What is read of the store is kept for a second.
      await open.clock.advance(1_000);
      const response = await fetch(`${open.url}/metrics`, {
        headers: { authorization: `Bearer ${SCRAPE_TOKEN}` },
      });
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      return parse(await response.text());
    },
  });
}
