export { bridgeOpencode, type OpencodeOptions, type OpencodePort } from "./bridge.js";
