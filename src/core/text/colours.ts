// The colours of all that a browser shows, and their style sheets. A page can set each one for its elements, as
// `--askline-accent`; those of the server's own pages are fixed.

type Colour =
  | "background"
  | "sunken"
  | "text"
  | "muted"
  | "line"
  | "edge"
  | "accent"
  | "on-accent"
  | "tint"
  | "good"
  | "good-tint"
  | "bad"
  | "bad-tint"
  | "warn";
type Colours<Name extends string = string> = Readonly<Record<Name, readonly [light: string, dark: string]>>;

export const COLOURS: Colours<Colour> = {
  background: ["#fff", "#17181b"],
  sunken: ["#f5f6f8", "#1f2125"],
  text: ["#16181d", "#ecedf0"],
  muted: ["#5a606b", "#a4a9b4"],
  line: ["#e1e4e9", "#32353c"],
  edge: ["#878d98", "#767c88"],
  accent: ["#2251cc", "#93b1ff"],
  "on-accent": ["#fff", "#0b1b45"],
  tint: ["#eff3ff", "#1c2640"],
  good: ["#14683a", "#84d8a4"],
  "good-tint": ["#e9f6ee", "#15301f"],
  bad: ["#b0221a", "#ffb0a6"],
  "bad-tint": ["#fdeeec", "#3b1c19"],
  warn: ["#6f4e00", "#f1cf7a"],
};

/** What a page has beside them, and two that stand on its colour, which is darker than that of a card. */
export const ON_PAGE: Colours<"page" | "sunken" | "tint" | "warn-tint"> = {
  page: ["#f4f5f7", "#0e0f12"],
  sunken: ["#eceef1", "#1f2125"],
  tint: ["#e8eefe", "#1c2640"],
  "warn-tint": ["#fff4d6", "#33290f"],
};

/** For an element, which is light or dark by the `color-scheme` around it. */
export function elementColours(colours: Colours): string {
  const rules = Object.entries(colours).map(
    ([name, [light, dark]]) => `--${name}:var(--askline-${name},light-dark(${light},${dark}))`,
  );
  return `:host{${rules.join(";")}}`;
}

/** For a page of its own, also in browsers without `light-dark`. */
export function pageColours(): string {
  const [light, dark] = [0, 1].map((index) =>
    Object.entries({ ...COLOURS, ...ON_PAGE })
      .map(([name, pair]) => `--${name}:${pair[index]}`)
      .join(";"),
  );
  return `:root{color-scheme:light dark;${light}}\n@media (prefers-color-scheme:dark){:root{${dark}}}`;
}
