import { createHash } from 'node:crypto';
import type { Bundle, DiagnosticReport, Patient } from '@medplum/fhirtypes';
import { v7 } from 'uuid';
import { EhrSender } from '../../peers/mllp-sender.js';
import { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { expectStatus } from '../../support/api-client.js';
import { queryDatabase } from '../../support/database-query.js';
import {
  CAMERA_SETTINGS,
  drawMeetings,
  fhirPatientOf,
  fhirResourceOf,
  inWords,
  MR,
  personOf,
  TAKEN_AT,
  type DrawnPerson,
  type MeetingStep,
} from '../../support/drawn-meetings.js';
import { eventually } from '../../support/eventually.js';
import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital } from '../../support/hl7-hospital.js';
import { photoData } from '../../support/intake-ground.js';
import { pdfPages } from '../../support/pdf-text.js';
import { CHARGES_WITHOUT_JOBS_OF_ONE } from '../../support/promise-statements.mjs';
import { eachSeed, seedsOf } from '../../support/rounds.js';

const NAME = 'meetings through every exit';

let gateway: SharedGateway;
let photos: readonly string[];
let digests: ReadonlyMap<string, number>;
beforeAll(async () => {
  gateway = await sharedGateway();
  photos = await Promise.all([1, 2, 3, 4].map((seed) => photoData(seed)));
  const digestOf = (photo: string) => createHash('sha256').update(Buffer.from(photo, 'base64')).digest('hex');
  digests = new Map(photos.map((photo, index) => [digestOf(photo), index]));
});

/** A hospital with two interfaces, and an endpoint that is told everything. */
class House {
  private readonly senders = new Map<string, EhrSender>();
  private messages = 0;

  private constructor(
    readonly hospital: Hl7Hospital,
    readonly webhooks: WebhookReceiver,
    private readonly cameras: string,
  ) {}

  /** `unknownPatient`: of the cameras, which send photos of people whom the orders may not have announced yet. */
  static async open(unknownPatient: 'create' | 'hold'): Promise<House> {
    const hospital = await Hl7Hospital.open(gateway, {}, { grouping: 'photo', pdf: 'none' });
    const webhooks = await WebhookReceiver.start();
    const wish = { url: webhooks.url, content: 'full', types: ['report.ready'] };
    expectStatus(201, await hospital.client.request('POST', '/api/v1/webhooks', { json: wish }));
    const cameras = v7();
    await queryDatabase(
      gateway.databaseUrl,
      `insert into hl7_listeners (id, organization_id, environment, name, settings, created_at) values ($1, $2, 'test', 'cameras', $3, now())`,
      [cameras, hospital.organizationId, { port: 0, timeZone: 'Europe/Berlin', unknownPatient, ...CAMERA_SETTINGS }],
    );
    await queryDatabase(gateway.databaseUrl, 'select pg_notify($1, $2)', ['sutura_hl7_changed', 'hl7_listeners']);
    const house = new House(hospital, webhooks, cameras);
    await eventually('the FHIR door is open', async () => (await house.fhir('GET', 'Patient')).status === 200);
    return house;
  }

  async close(): Promise<void> {
    for (const sender of this.senders.values()) await sender.destroy();
    await this.webhooks.stop();
    await this.hospital.close();
  }

  fhir = (method: string, path: string, json?: object) =>
    this.hospital.client.request(method, `/fhir/${path}`, {
      ...(json === undefined ? {} : { json }),
      headers: { 'content-type': 'application/fhir+json' },
    });

  /** A status, or what the acknowledgment says. */
  async carryOut(step: MeetingStep): Promise<string> {
    if (step.by === 'hl7') {
      const sender = await this.senderTo(step.listener);
      this.messages += 1;
      const answer = (await sender.ask(step.message.replace('|M-1|', `|M-${this.messages}|`)))!;
      return fieldOf(answer, 'MSA', 1);
    }
    if (step.by === 'rest') {
      const imageId = await this.hospital.client.uploadPhoto(Buffer.from(photos[step.photo!]!, 'base64'));
      const subject = { patientId: step.person.number, patientSystem: MR, woundId: 'W-1' };
      return String((await this.hospital.client.createJob({ imageId, subject, capturedAt: TAKEN_AT })).status);
    }
    const whose = step.form === 'id' ? await this.patientId(step.person) : '';
    const resource = fhirResourceOf(step, photos, whose);
    return String((await this.fhir('POST', resource.resourceType, resource)).status);
  }

  private async senderTo(listener: 'orders' | 'cameras'): Promise<EhrSender> {
    const known = this.senders.get(listener);
    if (known !== undefined) return known;
    const sender = listener === 'orders' ? await this.hospital.connect() : await EhrSender.connect(await this.port());
    this.senders.set(listener, sender);
    return sender;
  }

  private port(): Promise<number> {
    return eventually('the cameras are served', () => {
      const served = gateway.events('hl7.listening').findLast(({ listenerId }) => listenerId === this.cameras);
      return served === undefined ? undefined : Number(served['port']);
    });
  }

  private async patientId(person: DrawnPerson): Promise<string> {
    const found = (await this.fhir('GET', `Patient?identifier=${MR}|${person.number}`)).body as Bundle<Patient>;
    const known = found.entry?.[0]?.resource?.id;
    return known ?? ((await this.fhir('POST', 'Patient', fhirPatientOf(person))).body as Patient).id!;
  }
}

/** A result as the records have it. */
interface Result {
  readonly jobId: string;
  readonly reportId: string;
  readonly woundId: string;
  readonly sha256: string;
}

const RESULTS = `select job.id::text as "jobId", report.id::text as "reportId", report.wound_id::text as "woundId", image.sha256
  from analysis_jobs job join images image on image.id = job.image_id join reports report on report.job_id = job.id
  where job.organization_id = $1 and job.status = 'completed' and report.status <> 'entered-in-error' order by job.id`;
const UNDONE = `select (select count(*) from hl7_inbound where organization_id = $1 and state = 'received')
  + (select count(*) from analysis_requests where organization_id = $1 and state = 'waiting' and image_id is not null)
  + (select count(*) from analysis_jobs where organization_id = $1 and status in ('queued', 'processing'))
  + (select count(*) from outbox_events where organization_id = $1)
  + (select count(*) from hl7_outbox where organization_id = $1 and state <> 'delivered')
  + (select count(*) from analysis_jobs where organization_id = $1 and status = 'error') as undone`;

/** Messages that wait for nothing that is on the list, and such as wait for somebody who is known. */
const LOST = `select (select count(*) from hl7_inbound message where message.organization_id = $1 and message.state = 'held'
    and not exists (select from held_items item where item.id = message.held_item and item.settled_at is null))
  + (select count(*) from held_awaited_numbers awaited join held_items item on item.id = awaited.item_id and item.settled_at is null
      join patient_identifiers known on known.organization_id = $1 and known.system = awaited.system and known.value = awaited.value
      where awaited.organization_id = $1) as lost`;
const UNCLEAR = `select wound.id::text from wounds wound where wound.organization_id = $1 and wound.wound_id is null and wound.patient_id is not null and wound.merged_into is null
  and exists (select from wounds other where other.patient_id = wound.patient_id and other.wound_id is not null and other.merged_into is null)
  and exists (select from reports where wound_id = wound.id and status <> 'entered-in-error')`;

async function round(seed: number): Promise<void> {
  const house = await House.open(seed % 2 === 0 ? 'create' : 'hold');
  try {
    await expectOnePersonEach(house, seed);
  } finally {
    await house.close();
  }
}

async function expectOnePersonEach(house: House, seed: number): Promise<void> {
  const { hospital, webhooks } = house;
  const history = drawMeetings(seed, photos);
  const answers: string[][] = [];
  for (const step of history.steps) answers.push([await house.carryOut(step)]);
  const said = inWords(history, answers);
  const sql = <Row extends object>(text: string) =>
    queryDatabase<Row>(gateway.databaseUrl, text, [hospital.organizationId]);
  await eventually(
    `all is done of\n${said}`,
    async () => (await sql<{ undone: string }>(UNDONE))[0]!.undone === '0',
    60_000,
  );
  const results = await sql<Result>(RESULTS);
  await eventually('the webhooks', () => webhooks.received.length >= results.length);
  const wounds = new Map<string, string>();
  for (const result of results) {
    const owner = personOf(digests.get(result.sha256)!);
    expect([said, await whoIsNamed(house, result)]).toEqual([
      said,
      { native: owner.number, document: owner.number, fhir: owner.number, hl7: owner.number, webhook: owner.number },
    ]);
    // No two people share a series.
    expect([said, wounds.get(result.woundId) ?? owner.number]).toEqual([said, owner.number]);
    wounds.set(result.woundId, owner.number);
  }
  expect([said, await sql(CHARGES_WITHOUT_JOBS_OF_ONE)]).toEqual([said, []]);
  expect([said, (await sql<{ lost: string }>(LOST))[0]!.lost]).toEqual([said, '0']);
  await expectAskedAndSettled(house, said);
}

interface Item {
  readonly id: string;
  readonly reason: string;
  readonly came: { readonly resources: readonly string[] };
}

/** Each photo without a wound number of who has a wound with one is on the list, no other is, and none once a person has said what it is. */
async function expectAskedAndSettled({ hospital }: House, said: string): Promise<void> {
  const listed = async (): Promise<readonly Item[]> =>
    (
      expectStatus(200, await hospital.client.request('GET', '/api/v1/held?reason=wound_unclear')).body as {
        items: Item[];
      }
    ).items;
  const unclear = await queryDatabase<{ id: string }>(gateway.databaseUrl, UNCLEAR, [hospital.organizationId]);
  const items = await listed();
  expect([said, items.map(({ came }) => came.resources[0]).sort()]).toEqual([
    said,
    unclear.map(({ id }) => `BodyStructure/${id}`).sort(),
  ]);
  for (const { id, came } of items) {
    const resolve = (resolution: object) =>
      hospital.client.request('POST', `/api/v1/held/${id}/resolve`, { json: resolution });
    // All photos of a history are of one moment: a wound that has an area of it already is another one.
    const { status } = await resolve({ action: 'link', to: came.resources[1] });
    if (status === 400) expectStatus(200, await resolve({ action: 'wait' }));
  }
  expect([said, await listed()]).toEqual([said, []]);
}

/** By the first numbers that each exit names (MRN-1 ends in MRN-10); several are all said. */
async function whoIsNamed({ hospital, webhooks, fhir }: House, { jobId, reportId }: Result): Promise<object> {
  const { client, receiver } = hospital;
  const path = `/api/v1/reports/${reportId}`;
  const native = expectStatus(200, await client.request('GET', path)).body as { subject: object };
  const pdf = await client.request('GET', path, { headers: { accept: 'application/pdf' } });
  const report = (await fhir('GET', `DiagnosticReport/${reportId}`)).body as DiagnosticReport;
  const patient = (await fhir('GET', report.subject!.reference!)).body as Patient;
  const messages = receiver.messages.filter((message) => fieldOf(message, 'OBR', 3).startsWith(`${jobId}^`));
  const told = webhooks.received.filter(({ event }) => event.data.reportId === reportId);
  const numbersIn = (texts: readonly string[]) =>
    [...new Set(texts.flatMap((text) => text.match(/MRN-\d/g) ?? ['nobody']))].join();
  return {
    native: numbersIn([JSON.stringify(native.subject)]),
    document: numbersIn(pdfPages(pdf.bytes)),
    fhir: numbersIn((patient.identifier ?? []).map(({ value }) => value!)),
    hl7: messages.length === 0 ? 'no message' : numbersIn(messages.map((message) => fieldOf(message, 'PID', 3))),
    webhook: told.length === 0 ? 'no event' : numbersIn(told.map(({ event }) => JSON.stringify(event.data.patient))),
  };
}

it.each(seedsOf(NAME, 12, 1, 3))('name one person at every exit of a history (%i)', async (seed) => {
  await eachSeed(NAME, [seed], round);
});
