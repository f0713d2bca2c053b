// What a rich surface is made of: a terminal to write to, its capabilities, keys from its bytes, a painter for
// frames of styled lines, and a text field.

export { type Capabilities, detectCapabilities, type Environment, type Reflow } from "./capabilities.js";
export {
  createEditor,
  type EditorAction,
  type EditorOptions,
  type EditorState,
  editText,
  type Reach,
} from "./editor.js";
export { editorAction } from "./editor-keys.js";
export { type EditorSpace, type EditorView, rowAbove, rowBelow, viewEditor } from "./editor-view.js";
export { type Key, plainKey, typedText } from "./key-sequences.js";
export { createKeyDecoder, type KeyDecoder, type KeyDecoderOptions, type KeyEvent } from "./keys.js";
export {
  createPainter,
  type Frame,
  type Painter,
  type PainterOptions,
  type Position,
  painterFor,
  type Size,
} from "./painter.js";
export {
  type NodeTerminalOptions,
  nodeTerminal,
  type Terminal,
  type TerminalInput,
  type TerminalListener,
  type TerminalOutput,
} from "./terminal.js";
export { type Quiet, whenQuiet } from "./when-quiet.js";
