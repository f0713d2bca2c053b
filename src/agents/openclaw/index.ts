export { type OpenClawOptions, openClawPlugin } from "./openclaw.js";
