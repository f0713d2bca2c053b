// Prints what `interleave` measured as a Markdown table, ready for docs/performance.md.

/** `measurements` say name, unit, ratioTo and budget; `results` are theirs, in the same order. */
export function formatTable(measurements, results) {
  const rows = measurements.map((measurement, index) => formatRow(measurement, results[index]));
  const head = ["measured", "median", "beside", "ratio (middle half)", "budget", ""];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Whether a value keeps its budget: `{ atLeast }` or `{ atMost }`. */
function isWithin(value, budget) {
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = budget;
  return value >= atLeast && value <= atMost;
}

function formatRow({ name, unit, ratioTo, budget }, { figure, ratio }) {
  const compared = ratio === undefined ? ["", ""] : [ratioTo, formatRatio(ratio)];
  // Without anything beside it, the figure itself has the budget.
  const [value, valueUnit] = ratio === undefined ? [figure, ` ${unit}`] : [ratio.median, "x"];
  const judged =
    budget === undefined
      ? ["", ""]
      : [formatBudget(budget, valueUnit), isWithin(value, budget) ? "ok" : "**MISS**"];
  return [name, `${formatNumber(figure)} ${unit}`, ...compared, ...judged];
}

function formatRatio({ median, low, high }) {
  return `**${formatNumber(median)}x** (${formatNumber(low)} to ${formatNumber(high)})`;
}

function formatBudget({ atLeast, atMost }, unit) {
  return atMost === undefined ? `at least ${atLeast}${unit}` : `at most ${atMost}${unit}`;
}

// Three digits are more than these timings can carry, and as much as a reader can compare.
function formatNumber(value) {
  const rounded = Number(value.toPrecision(3));
  return rounded.toLocaleString("en", { maximumSignificantDigits: 3 });
}
