import { setTimeout as pause } from 'node:timers/promises';
import { startGateway } from '../lib/gateway.mjs';
import { openListener } from '../lib/hl7-listener.mjs';
import { timeMllp } from '../lib/load-mllp.mjs';
import { startMllpReceiver } from '../lib/mllp-receiver.mjs';
import { drawPhotos } from '../lib/photos.mjs';
import { query } from '../lib/postgres-server.mjs';
import { createTenants, uploadPhoto, waitForJob } from '../lib/tenants.mjs';

const LIMIT_KB = 60;
/** Before the first look: what there is once, such as rows of models and terms. */
const FIRST = 5;
const PHOTOS = 40;
const PATIENTS = 10;
const PATIENCE_MS = 120_000;
const KB = 1000;

/** What a photo leaves in the database, by the doors that an organization uses. */
const DOORS = {
  rest: { via: sendOverRest },
  'rest+hl7 destination': { via: sendOverRest, hasDestination: true },
  'rest+fhir': { via: sendOverRest, asksFhir: true },
  'rest+fhir+hl7 destination': { via: sendOverRest, asksFhir: true, hasDestination: true },
  'hl7 in+fhir+hl7 destination': { via: sendOverHl7, hasDestination: true },
};

/** Each door on a database of its own, after `vacuum full`: what is there to stay. */
export const s18 = {
  id: 's18',
  name: 'database of a photo',
  unit: 'kB',
  goal: `at most ${LIMIT_KB} kB a photo of 1 megapixel with FHIR and one HL7 v2 destination`,
  async run({ postgres, model }) {
    const [photo] = await drawPhotos(['1 MP']);
    const figures = {};
    for (const [name, door] of Object.entries(DOORS))
      figures[name] = await measureDoor({ postgres, model, door, photo: photo.bytes });
    const kB = Object.fromEntries(Object.entries(figures).map(([name, { total }]) => [name, total]));
    const largest = Object.fromEntries(Object.entries(figures).map(([name, { tables }]) => [name, tables]));
    return {
      photoKB: Math.round(photo.bytes.length / KB),
      kB,
      largest,
      ratio: null,
      passed: kB['rest+fhir+hl7 destination'] <= LIMIT_KB,
    };
  },
};

async function measureDoor({ postgres, model, door, photo }) {
  const databaseUrl = await postgres.createDatabase();
  const env = {
    SUTURA_SEGMENTATION_MODEL: model,
    SUTURA_SWEEP_INTERVAL_MS: '500',
    HL7_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const gateway = await startGateway({ databaseUrl, env });
  const receiver = await startMllpReceiver();
  try {
    const [tenant] = await createTenants(gateway, 1);
    const ground = { gateway, tenant, photo, port: await openListener(gateway, tenant) };
    if (door.hasDestination) await openDestination(gateway, tenant, receiver.port);
    if (door.asksFhir) await askFhir(gateway, tenant);
    const send = async (from, to) => {
      for (let number = from; number < to; number += 1) await door.via(ground, number);
      await untilQuiet(databaseUrl, door.hasDestination ? () => receiver.count >= to : () => true);
      return sizesOf(databaseUrl);
    };
    const before = await send(0, FIRST);
    const after = await send(FIRST, FIRST + PHOTOS);
    return grown(before, after);
  } finally {
    await gateway.stop();
    receiver.close();
  }
}

function grown(before, after) {
  const each = [...after]
    .map(([table, bytes]) => [table, (bytes - (before.get(table) ?? 0)) / PHOTOS / KB])
    .filter(([, kB]) => kB >= 0.05)
    .sort(([, one], [, other]) => other - one);
  const rounded = (kB) => Math.round(kB * 10) / 10;
  return {
    total: rounded(each.reduce((sum, [, kB]) => sum + kB, 0)),
    tables: Object.fromEntries(each.slice(0, 8).map(([table, kB]) => [table, rounded(kB)])),
  };
}

async function sizesOf(databaseUrl) {
  await query(databaseUrl, 'vacuum full');
  const rows = await query(
    databaseUrl,
    `select relname as table, pg_total_relation_size(oid)::float8 as bytes from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  return new Map(rows.map(({ table, bytes }) => [table, bytes]));
}

/** Until events, results and photos inside of messages are dealt with. */
async function untilQuiet(databaseUrl, isReceived) {
  const busy = `select (select count(*) from outbox_events) + (select count(*) from hl7_outbox where state = 'waiting')
    + (select count(*) from hl7_inbound where files is null and file_digests <> '{}') as left`;
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(200)) {
    const [{ left }] = await query(databaseUrl, busy);
    if (Number(left) === 0 && isReceived()) return;
  }
  throw new Error('The gateway has not come to rest.');
}

async function sendOverRest({ gateway, tenant, photo }, number) {
  const imageId = await uploadPhoto(gateway, tenant, photo);
  const subject = { patientId: `MRN-${number % PATIENTS}`, woundId: `W-${number % PATIENTS}` };
  const answer = await fetch(`${gateway.baseUrl}/api/v1/analysis/jobs`, {
    method: 'POST',
    headers: { authorization: tenant.authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ imageId, subject, calibration: { mmPerPixel: 0.2 } }),
  });
  if (answer.status !== 201) throw new Error(`create: ${answer.status} ${await answer.text()}`);
  await waitForJob(gateway, tenant, (await answer.json()).id);
}

async function sendOverHl7({ photo, port }, number) {
  const order = `ORD-${number}^EHR^1.2.3.4.5.7^ISO`;
  const patient = number % PATIENTS;
  const text = [
    `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260316080000+0100||OMG^O19^OMG_O19|ORD-${number}|T|2.5.1|||||DEU|UNICODE UTF-8`,
    `PID|1||MRN-${patient}^^^HOSP&1.2.3.4.5.6&ISO^MR||Beispiel^Anna^^^^^L||19510714|F|||Am Stein 4&Am Stein&4^^Würzburg^^97080^DE^H`,
    'PV1|1|I|W3^301^1^HOSP||||||||||||||||V-90017^^^HOSP&1.2.3.4.5.10&ISO^VN',
    `ORC|NW|${order}|||||||20260316075900+0100|||31^Pflege^Petra^^^^^^HOSP&1.2.3.4.5.9&ISO`,
    `OBR|1|${order}||39135-9^Wound assessment panel^LN|||20260315094000+0100||||||Follow-up|||31^Pflege^Petra^^^^^^HOSP&1.2.3.4.5.9&ISO`,
    `OBX|1|ED|72170-4^Photographic image^LN|1|EHR^IM^JPEG^Base64^${photo.toString('base64')}||||||F|||20260315094000+0100`,
    `OBX|2|ST|wound-id^Wound number^99SUT|1|W-${patient}||||||F`,
    'OBX|3|NM|pixel-spacing^Pixel spacing^99SUT|1|0.2|mm/{pixel}^mm per pixel^UCUM|||||F',
    '',
  ].join('\r');
  const message = { bytes: Buffer.from(text, 'utf8'), controlId: `ORD-${number}` };
  await timeMllp({ port, secs: 0.001, perSecond: 1000, messageOf: () => message, expected: 'AA' });
}

async function openDestination(gateway, { organizationId }, port) {
  await gateway.admin('POST', '/hl7/destinations', {
    organizationId,
    environment: 'test',
    name: 'bench',
    settings: { host: '127.0.0.1', port, receivingApplication: 'EHR', receivingFacility: 'HOSP' },
  });
}

async function askFhir(gateway, { authorization }) {
  const answer = await fetch(`${gateway.baseUrl}/fhir/Patient`, { headers: { authorization } });
  if (answer.status !== 200) throw new Error(`/fhir/Patient: ${answer.status} ${await answer.text()}`);
}
