/**
 * The rows of our server beside a relay that writes the same rows by hand, which is the honest limit, and beside one
 * that stores nothing. `row(server)` gives the measurement of a server by its name.
 */
export function besideRelays(row, concurrency) {
  const [relay, storing, askline] = ["relay", "storing relay", "askline"].map(row);
  return [
    relay,
    { ...storing, ratioTo: relay.name },
    { ...askline, ratioTo: storing.name, budget: { atLeast: concurrency === 1 ? 0.7 : 0.6 } },
    { name: askline.name, unit: askline.unit, ratioTo: relay.name },
  ];
}
