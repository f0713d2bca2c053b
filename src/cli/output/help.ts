import { hang, textWidth } from "../../cells/index.js";

export const MAIN_HELP: string = `
Examples:
  $ askline serve
  $ askline ask --url http://127.0.0.1:4780 --question "Which auth?" --option OAuth --option "API key"
  $ askline list
  $ askline answer 3f9a12bc --pick 2
  $ printf '%s' '{"question":"Q?","options":["A","B"]}' | TOOLBOX_ACTION=execute askline toolbox
`;

const USUAL_COLUMNS = 80;

/**
 * Help whose paragraphs fit a terminal, broken between words. What stands further in stays as it is: examples are
 * there to be copied, and the lists are made to fit already.
 */
export function fitHelp(text: string, columns: number = USUAL_COLUMNS): string {
  return text
    .split("\n\n")
    .map((block) => {
      const lines = block.split("\n");
      const prose = lines.filter((line) => line !== "").every((line) => /^\S/.test(line));
      if (!prose || lines.every((line) => textWidth(line) <= columns)) return block;
      const [before = "", after = ""] = [/^\n*/.exec(block)?.[0], /\n*$/.exec(block)?.[0]];
      return `${before}${hang("", block.trim().replaceAll("\n", " "), columns)}${after}`;
    })
    .join("\n\n");
}
