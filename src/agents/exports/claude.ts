export { claude, UNANSWERED_CAPABILITY } from "../shapes/claude.js";
