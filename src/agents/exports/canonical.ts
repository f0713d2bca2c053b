export { canonical } from "../shapes/canonical.js";
