// Makes the pages of a report that docs/clinical-report.md shows, through a running gateway, from drawn photos of an invented patient's wound:
// npm run docs:pictures. Needs pdftoppm (poppler-utils).
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SuturaClient } from '../sdk/javascript/dist/index.mjs';
import { ACCESS_USAGE, DemoFailure, findBaseUrl, findKey, runDemo } from './demo-gateway.mjs';
import { drawPhoto } from './demo-series/draw-photo.mjs';
import { FollowUpReader } from './demo-series/follow-up-reader.mjs';
import { WOUND_COURSE } from './demo-series/wound-course.mjs';
import { WoundOutline } from './demo-series/wound-outline.mjs';

const USAGE = `Usage: npm run docs:pictures\n${ACCESS_USAGE}`;
const FOLDER = 'docs/pictures';
const DOTS_PER_INCH = 64;
const DAY_MS = 86_400_000;
/** Day and area in cm² of each visit. */
const VISITS = [
  [0, 4],
  [13, 4.8],
  [26, 5.6],
  [39, 6.8],
  [52, 8.2],
  [64, 10],
];
/** Language, page. */
const PAGES = [
  ['en', 1],
  ['en', 2],
  ['de', 1],
  ['fr', 1],
  ['es', 1],
];
const SYSTEM = 'https://hospital.example/patients';
const SUBJECT = {
  patientSystem: SYSTEM,
  woundId: 'heel-left',
  laterality: 'left',
  bodySite: { system: 'http://snomed.info/sct', code: '84607009', display: 'Heel' },
  woundType: { system: 'http://snomed.info/sct', code: '280137006', display: 'Diabetic foot ulcer' },
};
const OBSERVATIONS = {
  depthCm: 0.6,
  exudate: 'moderate',
  exudateType: 'serous',
  odour: 'faint',
  painNrs: 3,
  undermining: [{ fromClock: 2, toClock: 5, depthCm: 1.2 }],
  edges: ['rolled'],
  periwound: ['macerated'],
  infectionSigns: ['warm to the touch'],
};

/** The patient by name, as an EHR sends it over FHIR. */
async function sendPatient(baseUrl, key, value) {
  const answer = await fetch(`${baseUrl}/fhir/R4/Patient`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/fhir+json' },
    body: JSON.stringify({
      resourceType: 'Patient',
      identifier: [{ system: SYSTEM, value }],
      name: [{ use: 'official', family: 'Example', given: ['Anna'] }],
      birthDate: '1951-07-14',
    }),
  });
  if (!answer.ok) throw new DemoFailure(`The gateway refused the patient with ${answer.status}.`);
}

async function analyseVisits(client, folder, patientId) {
  const last = VISITS.at(-1)[0];
  let job;
  for (const [index, [day, areaCm2]] of VISITS.entries()) {
    const drawn = { ...WOUND_COURSE[index], areaCm2, sloughShare: 0.5, outline: new WoundOutline(areaCm2, index) };
    const file = join(folder, `${day}.jpg`);
    await writeFile(file, (await drawPhoto(drawn)).jpeg);
    job = await client.analyzeImageAndWait({
      file,
      subject: { ...SUBJECT, patientId },
      capturedAt: new Date(Date.now() - (last - day) * DAY_MS),
      clinicianObservations: day === last ? OBSERVATIONS : undefined,
    });
  }
  return job;
}

async function main() {
  const [baseUrl, key] = [findBaseUrl(), await findKey()];
  const folder = await mkdtemp(join(tmpdir(), 'docs-pictures-'));
  const patientId = `MRN-${Date.now() % 10_000}`;
  await sendPatient(baseUrl, key, patientId);
  const reader = new FollowUpReader(baseUrl, key);
  const job = await analyseVisits(new SuturaClient({ apiKey: key, baseUrl }), folder, patientId);
  const { reportId } = await reader.placeOf(job);
  for (const [language, page] of PAGES) {
    const pdf = join(folder, `${language}.pdf`);
    await writeFile(pdf, await reader.document(`/reports/${reportId}`, 'application/pdf', language));
    const picture = `${FOLDER}/report-${language}-page-${page}`;
    const only = ['-f', String(page), '-l', String(page), '-singlefile'];
    execFileSync('pdftoppm', ['-png', '-r', String(DOTS_PER_INCH), ...only, pdf, picture]);
    process.stdout.write(`${picture}.png\n`);
  }
  await rm(folder, { recursive: true });
  return 0;
}

await runDemo(main, USAGE);
