// A custom element as a component, for React 18, which knows only attributes, and 19. Properties and listeners are set
// on the element after each render.

import {
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from "react";

/** React 18 warns about a layout effect on a server, where neither runs. */
const useEffectBeforePaint: typeof useLayoutEffect =
  typeof document === "undefined" ? useEffect : useLayoutEffect;

export type ElementProps = Omit<
  HTMLAttributes<HTMLElement>,
  "children" | "dangerouslySetInnerHTML" | "onReply"
>;

interface Definition {
  readonly tag: string;
  readonly properties: readonly string[];
  /** The events by the name of their property, such as `onAnswer`. */
  readonly events: Readonly<Record<string, string>>;
}

export function elementComponent<Element extends HTMLElement, Props extends ElementProps>({
  tag,
  properties,
  events,
}: Definition): ForwardRefExoticComponent<Props & RefAttributes<Element>> {
  const isOwn = new Set([...properties, ...Object.keys(events), "className"]);
  return forwardRef<Element, Props>((props, ref) => {
    const values = props as Readonly<Record<string, unknown>>;
    const element = useRef<Element>(null);
    const latest = useRef(values);
    useImperativeHandle(ref, () => element.current as Element, []);
    useEffectBeforePaint(() => {
      const before = latest.current;
      latest.current = values;
      for (const name of properties) {
        // One that was never given is left to the element.
        if (values[name] !== undefined || before[name] !== undefined)
          Object.assign(element.current ?? {}, { [name]: values[name] });
      }
    });
    useEffectBeforePaint(() => {
      const stop = new AbortController();
      for (const [property, name] of Object.entries(events)) {
        element.current?.addEventListener(
          name,
          (event) => {
            const listener = latest.current[property];
            if (typeof listener !== "function" || event.target !== element.current) return;
            const result: unknown = listener(event);
            const { detail } = event as CustomEvent<{ waitUntil?: (stored: Promise<unknown>) => void }>;
            if (result instanceof Promise) detail.waitUntil?.(result);
          },
          { signal: stop.signal },
        );
      }
      return () => stop.abort();
    }, []);
    const rest = Object.entries(values).filter(([name]) => !isOwn.has(name));
    return createElement(tag, {
      ...Object.fromEntries(rest),
      ...(typeof values.className === "string" && { class: values.className }),
      ref: element,
    });
  }) as ForwardRefExoticComponent<Props & RefAttributes<Element>>;
}
