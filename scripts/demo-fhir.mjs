// Two photos of one wound through the FHIR door, from a transaction Bundle to the DiagnosticReport: npm run demo:fhir
import { parseArgs } from 'node:util';
import { ACCESS_USAGE, DemoFailure, findBaseUrl, findKey, runDemo } from './demo-gateway.mjs';
import { FhirClient } from './demo-fhir/fhir-client.mjs';
import { reportText } from './demo-fhir/report-text.mjs';
import { woundTransaction } from './demo-fhir/wound-transaction.mjs';
import { drawPhoto, ownGrain } from './demo-series/draw-photo.mjs';
import { WOUND_COURSE } from './demo-series/wound-course.mjs';

const USAGE = `Usage: npm run demo:fhir -- [--key KEY] [--url http://127.0.0.1:3000]

Draws two photos of one healing wound, three weeks apart. Posts each as a transaction Bundle (Patient, BodyStructure, Media with the photo,
ServiceRequest), follows the Task, prints the DiagnosticReport with its Observations, and has the gateway validate all of them.
${ACCESS_USAGE}`;
const PATIENCE_MS = 180_000;
const DAY_MS = 86_400_000;
/** Weeks of the drawn course, with the age of each photo. */
const PHOTOS = [
  { week: WOUND_COURSE[1], ageDays: 21 },
  { week: WOUND_COURSE[4], ageDays: 0 },
];

function readCommandLine() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { key: text, url: text, help: { type: 'boolean', short: 'h' } } });
  return values.help ? null : { key: values.key, baseUrl: findBaseUrl(values.url) };
}

/** Posts one photo; the completed Task. */
async function order(client, numbers, { week, ageDays }) {
  const { jpeg } = await drawPhoto(week, { grain: ownGrain() });
  const takenAt = new Date(Date.now() - ageDays * DAY_MS);
  const bundle = woundTransaction({ ...numbers, jpeg, takenAt });
  const { entry } = await client.post('', bundle);
  entry.forEach(({ response }) => process.stdout.write(`  ${response.status.padEnd(12)} ${response.location}\n`));
  const request = entry.at(-1).response.location.split('/').slice(0, 2).join('/');
  const found = await client.read(`/Task?focus=${request}`);
  const taskId = found.entry?.[0]?.resource.id;
  if (taskId === undefined) throw new DemoFailure(`There is no Task for ${request}.`);
  const statuses = [];
  const task = await client.untilEnded(taskId, PATIENCE_MS, (status) => statuses.push(status));
  process.stdout.write(`  Task/${taskId}: ${statuses.join(' → ')}\n`);
  if (task.status !== 'completed')
    throw new DemoFailure(`The analysis ended as ${task.status}: ${task.statusReason?.text ?? 'no reason was given'}.`);
  return task;
}

/** The report of a Task and the Observations that it names, in its order. */
async function readReport(client, task) {
  const [, reportId] = task.output[0].valueReference.reference.split('/');
  const { entry } = await client.read(`/DiagnosticReport?_id=${reportId}&_include=DiagnosticReport:result`);
  const byReference = new Map(entry.map(({ resource }) => [`${resource.resourceType}/${resource.id}`, resource]));
  const report = byReference.get(`DiagnosticReport/${reportId}`);
  return { report, observations: report.result.map(({ reference }) => byReference.get(reference)) };
}

async function validate(client, resources) {
  for (const resource of resources) {
    const { issue } = await client.post(`/${resource.resourceType}/$validate`, resource);
    const fault = issue.find(({ severity }) => severity === 'error' || severity === 'fatal');
    if (fault !== undefined)
      throw new DemoFailure(
        `${resource.resourceType}/${resource.id} is not valid: ${fault.details?.text} (${fault.expression?.[0]})`,
      );
  }
  process.stdout.write(`  valid against R4 and its profile: ${resources.length} resources\n\n`);
}

async function main() {
  const wish = readCommandLine();
  if (wish === null) {
    process.stdout.write(USAGE);
    return 0;
  }
  const client = new FhirClient(wish.baseUrl, await findKey(wish.key));
  // One patient a run: a repeat is another wound, not four photos of this one.
  const run = Date.now();
  for (const [at, photo] of PHOTOS.entries()) {
    process.stdout.write(`Photo ${at + 1} of ${PHOTOS.length}: a transaction of four resources\n`);
    const task = await order(
      client,
      { patientNumber: `DEMO-${run}`, woundNumber: 'W-1', orderNumber: `${run}-${at + 1}` },
      photo,
    );
    const { report, observations } = await readReport(client, task);
    process.stdout.write(`${reportText(report, observations)}\n`);
    await validate(client, [report, ...observations]);
  }
  return 0;
}

await runDemo(main, USAGE);
