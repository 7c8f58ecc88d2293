// The whole flow against a running gateway, with nothing but fetch: npm run demo -- photo.jpg
import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = `Usage: npm run demo -- path/to/photo.jpg [--mm-per-pixel 0.2] [--key KEY] [--url http://127.0.0.1:3000]

Uploads the photo, waits for the analysis, prints it, and saves NAME.overlay.jpg and NAME.mask.png in the current folder.
The key: --key, else SUTURA_API_KEY, else the demo key that the gateway kept in its data folder at its first start.
The address: --url, else SUTURA_BASE_URL, else http://127.0.0.1:PORT (3000).
`;
const WAIT_S = 30;
const PATIENCE_MS = 180_000;

class DemoFailure extends Error {}

function readCommandLine() {
  const options = { 'mm-per-pixel': { type: 'string' }, key: { type: 'string' }, url: { type: 'string' }, help: { type: 'boolean', short: 'h' } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help || positionals.length !== 1) return null;
  const mmPerPixel = values['mm-per-pixel'] === undefined ? null : Number(values['mm-per-pixel']);
  if (mmPerPixel !== null && !(mmPerPixel > 0)) return null;
  const url = values.url ?? process.env.SUTURA_BASE_URL ?? `http://127.0.0.1:${process.env.PORT ?? '3000'}`;
  return { photo: positionals[0], mmPerPixel, key: values.key, url: url.replace(/\/+$/, '') };
}

async function findKey(given) {
  const key = given ?? process.env.SUTURA_API_KEY;
  if (key !== undefined && key !== '') return key;
  const file = join(process.env.SUTURA_DATA_DIR ?? '.data', 'demo-key');
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch {
    throw new DemoFailure(`No key: give --key or SUTURA_API_KEY, or start the gateway once so that it leaves its demo key in ${file}.`);
  }
}

/** Sends one request; a refusal becomes a failure in the service's own words. */
async function ask(what, url, init = {}) {
  let response;
  try {
    response = await fetch(url, init);
  } catch (fault) {
    throw new DemoFailure(`${what}: no answer from ${new URL(url).origin} (${fault.cause?.code ?? fault.message}). Is the gateway running? "npm start"`);
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new DemoFailure(`${what}: ${response.status} ${problem.code ?? ''} ${problem.detail ?? ''} (request ${response.headers.get('x-request-id') ?? '?'})`);
}

async function upload(url, auth, bytes) {
  const ticket = await (await ask('Asking for an upload address', `${url}/api/v1/images/upload-url`, { method: 'POST', headers: auth })).json();
  await ask('Uploading', ticket.uploadUrl, { method: ticket.method, headers: ticket.headers, body: bytes });
  return ticket.imageId;
}

async function analyse(url, auth, imageId, mmPerPixel) {
  const body = { imageId, ...(mmPerPixel === null ? {} : { calibration: { mmPerPixel } }) };
  const headers = { ...auth, 'Content-Type': 'application/json', 'Idempotency-Key': `demo-${imageId}` };
  const created = await ask('Creating the job', `${url}/api/v1/analysis/jobs`, { method: 'POST', headers, body: JSON.stringify(body) });
  let job = await created.json();
  const end = Date.now() + PATIENCE_MS;
  while (job.status !== 'completed' && job.status !== 'error') {
    if (Date.now() > end) throw new DemoFailure(`The job ${job.id} is still ${job.status} after ${PATIENCE_MS / 1000} s.`);
    const polled = await ask('Reading the job', `${url}/api/v1/analysis/jobs/${job.id}`, { headers: { ...auth, Prefer: `wait=${WAIT_S}` } });
    job = await polled.json();
  }
  if (job.status === 'error') throw new DemoFailure(`The analysis ended in error: ${job.error.code} ${job.error.detail}`);
  return job;
}

async function save(artifact, auth, file) {
  const response = await ask(`Fetching ${file}`, artifact.url, { headers: auth });
  await writeFile(file, Buffer.from(await response.arrayBuffer()));
  return file;
}

const inCm = (measure, unit = 'cm') => (measure === null ? 'unknown without a scale' : `${measure.value} ${unit}`);

function describe(job) {
  const { result } = job;
  const [model] = result.trace.models;
  const tookMs = Date.parse(job.completedAt) - Date.parse(job.createdAt);
  const lines = [`Job ${job.id}: ${job.status} in ${tookMs} ms`];
  lines.push(`Model ${model.name} ${model.version}${model.researchOnly ? ' (research only)' : ''} on ${result.trace.executionProvider}`);
  lines.push(`Scale: ${result.scale.mmPerPixel === null ? 'none' : `${result.scale.mmPerPixel} mm per pixel (${result.scale.source})`}`);
  if (!result.woundDetected) lines.push('No wound outlined.');
  for (const wound of result.wounds) {
    lines.push(`Wound ${wound.index + 1}, outline of ${wound.contour.coordinates[0].length - 1} points`);
    lines.push(`  area       ${wound.area.pixels} pixels, ${inCm(wound.area.cm2, 'cm2')}`);
    for (const name of ['length', 'width', 'perimeter']) lines.push(`  ${name.padEnd(10)} ${wound[name].pixels} pixels, ${inCm(wound[name].cm)}`);
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
  const bytes = await readFile(wish.photo).catch((fault) => {
    throw new DemoFailure(`${wish.photo} cannot be read (${fault.code}).`);
  });
  const auth = { Authorization: `Bearer ${await findKey(wish.key)}` };
  const imageId = await upload(wish.url, auth, bytes);
  const job = await analyse(wish.url, auth, imageId, wish.mmPerPixel);
  process.stdout.write(`${describe(job)}\n`);
  const name = basename(wish.photo, extname(wish.photo));
  const { mask, overlay } = job.result.artifacts;
  const saved = [await save(overlay, auth, `${name}.overlay.jpg`), await save(mask, auth, `${name}.mask.png`)];
  process.stdout.write(`Saved ${saved.join(' and ')}\n`);
  return 0;
}

main()
  .catch((fault) => {
    if (fault?.code?.startsWith?.('ERR_PARSE_ARGS')) process.stderr.write(`${fault.message}\n\n${USAGE}`);
    else process.stderr.write(`${fault instanceof DemoFailure ? fault.message : (fault?.stack ?? fault)}\n`);
    return fault?.code?.startsWith?.('ERR_PARSE_ARGS') ? 2 : 1;
  })
  .then((code) => {
    process.exitCode = code;
  });
