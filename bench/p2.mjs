import { readFileSync } from 'node:fs';
import sharp from 'sharp';
const src = readFileSync(new URL('./scenarios/s6-fhir-transaction.mjs', import.meta.url), 'utf8');
globalThis.sharp = sharp;
const draw = (0, eval)('(' + src.match(/async function drawPhotoOf[\s\S]*?\n}\n/)[0] + ')');
const photo = await draw(200 * 1024);
console.log(sharp.versions);
async function time(label, n, f) { for (let i = 0; i < 5; i++) await f(i); const c = process.cpuUsage(), t = performance.now(); for (let i = 0; i < n; i++) await f(i + 5); const d = process.cpuUsage(c); console.log(label.padEnd(30), 'user', (d.user / 1000 / n).toFixed(2), 'sys', (d.system / 1000 / n).toFixed(2), 'wall', ((performance.now() - t) / n).toFixed(2)); }
sharp.concurrency(1); sharp.cache(false);
const o = { failOn: 'error' };
for (const w of [800, 400, 200, 150, 100, 50]) await time('resize ' + w, 60, () => sharp(photo, o).resize({ width: w, kernel: 'linear' }).raw().toBuffer());
await time('resize 200 no colour', 60, () => sharp(photo, { ...o, ignoreIcc: true }).resize({ width: 200, kernel: 'nearest' }).greyscale().raw().toBuffer());
await time('resize 200 stats seq', 60, () => sharp(photo, { ...o, sequentialRead: false }).resize({ width: 200, kernel: 'linear' }).raw().toBuffer());
await time('resize 200 fastShrink false', 60, () => sharp(photo, o).resize({ width: 200, fastShrinkOnLoad: false }).raw().toBuffer());
