export { answersMap } from "../shapes/answers-map.js";
