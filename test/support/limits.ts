// How long tests wait. A wait ends by an event; these limits only end what would hang, on however busy a machine. They
// are the only ones: a test that needs another limit measures time, which is what `npm run bench` is for.

/** One wait: a poll, a step in a browser, the output of a process. */
export const WAIT_MS = 60_000;

/** A test or a hook: more than a wait, so that the message of the wait is what is reported. */
export const TEST_MS = 180_000;
