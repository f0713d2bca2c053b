/** On a server there are no elements: the classes can be imported there, and not made. */
export const BaseElement: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);
