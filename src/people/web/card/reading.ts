// What of the actions has been on the screen. A mark stands behind each piece of their names and arguments, a few lines
// long. An action is reported as shown to the form, which approves no other, when the browser has shown every mark of
// it, however that was reached: scrolled in the page, in a box or in a frame, unfolded, or by the keyboard. Changed
// arguments count as shown where they were typed. Those that come from elsewhere are shown with marks of their own.

import { argsText } from "../../form/json-text.js";
import type { LiveForm } from "../../form/live-form.js";
import type { FormState } from "../../form/state.js";
import { viewForm } from "../../form/view.js";

export interface Reading {
  /** The actions of which something has not been on the screen. */
  readonly unread: readonly string[];
  /** By action, changed arguments that were not typed here. */
  readonly arrived: ReadonlyMap<string, Arrived>;
  /** Takes notice of what has been painted. */
  watch(shadow: ShadowRoot): void;
  /** Reports to the form what has been on the screen. */
  markShown(form: LiveForm): void;
  /** Leads to what was not sent because it has not been on the screen. */
  lead(state: FormState): void;
  /** Scrolls to the next piece of these actions that has not been on the screen, and takes the focus there. */
  show(actions: readonly { readonly id?: string | undefined }[]): void;
  close(): void;
}

/** Changed arguments, and the `data-read` of the element that shows them: "1/a1". That of the agent's is "0/a1". */
export interface Arrived {
  readonly text: string;
  readonly name: string;
}

export interface ReadingListener {
  changed(): void;
  /** Something else is under the pointer now. */
  moved(): void;
}

export function createReading({ changed, moved }: ReadingListener): Reading {
  // With their places: marks are painted anew when the person comes back from a panel.
  let marks: ReadonlyMap<HTMLElement, string> = new Map();
  const seen = new Set<string>();
  /** By name, whether all of it has been on the screen, as far as the browser has reported. */
  let read: ReadonlyMap<string, boolean> = new Map();
  const arrived = new Map<string, Arrived>();
  const before = new Map<string, string>();
  let kept: FormState["kept"] | undefined;
  let versions = 0;

  /** Of the place "2/0/a1" the name "0/a1", and of that the action. */
  const inner = (place: string): string => place.replace(/^\d+\//, "");

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      seen.add(marks.get(target as HTMLElement) ?? "");
      observer.unobserve(target);
    }
    const now = new Map<string, boolean>();
    for (const place of marks.values()) {
      const name = inner(place);
      now.set(name, now.get(name) !== false && seen.has(place));
    }
    if (`${[...now]}` === `${[...read]}`) return;
    read = now;
    changed();
  });

  const show: Reading["show"] = (actions) => {
    for (const [mark, place] of marks) {
      if (seen.has(place) || !actions.some(({ id }) => id === inner(inner(place)))) continue;
      moved();
      mark.closest("article")?.querySelector<HTMLElement>("dl")?.focus({ preventScroll: true });
      mark.scrollIntoView({ block: "center" });
      return;
    }
  };

  return {
    get unread() {
      return [...read].flatMap(([name, isRead]) => (isRead ? [] : [inner(name)]));
    },
    arrived,
    watch(shadow) {
      const painted = new Map<HTMLElement, string>();
      for (const element of shadow.querySelectorAll<HTMLElement>("[data-read]")) {
        element.querySelectorAll<HTMLElement>(".mark").forEach((mark, place) => {
          painted.set(mark, `${place}/${element.dataset.read}`);
        });
      }
      const isSame =
        painted.size === marks.size && [...painted].every(([mark, at]) => marks.get(mark) === at);
      if (painted.size === 0 || isSame) return;
      marks = painted;
      observer.disconnect();
      // An element that is painted again with another text has been on the screen with the one before.
      observer.takeRecords();
      for (const mark of marks.keys()) observer.observe(mark);
    },
    markShown({ state, dispatch }) {
      // What is typed here leaves alone what was kept.
      const isRecalled = state.kept !== kept;
      state.ask.approval?.actions.forEach(({ id, args }, place) => {
        const part = state.parts[place];
        if (part?.kind !== "decision") return;
        const own = argsText(args);
        const text = part.args;
        const isNew = text !== before.get(id);
        before.set(id, text);
        if (text === "" || text === own) arrived.delete(id);
        else if (isNew && (isRecalled || !state.touched[place])) {
          versions += 1;
          arrived.set(id, { text, name: `${versions}/${id}` });
          moved();
        }
        if (!read.get(`0/${id}`)) return;
        dispatch({ type: "shown", id, args: own });
        if (read.get(arrived.get(id)?.name ?? `0/${id}`)) dispatch({ type: "shown", id, args: text });
      });
      kept = state.kept;
    },
    lead(state) {
      show(viewForm(state).issues.filter(({ code }) => code === "not_shown"));
    },
    show,
    close: () => observer.disconnect(),
  };
}
