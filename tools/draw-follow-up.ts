import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawHistory, HISTORIES } from './follow-up/drawn-histories.js';

const FOLDER = join('docs', 'pictures', 'follow-up');

/** `node bench/quality/draw-follow-up.mjs`: the pictures of docs/follow-up.md, as core flags those histories. */
mkdirSync(FOLDER, { recursive: true });
for (const history of HISTORIES) writeFileSync(join(FOLDER, `${history.name}.svg`), drawHistory(history));
