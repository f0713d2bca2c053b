export { answersMap } from "../shapes/answers-map.js";
export { canonical } from "../shapes/canonical.js";
export { claude } from "../shapes/claude.js";
export type { Dialect } from "../shapes/dialect.js";
export { elicitation } from "../shapes/elicitation.js";
export { gateway } from "../shapes/gateway.js";
export { harness } from "../shapes/harness.js";
export { stream } from "../shapes/stream.js";
export { toolbox } from "../shapes/toolbox.js";
