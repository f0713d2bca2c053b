// Markdown as every surface shows it: what is not in these types cannot be shown. There is no raw HTML and no image
// among them, and a link has passed `linkTarget`. All text has passed `displayText`.

export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "break" }
  | { readonly kind: "strong" | "emphasis" | "strike"; readonly children: readonly Inline[] }
  | { readonly kind: "link"; readonly href: string; readonly children: readonly Inline[] };

export type Alignment = "left" | "center" | "right";

export interface ListItem {
  /** Set on a task: whether it is done. */
  readonly done?: boolean;
  readonly blocks: readonly Block[];
}

export interface Table {
  readonly kind: "table";
  readonly columns: readonly { readonly heading: readonly Inline[]; readonly align: Alignment }[];
  /** Each row has as many cells as there are columns. */
  readonly rows: readonly (readonly (readonly Inline[])[])[];
}

export type Block =
  | { readonly kind: "paragraph"; readonly children: readonly Inline[] }
  | { readonly kind: "heading"; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  /** `start` is set where the items are numbered; `loose` where they stand apart. */
  | {
      readonly kind: "list";
      readonly start?: number;
      readonly loose: boolean;
      readonly items: readonly ListItem[];
    }
  | Table
  | { readonly kind: "rule" };

export type Document = readonly Block[];
