// `npm run docs:pictures`: takes every picture of the documents, with the text of its screen beside it
// (docs/images/NAME.png and NAME.txt), and the panes of docs/terminal.md. Run it after a build when a screen looks
// different, and look at each picture.
//
//   npm run docs:pictures                all pictures, and the panes
//   npm run docs:pictures -- terminal    one of them
//   npm run docs:pictures -- panes       only the panes
//   node scripts/pictures.mjs --text     only prints the texts, as JSON; test/package/pictures.chromium.test.ts does this
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { cardPictures } from "./pictures/cards.mjs";
import { notifyPictures } from "./pictures/notify.mjs";
import { pagePictures } from "./pictures/pages.mjs";
import { PANES_PAGE, takePanes } from "./pictures/panes.mjs";
import { terminalPictures } from "./pictures/terminal.mjs";
import { findChromium } from "./prerequisites/chromium.mjs";
import { root } from "./run.mjs";

const { values, positionals } = parseArgs({ options: { text: { type: "boolean" } }, allowPositionals: true });
const folder = join(root, "docs/images");
const wanted = ({ name }) => positionals.length === 0 || positionals.includes(name);
const pictures = [...pagePictures, ...notifyPictures, ...terminalPictures, ...cardPictures].filter(wanted);

const browser = await chromium.launch({ executablePath: findChromium() });
try {
  mkdirSync(folder, { recursive: true });
  if (values.text) {
    const [panes, screens] = await Promise.all([takePanes(), takeTexts()]);
    console.log(JSON.stringify({ screens, pages: { [PANES_PAGE]: panes } }));
  } else {
    for (const { name, take } of pictures) {
      const taken = await take(browser, true);
      const { png } = taken;
      writeFileSync(join(folder, `${name}.png`), png);
      writeFileSync(join(folder, `${name}.txt`), textOf(taken));
      console.log(`docs/images/${name}.png, ${Math.ceil(png.length / 1000)} KB`);
    }
    if (wanted({ name: "panes" })) {
      writeFileSync(join(root, PANES_PAGE), await takePanes());
      console.log(`the panes of ${PANES_PAGE}`);
    }
  }
} finally {
  await browser.close();
}

/**
 * The texts of all screens, by name. Screens show ages and load parts of themselves, so one that differs from its saved
 * text on a busy machine is taken once more, alone: only what differs then is different.
 */
async function takeTexts() {
  const screens = {};
  const waiting = [...pictures];
  const takeNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      screens[next.name] = textOf(await next.take(browser, false));
    }
  };
  await Promise.all([takeNext(), takeNext(), takeNext()]);
  for (const { name, take } of pictures) {
    if (screens[name] !== savedText(name)) screens[name] = textOf(await take(browser, false));
  }
  return screens;
}

function savedText(name) {
  const path = join(folder, `${name}.txt`);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** The text of a screen, without the keys of this run's inbox. */
function textOf({ text }) {
  return `${text.replaceAll(/\/i\/[\w-]{22}\//g, "/i/…/")}\n`;
}
