// The only measuring tool. Timings on a shared machine vary by a factor of two or three from one second to the
// next, so a single figure says little. All contestants take turns in short slices: a slow moment slows all of
// them, and only the ratio within one round counts.

/**
 * Runs `rounds` rounds after `warmUp` that do not count. In each round every contestant has one slice; the
 * order turns and reverses from round to round, so that nobody always follows the same neighbour.
 *
 * A contestant is `{ name, ratioTo?, slice }`: `slice()` gives one figure (operations a second,
 * milliseconds, bytes), and `ratioTo` is the name of the contestant that it is compared with. One without a
 * slice shares the figures of its namesake, to be compared with somebody else as well.
 *
 * Returns for each `{ name, figure, ratio? }`: the median figure, and the median of the ratios of each round
 * with the quartiles around it.
 */
export async function interleave(contestants, { rounds, warmUp = 1 }) {
  const measured = contestants.filter(({ slice }) => slice !== undefined);
  const figures = new Map(measured.map(({ name }) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const { name, slice } of orderOf(measured, round + warmUp)) {
      const figure = await slice();
      if (!(Number.isFinite(figure) && figure > 0)) throw new Error(`${name} measured ${figure}`);
      if (round >= 0) figures.get(name).push(figure);
    }
  }
  return contestants.map(({ name, ratioTo }) => ({
    name,
    figure: median(figuresOf(name)),
    ...(ratioTo !== undefined && { ratio: ratioBetween(figuresOf(name), figuresOf(ratioTo)) }),
  }));

  function figuresOf(name) {
    const found = figures.get(name);
    if (found === undefined) throw new Error(`there is no measurement ${name}`);
    return found;
  }
}

/** A slice that calls `run` for `milliseconds` and gives calls a second. `run` must not be asynchronous. */
export function callsPerSecond(run, { milliseconds }) {
  // The clock costs as much as a short call: look at it once a batch that takes about a millisecond.
  let batch = 1;
  return () => {
    const started = performance.now();
    let calls = 0;
    for (;;) {
      const before = performance.now();
      for (let call = 0; call < batch; call += 1) run();
      calls += batch;
      const now = performance.now();
      if (now - started >= milliseconds) return (calls * 1000) / (now - started);
      if (now - before < 1) batch *= 2;
    }
  };
}

function orderOf(contestants, round) {
  const start = Math.floor(round / 2) % contestants.length;
  const turned = [...contestants.slice(start), ...contestants.slice(0, start)];
  return round % 2 === 0 ? turned : turned.reverse();
}

function ratioBetween(own, others) {
  const ratios = own.map((figure, round) => figure / others[round]);
  return { median: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}

function median(values) {
  return quantile(values, 0.5);
}

function quantile(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)];
  return below + (sorted[Math.ceil(place)] - below) * (place % 1);
}
