export { toolbox } from "../shapes/toolbox.js";
