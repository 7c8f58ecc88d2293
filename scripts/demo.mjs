// The whole flow against a running gateway, with the JavaScript library: npm run demo -- photo.jpg
import { basename, extname } from 'node:path';
import { parseArgs } from 'node:util';
import { SuturaClient } from '../sdk/javascript/dist/index.mjs';
import { ACCESS_USAGE, findBaseUrl, findKey, runDemo } from './demo-gateway.mjs';

const USAGE = `Usage: npm run demo -- path/to/photo.jpg [--mm-per-pixel 0.2] [--key KEY] [--url http://127.0.0.1:3000]

Uploads the photo, waits for the analysis, prints it, and saves NAME.overlay.jpg and NAME.mask.png in the current folder.
${ACCESS_USAGE}`;
const PATIENCE_MS = 180_000;

function readCommandLine() {
  const options = {
    'mm-per-pixel': { type: 'string' },
    key: { type: 'string' },
    url: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help || positionals.length !== 1) return null;
  const mmPerPixel = values['mm-per-pixel'] === undefined ? null : Number(values['mm-per-pixel']);
  if (mmPerPixel !== null && !(mmPerPixel > 0)) return null;
  return { photo: positionals[0], mmPerPixel, key: values.key, baseUrl: findBaseUrl(values.url) };
}

const inCm = (measure, unit = 'cm') => (measure === null ? 'unknown without a scale' : `${measure.value} ${unit}`);

function describe(job) {
  const { result } = job;
  const [model] = result.trace.models;
  const tookMs = Date.parse(job.completedAt) - Date.parse(job.createdAt);
  const lines = [`Job ${job.id}: ${job.status} in ${tookMs} ms`];
  lines.push(
    `Model ${model.name} ${model.version}${model.researchOnly ? ' (research only)' : ''} on ${result.trace.executionProvider}`,
  );
  lines.push(
    `Scale: ${result.scale.mmPerPixel === null ? 'none' : `${result.scale.mmPerPixel} mm per pixel (${result.scale.source})`}`,
  );
  if (!result.woundDetected) lines.push('No wound outlined.');
  for (const wound of result.wounds) {
    lines.push(`Wound ${wound.index + 1}, outline of ${wound.contour.coordinates[0].length - 1} points`);
    lines.push(`  area       ${wound.area.pixels} pixels, ${inCm(wound.area.cm2, 'cm2')}`);
    for (const name of ['length', 'width', 'perimeter'])
      lines.push(`  ${name.padEnd(10)} ${wound[name].pixels} pixels, ${inCm(wound[name].cm)}`);
  }
  if (result.quality.warnings.length > 0) lines.push(`Warnings: ${result.quality.warnings.join(', ')}`);
  return lines.join('\n');
}

async function main() {
  const wish = readCommandLine();
  if (wish === null) {
    process.stderr.write(USAGE);
    return 2;
  }
  const client = new SuturaClient({ apiKey: await findKey(wish.key), baseUrl: wish.baseUrl });
  const calibration = wish.mmPerPixel === null ? null : { mmPerPixel: wish.mmPerPixel };
  const job = await client.analyzeImageAndWait({ file: wish.photo, calibration, timeoutMs: PATIENCE_MS });
  process.stdout.write(`${describe(job)}\n`);
  const name = basename(wish.photo, extname(wish.photo));
  const saved = [`${name}.overlay.jpg`, `${name}.mask.png`];
  await client.downloadArtifact({ jobId: job.id, artifact: 'overlay', path: saved[0] });
  await client.downloadArtifact({ jobId: job.id, artifact: 'mask', path: saved[1] });
  process.stdout.write(`Saved ${saved.join(' and ')}\n`);
  return 0;
}

await runDemo(main, USAGE);
