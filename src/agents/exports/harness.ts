export { harness } from "../shapes/harness.js";
