export { type AnsiOptions, toAnsi } from "./ansi.js";
export {
  type ColorRole,
  lineWidth,
  padLine,
  plainText,
  type Segment,
  type Style,
  type StyledLine,
  sliceLine,
  styled,
  truncateLine,
} from "./line.js";
export { graphemes, graphemeWidth, hasCertainWidth, textWidth } from "./width.js";
export { type BreakAt, hang, wrapLine, wrapText } from "./wrap.js";
