export { ELICITATION_META_KEY } from "../shapes/elicitation/shape.js";
export { elicitation } from "../shapes/elicitation.js";
