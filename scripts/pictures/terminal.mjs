// The terminal's form: the cells of a pane, drawn by a browser.
import { AUTH, openPane } from "./pane.mjs";

const [COLUMNS, ROWS] = [112, 24];
const ASK = {
  context: "The API has **no** sign-in yet. About 40 people use it, most of them from the command line.",
  questions: [
    AUTH,
    {
      question: "Which stores should be supported at first?",
      header: "Stores",
      multiSelect: true,
      options: ["SQLite", "PostgreSQL", "Memory"],
    },
  ],
};

export const terminalPictures = [{ name: "terminal", take: takeTerminal }];

async function takeTerminal(browser, shoot) {
  const { text, html } = await capture();
  if (!shoot) return { text };
  const page = await browser.newPage({ deviceScaleFactor: 1.25 });
  try {
    await page.setContent(`<!doctype html><meta charset="utf-8"><style>
      body{margin:0;background:#16181d;display:inline-block}
      pre{margin:0;padding:18px 20px;color:#d7dae0;font:14px/1.3 "DejaVu Sans Mono","Liberation Mono",monospace}
    </style><pre>${html}</pre>`);
    return { text, png: await page.locator("body").screenshot() };
  } finally {
    await page.close();
  }
}

async function capture() {
  const pane = openPane({ ask: ASK, columns: COLUMNS, rows: ROWS });
  try {
    await pane.quiet(1_000);
    return { text: pane.text(), html: pane.lines().map(lineHtml).join("\n") };
  } finally {
    await pane.close();
  }
}

function lineHtml(line) {
  const runs = [];
  for (let column = 0; column < COLUMNS; column += 1) {
    const cell = line.getCell(column);
    const chars = cell.getWidth() === 0 ? "" : cell.getChars() || " ";
    const style = styleOf(cell);
    if (runs.at(-1)?.style === style) runs.at(-1).text += chars;
    else runs.push({ style, text: chars });
  }
  return runs.map(({ style, text }) => `<span style="${style}">${escapeHtml(text)}</span>`).join("");
}

function escapeHtml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function styleOf(cell) {
  let front = colour(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor());
  let back = colour(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor());
  if (cell.isInverse()) [front, back] = [back ?? "#16181d", front ?? "#d7dae0"];
  return [
    front && `color:${front}`,
    back && `background:${back}`,
    cell.isBold() && "font-weight:bold",
    cell.isDim() && "opacity:.65",
    cell.isItalic() && "font-style:italic",
    cell.isUnderline() && "text-decoration:underline",
  ]
    .filter(Boolean)
    .join(";");
}

const BASIC = ["#16181d", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0"];
const BRIGHT = ["#7f848e", "#ff7b86", "#b5e890", "#ffd68a", "#7cc4ff", "#dd94f2", "#6fd3df", "#ffffff"];

function colour(isRgb, isPalette, value) {
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`;
  if (!isPalette) return undefined;
  if (value < 16) return [...BASIC, ...BRIGHT][value];
  if (value >= 232)
    return `rgb(${Array(3)
      .fill((value - 232) * 10 + 8)
      .join()})`;
  const level = (step) => (step === 0 ? 0 : step * 40 + 55);
  const cube = value - 16;
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join()})`;
}
