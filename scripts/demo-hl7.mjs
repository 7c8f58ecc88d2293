// Orders with photos as HL7 v2 messages, and the results that come back: npm run demo:hl7
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DemoFailure, runDemo } from './demo-gateway.mjs';
import { findOrganization } from './demo-operator.mjs';
import { fieldOf } from './demo-hl7/er7.mjs';
import { FakeEhr } from './demo-hl7/fake-ehr.mjs';
import { sendResultsTo } from './demo-hl7/gateway-side.mjs';
import { orderMessage } from './demo-hl7/order-message.mjs';
import { messageText, resultOf } from './demo-hl7/result-text.mjs';
import { drawPhoto, ownGrain } from './demo-series/draw-photo.mjs';
import { WOUND_COURSE } from './demo-series/wound-course.mjs';

const USAGE = `Usage: npm run demo:hl7 -- [--to 127.0.0.1:2575] [--org ID] [--env test] [--out FOLDER]

Plays a hospital's system: sends two orders (OMG^O19), each with a drawn photo of one healing wound, the second a week after the first, and
prints the results (ORU^R01) that the gateway sends back, the second with the change since the first. Both hold the report as a PDF, which
--out saves. The results come by a destination that is made for this run, and deleted after it.

The listener: --to, else the gateway's own on this machine at HL7_PORT (2575), which it has with its embedded database.
The organization: --org, else the one that a gateway makes at its first start. The data folder and database are those of the gateway: run this beside it.
`;
const PATIENCE_MS = 180_000;
const WEEK_MS = 7 * 86_400_000;
const PHOTOS = [
  { week: WOUND_COURSE[3], ageMs: WEEK_MS, context: 'First assessment' },
  { week: WOUND_COURSE[4], ageMs: 0, context: 'Follow-up after a week' },
];

function readCommandLine() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: { to: text, org: text, env: text, out: text, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return null;
  const [host, port] = (values.to ?? `127.0.0.1:${process.env.HL7_PORT ?? '2575'}`).split(/:(?=\d+$)/);
  if (port === undefined) throw new DemoFailure('--to is HOST:PORT.');
  return {
    gateway: { host, port: Number(port) },
    organizationId: values.org,
    environment: values.env ?? 'test',
    folder: values.out === undefined ? null : resolve(values.out),
  };
}

/** One order with its photo, to its result. */
async function assess(ehr, numbers, { week, ageMs, context }) {
  const { jpeg } = await drawPhoto(week, { grain: ownGrain() });
  const message = orderMessage({ ...numbers, jpeg, takenAt: new Date(Date.now() - ageMs), context });
  process.stdout.write(`  OMG^O19 ${numbers.orderNumber}, ${Math.round(message.length / 1024)} kB →\n`);
  const answer = await ehr.send(message);
  const code = fieldOf(answer, 'MSA', 1);
  process.stdout.write(`  ← ${code}\n`);
  if (code !== 'AA') throw new DemoFailure(`The gateway did not take the order:\n${messageText(answer)}`);
  const result = await ehr.resultOf(numbers.orderNumber, PATIENCE_MS);
  process.stdout.write(
    `  ← ${fieldOf(result, 'MSH', 9)}, answered with ${fieldOf(result, 'MSH', 15) === '' ? 'AA' : 'CA'}\n${messageText(result)}\n`,
  );
  return resultOf(result);
}

function describe({ areaCm2, changePct, pdf }) {
  const change = changePct === null ? 'the first of its series' : `${changePct} % since the photo before`;
  return `  Area ${areaCm2} cm2, ${change}; PDF of ${Math.ceil(pdf.length / 1024)} kB inside.\n\n`;
}

async function main() {
  const wish = readCommandLine();
  if (wish === null) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (wish.folder !== null) await mkdir(wish.folder, { recursive: true });
  const organizationId = await findOrganization(wish.organizationId, 'whose results shall come to the fake EHR');
  const ehr = await new FakeEhr(wish.gateway).open();
  try {
    const takeBack = await sendResultsTo(organizationId, wish.environment, ehr.port);
    try {
      await play(ehr, wish.folder);
    } finally {
      await takeBack();
    }
  } finally {
    ehr.close();
  }
  return 0;
}

async function play(ehr, folder) {
  // One patient a run: a repeat is another wound, not four photos of this one.
  const run = Date.now();
  for (const [at, photo] of PHOTOS.entries()) {
    process.stdout.write(`Photo ${at + 1} of ${PHOTOS.length}\n`);
    const result = await assess(
      ehr,
      {
        controlId: `${run}-${at + 1}`,
        patientNumber: `DEMO-${run}`,
        woundNumber: 'W-1',
        orderNumber: `ORD-${run}-${at + 1}`,
      },
      photo,
    );
    process.stdout.write(describe(result));
    if (folder !== null) await writeFile(join(folder, `report-${at + 1}.pdf`), result.pdf);
    if (at > 0 && result.changePct === null)
      throw new DemoFailure('The second result does not say how the wound has changed.');
  }
}

await runDemo(main, USAGE);
