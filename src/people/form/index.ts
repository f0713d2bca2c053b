export { type CheckedForm, checkForm, type Mark } from "./check.js";
export { createForm, type FormOptions } from "./create-form.js";
export {
  DRAFT_VERSION,
  type DraftAnswer,
  type DraftDecision,
  type DraftStep,
  type DraftText,
  draftOf,
  type FormDraft,
  needsSave,
} from "./draft.js";
export type { FormEvent, FormEventType, RefusedError } from "./event.js";
export { argsText } from "./json-text.js";
export { eventForKey, KEY_BINDINGS, type KeyBinding, keyName, keysNow } from "./keys.js";
export { type FormInbox, type LiveForm, type LiveFormOptions, openForm } from "./live-form.js";
export type { Command, Row } from "./rows.js";
export {
  type AnswerPart,
  type DecisionPart,
  FORM_ISSUE_CODES,
  type FormAsk,
  type FormIssue,
  type FormIssueCode,
  type FormState,
  type Panel,
  type Part,
  type Phase,
  remembersOf,
  type Stamp,
  type Step,
  stepsOf,
  type TextField,
  type TextPart,
} from "./state.js";
export { updateForm } from "./update.js";
export { type Chip, type FormView, type Intent, type StepView, viewForm, viewStep } from "./view.js";
