// The sample photos in samples/: npm run samples -- [NAME…] draws all or those named; --see writes down what a running gateway makes of them,
// --check compares that with what was written down.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ACCESS_USAGE, findBaseUrl, findKey, runDemo } from './demo-gateway.mjs';

const USAGE = `Usage: npm run samples -- [NAME…]
       npm run samples -- --see | --check [--key KEY] [--url http://127.0.0.1:3000]

Draws the sample photos, or those that are named, into samples/. With --see it sends them to a running gateway, in an organization that has
none of them yet, and writes what came of each into samples/samples.json and samples/README.md; with --check it compares, and ends with
code 1 where something else is seen now. Both need npm run build:sdk, the shipped models and 23 analyses.
${ACCESS_USAGE}`;
const FOLDER = fileURLToPath(new URL('../samples/', import.meta.url));
const LIST = join(FOLDER, 'samples.json');
const README = join(FOLDER, 'README.md');
const SIZE = { width: 960, height: 720 };

async function draw(wanted) {
  const { SAMPLES } = await import('./samples/draw-samples.mjs');
  await mkdir(FOLDER, { recursive: true });
  for (const [name, drawOne] of Object.entries(SAMPLES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const bytes = await drawOne();
    await writeFile(join(FOLDER, `${name}.jpg`), bytes);
    process.stdout.write(`${name}.jpg ${bytes.length} bytes\n`);
  }
}

const fileOf = (name) => join(FOLDER, `${name}.jpg`);

async function factsOf(name, shown, seen) {
  const bytes = await readFile(fileOf(name));
  const { shows, drawnAreaCm2, series } = shown;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    name,
    shows,
    contentType: 'image/jpeg',
    sizeBytes: bytes.length,
    sha256,
    ...SIZE,
    drawnAreaCm2,
    series,
    seen,
  };
}

/** What a gateway makes of every sample now. */
async function observe({ key, url }) {
  const { SuturaClient } = await import('../sdk/javascript/dist/index.mjs');
  const { SampleObserver } = await import('./samples/observe.mjs');
  const { DAYS_APART, SHOWN } = await import('./samples/shown.mjs');
  const [apiKey, baseUrl] = [await findKey(key), findBaseUrl(url)];
  const observer = new SampleObserver(new SuturaClient({ apiKey, baseUrl }));
  const seen = {};
  const series = [];
  const names = Object.keys(SHOWN);
  for (const name of names.filter((one) => SHOWN[one].series === null))
    seen[name] = await observer.seenAlone(name, fileOf(name));
  for (const name of new Set(names.flatMap((one) => SHOWN[one].series?.name ?? []))) {
    const own = names.filter((one) => SHOWN[one].series?.name === name);
    const { seen: each, verdict, flags } = await observer.seenInSeries(name, own.map(fileOf), DAYS_APART);
    own.forEach((one, index) => (seen[one] = each[index]));
    series.push({ name, daysApart: DAYS_APART, seen: { verdict, flags } });
  }
  const answer = await fetch(`${baseUrl}/api/v1/models`, { headers: { authorization: `Bearer ${apiKey}` } });
  const active = (await answer.json()).items.filter((model) => model.active);
  return {
    seenWith: active.map(({ name, version, sha256 }) => ({ name, version, sha256 })),
    seenOn: new Date().toISOString().slice(0, 10),
    samples: await Promise.all(names.map((name) => factsOf(name, SHOWN[name], seen[name]))),
    series,
  };
}

async function see(access) {
  const { tableOf } = await import('./samples/table.mjs');
  const collection = await observe(access);
  const page = await readFile(README, 'utf8');
  const [head, rest] = page.split('<!-- seen -->\n');
  const tail = rest.split('<!-- /seen -->\n')[1];
  await writeFile(LIST, `${JSON.stringify(collection, null, 2)}\n`);
  await writeFile(README, `${head}<!-- seen -->\n\n${tableOf(collection)}\n\n<!-- /seen -->\n${tail}`);
  process.stdout.write(`${collection.samples.length} samples, written down\n`);
  return 0;
}

async function check(access) {
  const { differencesOf } = await import('./samples/compare.mjs');
  const kept = JSON.parse(await readFile(LIST, 'utf8'));
  const differences = differencesOf(kept, await observe(access));
  for (const difference of differences) process.stdout.write(`${difference}\n`);
  process.stdout.write(`${kept.samples.length} samples, ${differences.length} differences\n`);
  return differences.length === 0 ? 0 : 1;
}

async function main() {
  const text = { type: 'string' };
  const flag = { type: 'boolean' };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { see: flag, check: flag, key: text, url: text, help: { ...flag, short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (values.see) return see(values);
  if (values.check) return check(values);
  await draw(positionals);
  return 0;
}

await runDemo(main, USAGE);
