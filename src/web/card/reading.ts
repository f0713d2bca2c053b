// What of the actions has been on the screen. A mark stands behind each piece of their names and arguments, a few lines
// long. An action is reported as shown to the form, which approves no other, when the browser has shown every mark of
// it, however that was reached: scrolled in the page, in a box or in a frame, unfolded, or by the keyboard.

import { argsText, type FormState, type LiveForm, viewForm } from "../../form/index.js";

export interface Reading {
  /** The actions of which something has not been on the screen. */
  readonly unread: readonly string[];
  /** Takes notice of what has been painted. */
  watch(shadow: ShadowRoot): void;
  /** Reports to the form what has been on the screen. Changed arguments are the person's own, beside the agent's. */
  markShown(form: LiveForm): void;
  /** Leads to what was not sent because it has not been on the screen. */
  lead(state: FormState): void;
  /** Scrolls to the next piece of these actions that has not been on the screen, and takes the focus there. */
  show(actions: readonly { readonly id?: string }[]): void;
  close(): void;
}

export interface ReadingListener {
  changed(): void;
  /** Something else is under the pointer now. */
  moved(): void;
}

export function createReading({ changed, moved }: ReadingListener): Reading {
  // By their place: marks are painted anew when the person comes back from a panel.
  let marks: readonly HTMLElement[] = [];
  const seen = new Set<number>();
  // Undefined until the browser has reported.
  let unread: readonly string[] | undefined;

  const actionOf = (mark: HTMLElement): string =>
    mark.closest<HTMLElement>("[data-action]")?.dataset.action ?? "";
  const unseen = (): readonly HTMLElement[] => marks.filter((_, place) => !seen.has(place));

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      seen.add(marks.indexOf(target as HTMLElement));
      observer.unobserve(target);
    }
    const left = [...new Set(unseen().map(actionOf))];
    if (left.join("\n") === unread?.join("\n")) return;
    unread = left;
    changed();
  });

  const show: Reading["show"] = (actions) => {
    const next = unseen().find((mark) => actions.some(({ id }) => id === actionOf(mark)));
    if (next === undefined) return;
    moved();
    next.closest("[data-action]")?.querySelector<HTMLElement>("dl")?.focus({ preventScroll: true });
    next.scrollIntoView({ block: "center" });
  };

  return {
    get unread() {
      return unread ?? [];
    },
    watch(shadow) {
      const painted = [...shadow.querySelectorAll<HTMLElement>(".mark")];
      if (painted.length === 0 || painted[0] === marks[0]) return;
      marks = painted;
      observer.disconnect();
      for (const mark of unseen()) observer.observe(mark);
    },
    markShown({ state, dispatch }) {
      if (unread === undefined) return;
      state.ask.approval?.actions.forEach(({ id, args }, place) => {
        const part = state.parts[place];
        if (unread?.includes(id) || part?.kind !== "decision") return;
        for (const text of [argsText(args), part.args]) dispatch({ type: "shown", id, args: text });
      });
    },
    lead(state) {
      show(viewForm(state).issues.filter(({ code }) => code === "not_shown"));
    },
    show,
    close: () => observer.disconnect(),
  };
}
