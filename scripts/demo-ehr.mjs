// A desk that an EHR opens, a result that it files, a correction that replaces it, and a card: npm run demo:ehr
import { parseArgs } from 'node:util';
import { SuturaClient } from '../sdk/javascript/dist/index.mjs';
import { ACCESS_USAGE, DemoFailure, findBaseUrl, findKey, runDemo } from './demo-gateway.mjs';
import { findOrganization } from './demo-operator.mjs';
import { chartText } from './demo-ehr/chart-text.mjs';
import { DIALECTS, FakeHospital } from './demo-ehr/fake-hospital.mjs';
import { FhirHospital } from './demo-ehr/fhir-hospital.mjs';
import { Registration } from './demo-ehr/registration.mjs';
import { drawPhoto, ownGrain } from './demo-series/draw-photo.mjs';
import { FollowUpReader } from './demo-series/follow-up-reader.mjs';
import { weekOfArea } from './demo-series/wound-course.mjs';

const USAGE = `Usage: npm run demo:ehr -- [--dialect ${DIALECTS.join('|')}] [--keep] [--key KEY] [--url http://127.0.0.1:3000] [--org ID]
         npm run demo:ehr -- --fhir URL [--patient SYSTEM|NUMBER] [--key KEY] [--url http://127.0.0.1:3000] [--org ID]

Starts a strict EHR on this machine and registers it (ehr create). Sends a photo of two weeks ago, asks for cards as the EHR does, with a signed
token, opens the review desk from the chart as a browser does (SMART App Launch), and accepts the report there, so that it is filed. Then a photo
of today, larger: accepted, filed, and its outline corrected at the desk, which replaces what was filed. Prints what the EHR holds in the end, and
what of that is not as it must be. The registration is removed after the run.
The gateway must be allowed to reach this machine: start it with SUTURA_EHR_NETWORKS=127.0.0.0/8.

--dialect  what the EHR takes: docs/conformance/ehr-push.md (transaction)
--keep     lets EHR and registration stay until Ctrl-C, with addresses to open
--fhir     in place of the strict EHR a FHIR R4 server with transactions, such as HAPI's. Results are filed there and stay there; it launches nothing
           and asks for no card. SUTURA_DEMO_FHIR_TOKEN: a bearer token of that server, where it needs one.
--patient  a patient of that server, by a number that the gateway has no patient of yet; else one is made there
--org      whose key it is; else the organization that a gateway makes at its first start. The data folder and database are those of the gateway:
           run this beside it.
${ACCESS_USAGE}`;
const PATIENCE_MS = 180_000;
const DAY_MS = 86_400_000;
/** Of the outline that a clinician draws to the one that was photographed. */
const CORRECTED = 0.96;

/** As the parser of options says that they are wrong. */
const misuse = (message) => Object.assign(new Error(message), { code: 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' });

function readCommandLine() {
  const text = { type: 'string' };
  const options = { key: text, url: text, org: text, fhir: text, patient: text, dialect: text };
  const { values } = parseArgs({
    options: { ...options, keep: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return null;
  const { fhir, dialect = 'transaction', keep = false } = values;
  if (!DIALECTS.includes(dialect)) throw misuse(`--dialect is one of ${DIALECTS.join(', ')}.`);
  if (fhir !== undefined && !URL.canParse(fhir)) throw misuse('--fhir is the base of a FHIR server.');
  if (fhir !== undefined && (keep || values.dialect !== undefined))
    throw misuse('--fhir goes without --dialect and --keep: what was filed stays on that server.');
  const [system, value, ...rest] = (values.patient ?? '').split('|');
  const known = values.patient === undefined ? null : { system, value };
  if (known !== null && (fhir === undefined || [system, value].includes('') || value === undefined || rest.length > 0))
    throw misuse('--patient is SYSTEM|NUMBER of a patient of the server that --fhir names.');
  return {
    known,
    key: values.key,
    url: findBaseUrl(values.url).replace(/\/$/, ''),
    organizationId: values.org,
    fhir,
    dialect,
    keep,
  };
}

/** A row of what happens, with further lines below. */
function say(label, text) {
  process.stdout.write(`${label.padEnd(12)} ${text.replaceAll('\n', `\n${' '.repeat(13)}`)}\n`);
}

/** Everything that one run has in its hands. */
class Walk {
  #sent = 0;

  constructor({ client, key, hospital, registration }) {
    this.client = client;
    this.reader = new FollowUpReader(client.baseUrl, key);
    this.hospital = hospital;
    this.registration = registration;
    this.subject = {
      patientId: hospital.patientNumber,
      patientSystem: hospital.patientSystem,
      woundId: 'W-1',
      bodySite: { display: 'Left lower leg' },
    };
  }

  /** Sends a photo and waits for its report. */
  async assess({ week, ageDays }) {
    const photo = await drawPhoto(week, { grain: ownGrain() });
    const job = await this.client.analyzeImageAndWait({
      file: photo.jpeg,
      subject: this.subject,
      capturedAt: new Date(Date.now() - ageDays * DAY_MS),
      timeoutMs: PATIENCE_MS,
    });
    const place = await this.reader.placeOf(job);
    say('Photo', `of ${ageDays === 0 ? 'today' : `${ageDays} days ago`}: analysed, report ${place.reportId}`);
    return { ...place, photo };
  }

  async tellCards() {
    const cards = await this.hospital.cards();
    if (cards === null) return say('Card', 'not tried: this server asks for none');
    if (cards.length === 0) throw new DemoFailure('There is no card, though a result waits or the wound is larger.');
    for (const { indicator, summary, detail } of cards) say('Card', `${indicator}: ${summary}\n${detail.trim()}`);
  }

  async openDesk(woundId) {
    say('Launch', await this.hospital.openDesk(woundId));
  }

  async decide(what, { reportId }, decision) {
    const { version, status } = await this.hospital.decide(reportId, decision);
    say(what, `report ${reportId}, version ${version}, ${status}`);
    const before = this.#sent;
    this.#sent = await this.registration.untilFiled(before, PATIENCE_MS);
    const deliveries = this.#sent - before;
    say('Filed', deliveries === 1 ? 'in one delivery' : `in ${deliveries} deliveries`);
  }
}

/** GeoJSON of an outline that lies a little within the photographed one. */
function correctedContour(photo) {
  const ring = photo.outlinePx(CORRECTED);
  return { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
}

/** Of two weeks ago and of today. Each run draws its own: a photo that was filed for another patient before is told to the clinician. */
function photosOf(run) {
  const more = (run % 1000) / 10_000;
  return [
    { week: weekOfArea(5, 7 + more), ageDays: 14 },
    { week: weekOfArea(1, 12.6 + more), ageDays: 0 },
  ];
}

async function play(walk, [earlier, later]) {
  const first = await walk.assess(earlier);
  await walk.tellCards();
  await walk.openDesk(first.woundId);
  await walk.decide('Accepted', first, { decision: 'accept' });
  const second = await walk.assess(later);
  await walk.openDesk(second.woundId);
  await walk.decide('Accepted', second, { decision: 'accept' });
  const correction = { decision: 'correct', contour: correctedContour(second.photo), note: 'The rim is closed skin.' };
  await walk.decide('Corrected', second, correction);
  await walk.tellCards();
}

/** What the EHR holds, and whether that is as it must be. `isShared`: people have decided beside the demo. */
async function verify(hospital, isShared = false) {
  process.stdout.write(`\nIn the chart\n${chartText(await hospital.holdings()).replace(/^/gm, '  ')}\n\n`);
  const faults = await hospital.faults(isShared);
  if (faults.length > 0) throw new DemoFailure(faults.map((fault) => `Wrong: ${fault}`).join('\n'));
  const expected = isShared ? '' : 'Every version that was decided on is there once, in its place. ';
  process.stdout.write(`${expected}Nothing is wrong with what the EHR holds.\n`);
}

function startHospital({ fhir, dialect, known, url }, key, patientNumber) {
  const gateway = { url, key };
  if (fhir === undefined) return FakeHospital.start({ dialect, gateway, patientNumber });
  const token = process.env.SUTURA_DEMO_FHIR_TOKEN;
  return FhirHospital.start({ base: fhir, token, gateway, known, patientNumber });
}

async function main() {
  const wish = readCommandLine();
  if (wish === null) {
    process.stdout.write(USAGE);
    return 0;
  }
  const key = await findKey(wish.key);
  const organizationId = await findOrganization(wish.organizationId, 'whose results the EHR shall file');
  const client = new SuturaClient({ apiKey: key, baseUrl: wish.url });
  // One patient a run: a repeat is another wound, not four photos of this one.
  const run = Date.now();
  const hospital = await startHospital(wish, key, `DEMO-${run}`);
  try {
    const environment = key.startsWith('sut_live_') ? 'live' : 'test';
    const registration = await Registration.create(organizationId, { environment, ...hospital.terms });
    try {
      hospital.registered(registration.view);
      say('EHR', `${hospital.name}, registered as ${registration.view.id}`);
      for (const { isWell, isTried, says } of await registration.test())
        say(isWell ? '  ok' : isTried ? '  NOT' : '  not tried:', says);
      await play(new Walk({ client, key, hospital, registration }), photosOf(run));
      await verify(hospital);
      if (wish.keep) {
        await hospital.keep(say);
        await verify(hospital, true);
      }
    } finally {
      await registration.remove();
    }
  } finally {
    await hospital.stop();
  }
  return 0;
}

await runDemo(main, USAGE);
