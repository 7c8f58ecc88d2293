// Eight weeks of one wound against a running gateway, from drawn photos to the clinical report: npm run demo:series
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SuturaClient } from '../sdk/javascript/dist/index.mjs';
import { ACCESS_USAGE, findBaseUrl, findKey, runDemo } from './demo-gateway.mjs';
import { drawPhoto, ownGrain } from './demo-series/draw-photo.mjs';
import { FollowUpReader } from './demo-series/follow-up-reader.mjs';
import { timelineTable } from './demo-series/timeline-table.mjs';
import { WOUND_COURSE } from './demo-series/wound-course.mjs';

const USAGE = `Usage: npm run demo:series -- [--open] [--out FOLDER] [--lang en|es|de|fr] [--key KEY] [--url http://127.0.0.1:3000]

Draws eight weekly photos of one healing wound with the calibration card beside it, has them analysed as one wound of an invented
patient, prints the wound's timeline beside the drawn truth, and saves photos and reports in FOLDER (wound-series in the current one).
--open shows the report in the system's viewer.
${ACCESS_USAGE}`;
const PATIENCE_MS = 180_000;
const WEEK_MS = 7 * 86_400_000;

function readCommandLine() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: {
      open: { type: 'boolean' },
      out: text,
      lang: text,
      key: text,
      url: text,
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return null;
  return {
    open: values.open === true,
    folder: resolve(values.out ?? 'wound-series'),
    language: values.lang ?? 'en',
    key: values.key,
    baseUrl: findBaseUrl(values.url),
  };
}

/** Draws and analyses each week's photo, oldest first. Answers the last report's place. */
async function analyseSeries(client, reader, folder) {
  // One patient a run: a repeat is another wound, not sixteen photos of this one.
  const subject = {
    patientId: `DEMO-${Date.now()}`,
    woundId: 'foot-left',
    woundType: { system: 'http://snomed.info/sct', code: '280137006', display: 'Diabetic foot ulcer' },
    laterality: 'left',
    bodySite: { display: 'Foot' },
  };
  const end = Date.now();
  let place;
  for (const week of WOUND_COURSE) {
    const { jpeg } = await drawPhoto(week, { grain: ownGrain() });
    const file = join(folder, `week-${week.week}.jpg`);
    await writeFile(file, jpeg);
    const capturedAt = new Date(end - (WOUND_COURSE.length - week.week) * WEEK_MS);
    const job = await client.analyzeImageAndWait({
      file,
      subject,
      capturedAt,
      clinicalContext: `Drawn wound, week ${week.week}`,
      timeoutMs: PATIENCE_MS,
    });
    place = await reader.placeOf(job);
    process.stdout.write(`Week ${week.week} of ${WOUND_COURSE.length}: analysed\n`);
  }
  return place;
}

async function saveReports(reader, { reportId, woundId }, folder, language) {
  const documents = [
    ['report.pdf', `/reports/${reportId}`, 'application/pdf'],
    ['report.html', `/reports/${reportId}`, 'text/html'],
    ['course.pdf', `/wounds/${woundId}/report`, 'application/pdf'],
  ];
  for (const [name, path, type] of documents)
    await writeFile(join(folder, name), await reader.document(path, type, language));
  return documents.map(([name]) => join(folder, name));
}

/** The command that shows a file in the system's own viewer. */
const OPENER = { darwin: 'open', win32: 'explorer' }[process.platform] ?? 'xdg-open';

/** Resolves with false where the system has no viewer to start. */
function open(file) {
  return new Promise((settle) => {
    const viewer = spawn(OPENER, [file], { detached: true, stdio: 'ignore' });
    viewer.once('error', () => settle(false));
    viewer.once('spawn', () => {
      viewer.unref();
      settle(true);
    });
  });
}

async function main() {
  const wish = readCommandLine();
  if (wish === null) {
    process.stdout.write(USAGE);
    return 0;
  }
  const key = await findKey(wish.key);
  await mkdir(wish.folder, { recursive: true });
  const client = new SuturaClient({ apiKey: key, baseUrl: wish.baseUrl });
  const reader = new FollowUpReader(client.baseUrl, key);
  const place = await analyseSeries(client, reader, wish.folder);
  const { assessments } = await reader.timeline(place.woundId);
  process.stdout.write(`\n${timelineTable(assessments, WOUND_COURSE)}\n\n`);
  const files = await saveReports(reader, place, wish.folder, wish.language);
  process.stdout.write(
    `Photos and reports are in ${wish.folder}:\n${files.map((file) => `  ${relative('.', file)}\n`).join('')}`,
  );
  process.stdout.write(`Open the report: ${OPENER} ${relative('.', files[0])}\n`);
  if (wish.open && !(await open(files[0]))) process.stderr.write(`There is no ${OPENER} on this system.\n`);
  return 0;
}

await runDemo(main, USAGE);
