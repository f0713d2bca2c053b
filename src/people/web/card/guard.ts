// Clicks that a person did not mean. A card that appears under the pointer takes no click at first, and the click
// that brings a window to the front sends nothing: it was aimed at whatever could be seen of the window. And nothing
// moves between press and release: the click would be lost, or land on something else.

const QUIET_MS = 300;

export interface ClickGuard {
  /** Something else is shown now; `whole` if the card has just appeared. */
  shown(whole: boolean): void;
  /** Whether a click counts. Keys and assistive technology make clicks without a pointer, which always do. */
  accepts(event: Event, sends: boolean): boolean;
  /** Whether the pointer is down in the card. */
  readonly isPressed: boolean;
  /** `released` is called after a press, and after the click that it makes. */
  connect(target: ShadowRoot, signal: AbortSignal, released: () => void): void;
}

export function createGuard(now: () => number = () => performance.now()): ClickGuard {
  let appearedAt = Number.NEGATIVE_INFINITY;
  let changedAt = Number.NEGATIVE_INFINITY;
  let returnedAt = Number.NEGATIVE_INFINITY;
  let isAway = false;
  let isPointer = false;
  let isPressed = false;
  let pressed = { at: 0, hadFocus: true, touch: false };
  return {
    shown(whole) {
      changedAt = now();
      if (whole) appearedAt = changedAt;
    },
    accepts(event, sends) {
      if (!(event instanceof MouseEvent) || !(event.detail > 0 || isPointer)) return true;
      if (now() - appearedAt < QUIET_MS) return false;
      if (!sends) return true;
      if (now() - changedAt < QUIET_MS) return false;
      // A phone has no windows to bring to the front.
      return pressed.touch || (pressed.hadFocus && pressed.at - returnedAt >= QUIET_MS);
    },
    get isPressed() {
      return isPressed;
    },
    connect(target, signal, released) {
      // The page may show a card that it has hidden: then it has a size again.
      let isHidden = true;
      const sizes = new ResizeObserver(([entry]) => {
        const { height = 0 } = entry?.contentRect ?? {};
        if (isHidden && height > 0) appearedAt = now();
        isHidden = height === 0;
      });
      sizes.observe(target.host);
      signal.addEventListener("abort", () => sizes.disconnect());
      // The focus also leaves for a frame of this page, such as a preview: then the document still has it.
      window.addEventListener("blur", () => setTimeout(() => (isAway = !document.hasFocus())), { signal });
      const focus = (): void => {
        if (isAway) returnedAt = now();
        isAway = false;
      };
      window.addEventListener("focus", focus, { signal });
      const press = (event: Event): void => {
        const touch = event instanceof PointerEvent && event.pointerType === "touch";
        pressed = { at: now(), hadFocus: document.hasFocus(), touch };
      };
      target.addEventListener("pointerdown", press, { signal, capture: true });
      const release = (): void => {
        if (!isPressed) return;
        isPressed = false;
        released();
      };
      // Of a touch, the focus comes with the mouse events that the browser makes of it.
      for (const name of ["pointerdown", "mousedown"]) {
        target.addEventListener(name, () => (isPressed = true), { signal, capture: true });
      }
      for (const name of ["pointerup", "pointercancel", "mouseup", "contextmenu"]) {
        window.addEventListener(name, () => setTimeout(release), { signal, capture: true });
      }
      // A click on a label makes another on its input, in the same task, which looks like one of a key.
      const click = (event: Event): void => {
        isPressed = false;
        if (!(event instanceof MouseEvent) || event.detail === 0) return;
        isPointer = true;
        setTimeout(() => (isPointer = false));
      };
      target.addEventListener("click", click, { signal, capture: true });
    },
  };
}
