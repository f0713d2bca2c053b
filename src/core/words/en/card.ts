import type { CardWords } from "../card.js";
import { BASICS } from "./basics.js";

export const CARD: CardWords = {
  ...BASICS,
  questionOf: (number, count) => `Question ${number} of ${count}`,
  reviewTitle: "Review your answers",
  steps: "Questions",
  chooseOne: "Choose one",
  context: "Background",
  askedBy: (asker) => `Asked by ${asker}`,
  preview: (label) => `Preview: ${label}`,
  addNote: "Add a note",
  ownAnswer: "Your own answer",
  change: (subject) => `Change: ${subject}`,
  marks: {
    done: "answered",
    skipped: "skipped",
    blank: "may be left blank",
    open: "not answered yet",
    problem: "needs attention",
  },
  replaced: "This was changed on another device while you were typing. Your text is kept:",
  takeBack: "Use mine",
  forget: "Discard mine",
  overdue: "Overdue",
  deadlineRecommended: "After that, the recommended options are chosen.",
  clickAgain: "Nothing was sent: this had only just appeared. Click again.",
  loading: "Loading the question…",
  failed: "The question cannot be shown.",
  tryAgain: "Try again",
};
