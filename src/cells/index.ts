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
export { hang, type TextKind, type TextRange, wrapLine, wrapRanges, wrapText } from "./wrap.js";
