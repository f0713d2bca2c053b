// `npm start` runs dist: builds it first in a fresh clone, or if its sources have changed.
import { ensureDist } from "./prerequisites/dist.mjs";

ensureDist();
