export { bridgeOpencode, type OpencodeOptions } from "./bridge.js";
