// What is checked wherever a card is looked at.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { CardPage } from "../card-page.ts";

// A strict policy blocks injected script elements, so the source is evaluated.
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Axe {
  run(
    options: object,
  ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
}

/** axe finds nothing, in light and in dark colours; and the accessibility tree has what the screen shows. */
export async function checkAccessibility({ page }: CardPage, place: string): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const light = await violations(page);
  await page.emulateMedia({ colorScheme: "dark" });
  // Only the colours are others.
  const dark = await violations(page, { type: "rule", values: ["color-contrast", "link-in-text-block"] });
  await page.emulateMedia({ colorScheme: "light" });
  expect([...light, ...dark], `axe, at ${place}`).toEqual([]);
  const [screen, tree] = [await page.evaluate(readScreen), await readTree(page)];
  // A label is the name of its control. Chromium also has it as a text, or leaves it out as redundant.
  const isLabel = (text: string, index: number): boolean =>
    text !== screen.texts[index] && screen.labels.includes(text);
  const texts: string[] = [];
  for (const text of tree.texts) if (!isLabel(text, texts.length)) texts.push(text);
  expect(texts, `the texts of the accessibility tree, at ${place}`).toEqual(screen.texts);
  expect(tree.controls, `the controls of the accessibility tree, at ${place}`).toEqual(screen.controls);
  const said = tree.all.join(" ");
  const unsaid = screen.decorations.filter((text) => !said.includes(text));
  expect(unsaid, `what is hidden from the accessibility tree and said nowhere else, at ${place}`).toEqual([]);
}

export async function violations(page: Page, runOnly?: object): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async (rules) => {
    const { axe } = window as unknown as { axe: Axe };
    const found = await axe.run({
      iframes: false,
      resultTypes: ["violations"],
      ...(rules === undefined
        ? { rules: { "page-has-heading-one": { enabled: false } } }
        : { runOnly: rules }),
    });
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  }, runOnly);
}

/** On a phone: nothing is wider than the screen, and everything to tap has 44 pixels. */
export async function checkSizes({ page, card }: CardPage, place: string): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `width, at ${place}`).toBe(360);
  const small = await card.evaluate((element) =>
    [...(element.shadowRoot?.querySelectorAll("button, .option, .segment, textarea, select") ?? [])]
      .map((target) => ({ target, box: target.getBoundingClientRect() }))
      .filter(({ box }) => box.height < 44 || box.width < 44)
      .map(({ target, box }) => `${target.outerHTML.slice(0, 80)} ${box.width} x ${box.height}`),
  );
  expect(small, `targets, at ${place}`).toEqual([]);
}

/** The focus is in the card, and can be seen. */
export async function checkFocus({ card }: CardPage, place: string, used: boolean): Promise<void> {
  if (!used) return;
  const outline = await card.evaluate((element) => {
    const focused = element.shadowRoot?.activeElement;
    if (!focused) return "nothing has the focus";
    const shown = focused.closest(".option, .segment") ?? focused;
    return [focused, shown]
      .map((one) => getComputedStyle(one).outlineStyle)
      .find((style) => style !== "none");
  });
  expect(outline, `the focus, at ${place}`).toBe("solid");
}

interface Shown {
  /** Every text, in order, without labels, which are names of controls. */
  readonly texts: readonly string[];
  /** Every control and heading: its role, its name and its state. */
  readonly controls: readonly (readonly (string | boolean)[])[];
}

/** In the page: what a person can see of the card, or is told beside it. */
function readScreen(): Shown & {
  readonly labels: readonly string[];
  readonly decorations: readonly string[];
} {
  const root = document.querySelector("askline-card")?.shadowRoot as ShadowRoot;
  const squash = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const isSeen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });
  const spoken = (element: Element): string => {
    const copy = element.cloneNode(true) as Element;
    for (const hidden of copy.querySelectorAll("[aria-hidden=true]")) hidden.remove();
    return squash(copy.textContent);
  };
  const texts: string[] = [];
  const labels: string[] = [];
  const decorations: string[] = [];
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    const parent = node.parentElement as Element;
    const text = squash(node.textContent);
    if (text === "" || !isSeen(parent) || parent.closest("select, textarea")) continue;
    const hidden = parent.closest("[aria-hidden=true]");
    if (hidden === null) (parent.closest("label") === null ? texts : labels).push(text);
    // A digit is a key of its option; a sign has its words beside it.
    else if (hidden.localName === "kbd") decorations.push(`key ${text}`);
    else if (!hidden.matches(".sign")) decorations.push(text);
    else if (!/^( |\d+)$/.test(text)) {
      const words = [...(hidden.parentElement?.querySelectorAll(".unseen") ?? [])].at(-1);
      decorations.push(squash(words?.textContent).replace(/^, |:$/g, "") || `no words for ${text}`);
    }
  }
  const controls: (string | boolean)[][] = [];
  for (const element of root.querySelectorAll(
    "button, input, textarea, select, a[href], h2, h3, h4, h5, h6, iframe",
  )) {
    if (!isSeen(element)) continue;
    const label = squash(root.querySelector(`label[for="${element.id}"]`)?.textContent);
    if (element instanceof HTMLInputElement)
      controls.push([element.type, label, element.checked, element.disabled]);
    else if (element instanceof HTMLTextAreaElement)
      controls.push(["textbox", label, squash(element.value), element.disabled]);
    else if (element instanceof HTMLSelectElement)
      controls.push([
        "combobox",
        squash(element.ariaLabel),
        squash(element.selectedOptions[0]?.textContent),
        element.disabled,
      ]);
    else if (element instanceof HTMLButtonElement)
      controls.push(["button", spoken(element), element.disabled]);
    else if (element instanceof HTMLIFrameElement) controls.push(["Iframe", squash(element.title)]);
    else controls.push([element.localName === "a" ? "link" : "heading", spoken(element)]);
  }
  return { texts, labels, controls, decorations };
}

interface TreeNode {
  readonly nodeId: string;
  readonly childIds?: readonly string[];
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly value?: { readonly value: unknown };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
}

/** What assistive technology is given. */
async function readTree(page: Page): Promise<Shown & { readonly all: readonly string[] }> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send("Accessibility.getFullAXTree")) as unknown as {
    nodes: readonly TreeNode[];
  };
  await session.detach();
  const squash = (text: unknown): string =>
    String(text ?? "")
      .replace(/\s+/g, " ")
      .trim();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const property = (node: TreeNode, name: string): unknown =>
    node.properties?.find((one) => one.name === name)?.value.value;
  const texts: string[] = [];
  const controls: (string | boolean)[][] = [];
  const all: string[] = [];
  const visit = (node: TreeNode, within: string): void => {
    const [role, name] = [node.role?.value ?? "", squash(node.name?.value)];
    if (!node.ignored) read(node, role, name, within);
    for (const id of node.childIds ?? [])
      visit(byId.get(id) as TreeNode, node.ignored || within === "textbox" ? within : role);
  };
  const read = (node: TreeNode, role: string, name: string, within: string): void => {
    all.push(name, `key ${String(property(node, "keyshortcuts") ?? "")}`);
    const disabled = property(node, "disabled") === true;
    switch (role) {
      case "StaticText":
        if (name !== "" && !["ListMarker", "textbox"].includes(within)) texts.push(name);
        break;
      case "radio":
      case "checkbox":
        controls.push([role, name, property(node, "checked") === "true", disabled]);
        break;
      case "textbox":
      case "combobox":
        controls.push([role, name, squash(node.value?.value), disabled]);
        break;
      case "button":
        controls.push([role, name, disabled]);
        break;
      case "link":
      case "heading":
      case "Iframe":
        controls.push([role, name]);
    }
  };
  visit(nodes[0] as TreeNode, "");
  return { texts, controls, all };
}
