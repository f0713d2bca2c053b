/**
 * Elements that lead elsewhere, which the policy of a document cannot stop: links, frames, refreshes, hints to connect.
 * A tag begins with its name, so no other can stand here.
 */
const LEADING =
  /<(\/?)(a|area|base|embed|fencedframe|frame|frameset|iframe|link|math|meta|object|portal|script)(?=[\s/>]|$)/gi;

/**
 * HTML of a model in which nothing leads elsewhere, for a frame without scripts whose policy allows no network. It
 * renames tags in the text: what a parser reads later, in a template for example, has been renamed too.
 */
export function inertHtml(content: string): string {
  // A drawing shows the inside of a group, and not of an element that it does not know.
  return content.replace(LEADING, (_, end, name) => `<${end}${/^a$/i.test(name) ? "g" : `x-${name}`}`);
}
