// Clicks that a person did not mean. A card that appears under the pointer takes no click at first, and the click
// that brings a window to the front sends nothing: it was aimed at whatever could be seen of the window.

const QUIET_MS = 300;
/** A click on a label makes another on its input, which looks like one of a key. */
const LABEL_MS = 30;

export interface ClickGuard {
  /** Something else is shown now; `whole` if the card has just appeared. */
  shown(whole: boolean): void;
  /** Whether a click counts. Keys and assistive technology make clicks without a pointer, which always do. */
  accepts(event: Event, sends: boolean): boolean;
  connect(target: EventTarget, signal: AbortSignal): void;
}

export function createGuard(now: () => number = () => performance.now()): ClickGuard {
  let appearedAt = Number.NEGATIVE_INFINITY;
  let changedAt = Number.NEGATIVE_INFINITY;
  let focusedAt = Number.NEGATIVE_INFINITY;
  let clickedAt = Number.NEGATIVE_INFINITY;
  let pressed = { at: 0, hadFocus: true, touch: false };
  return {
    shown(whole) {
      changedAt = now();
      if (whole) appearedAt = changedAt;
    },
    accepts(event, sends) {
      const byPointer = event instanceof MouseEvent && (event.detail > 0 || now() - clickedAt < LABEL_MS);
      if (!byPointer) return true;
      if (now() - appearedAt < QUIET_MS) return false;
      if (!sends) return true;
      if (now() - changedAt < QUIET_MS) return false;
      // A phone has no windows to bring to the front.
      return pressed.touch || (pressed.hadFocus && pressed.at - focusedAt >= QUIET_MS);
    },
    connect(target, signal) {
      window.addEventListener("focus", () => (focusedAt = now()), { signal });
      const press = (event: Event): void => {
        const touch = event instanceof PointerEvent && event.pointerType === "touch";
        pressed = { at: now(), hadFocus: document.hasFocus(), touch };
      };
      target.addEventListener("pointerdown", press, { signal, capture: true });
      const click = (event: Event): void => {
        if (event instanceof MouseEvent && event.detail > 0) clickedAt = now();
      };
      target.addEventListener("click", click, { signal, capture: true });
    },
  };
}
