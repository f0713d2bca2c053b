export { loadTracing } from "./load-tracing.js";
