// The properties of an element whose code is loaded after it: what was set before is kept, and what is set later is
// noticed. Attributes of the same names are read where no property is set.

/** Calls `changed` whenever one of the properties is set. */
export function watchProperties<Name extends string>(
  host: HTMLElement,
  names: readonly Name[],
  changed: (name: Name) => void,
): void {
  for (const name of names) {
    const own = host as unknown as Record<string, unknown>;
    let value = own[name];
    Object.defineProperty(host, name, {
      configurable: true,
      enumerable: true,
      get: () => value ?? host.getAttribute(attributeOf(name)) ?? undefined,
      set(given: unknown) {
        if (value === given) return;
        value = given;
        changed(name);
      },
    });
  }
}

function attributeOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The language of an element: its own, or the page's. */
export function localeOf(host: HTMLElement, own: string | null | undefined): string {
  const given = own ?? host.closest("[lang]")?.getAttribute("lang");
  return given || document.documentElement.lang || navigator.language || "en";
}

/** Adds style sheets to a shadow root, which a page's policy does not have to allow. */
export function adopt(shadow: ShadowRoot, ...texts: readonly string[]): void {
  const sheets = texts.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, ...sheets];
}
