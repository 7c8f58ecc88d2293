import sharp from 'sharp'; import { readFileSync } from 'node:fs';
const src = readFileSync(new URL('./scenarios/s6-fhir-transaction.mjs', import.meta.url), 'utf8'); globalThis.sharp = sharp;
const draw = (0, eval)('(' + src.match(/async function drawPhotoOf[\s\S]*?\n}\n/)[0] + ')');
sharp.concurrency(1); sharp.cache(false);
const photo = await draw(200 * 1024); const m = await sharp(photo).metadata(); console.log(photo.length, m.width, m.height, m.chromaSubsampling);
async function t(name, f, n = 100) { for (let i = 0; i < 10; i++) await f(); const c = process.cpuUsage(), w = performance.now(); for (let i = 0; i < n; i++) await f(); const d = process.cpuUsage(c); console.log(name, 'cpu ms', ((d.user + d.system) / 1000 / n).toFixed(2), 'wall', ((performance.now() - w) / n).toFixed(2)); }
await t('metadata', () => sharp(photo, { failOn: 'error' }).metadata());
await t('proof10', () => sharp(photo, { failOn: 'error' }).resize({ width: Math.floor(m.width / 10), kernel: 'linear' }).raw().toBuffer());
await t('proof8', () => sharp(photo, { failOn: 'error' }).resize({ width: Math.floor(m.width / 8), kernel: 'nearest' }).raw().toBuffer());
await t('proof10 seq', () => sharp(photo, { failOn: 'error', sequentialRead: true }).resize({ width: Math.floor(m.width / 10), kernel: 'linear' }).raw().toBuffer());
await t('proof16', () => sharp(photo, { failOn: 'error' }).resize({ width: Math.floor(m.width / 16), kernel: 'nearest' }).raw().toBuffer());
await t('proof10 grey', () => sharp(photo, { failOn: 'error' }).resize({ width: Math.floor(m.width / 10), kernel: 'linear' }).greyscale().raw().toBuffer());
await t('full', () => sharp(photo, { failOn: 'error' }).raw().toBuffer());
await t('stats10', () => sharp(photo, { failOn: 'error' }).resize(32).jpeg().toBuffer());
const tiny = await sharp({ create: { width: 100, height: 80, channels: 3, background: 'red' } }).jpeg().toBuffer();
await t('tiny proof', () => sharp(tiny, { failOn: 'error' }).resize({ width: 10, kernel: 'linear' }).raw().toBuffer());
await t('tiny meta', () => sharp(tiny, { failOn: 'error' }).metadata());
