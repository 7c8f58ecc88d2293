import type { Patient, ServiceRequest } from '@medplum/fhirtypes';
import { applicationCodeOf } from '../../src/doors/hl7v2/ack/acknowledgment-code.js';
import { buildAcknowledgment } from '../../src/doors/hl7v2/ack/acknowledgment.js';
import { encodeText } from '../../src/standards/hl7v2/er7/character-set.js';
import { decodeMessage } from '../../src/standards/hl7v2/er7/decode-message.js';
import { receiptProblems } from '../../src/doors/hl7v2/mapping/header-check.js';
import { InboundMapper } from '../../src/doors/hl7v2/mapping/inbound-mapper.js';
import type { InboundPlan } from '../../src/doors/hl7v2/mapping/plan/inbound-plan.js';
import type { Hl7Problem } from '../../src/standards/hl7v2/problems/hl7-problem.js';
import { hl7Sample, hl7SampleNames, hl7SourceOf, KnownRecords } from './hl7-inbound.js';
import { Dice } from './mutations.js';
import { eachSeed } from './rounds.js';

const PIECES = [
  '|',
  '^',
  '~',
  '&',
  '\\',
  '\r',
  '\n',
  '""',
  '\\X0D\\',
  '\\Xzz\\',
  '\\.br\\',
  '\\H\\',
  '\\E',
  '\0',
  '\x0b',
  '\x1c',
  'MSH|',
  '\rPID|',
  '\rOBX|1|ED|',
  '\rORC|NW|',
  '\rOBR|1|',
  '\rMRG|1',
  '\rPR1|1||36777000^^SCT||20260303',
  '9'.repeat(400),
  '|'.repeat(300),
  '~'.repeat(50),
  '^'.repeat(50),
  '__proto__',
  'constructor',
  'toString',
  '-1',
  '1e999',
  '20261332',
  '0',
  'é',
  '\u{1F600}',
  '\ud800',
  '99SUT',
  'LN',
  'ISO',
  'NaN',
];
const VALUES = [
  '',
  '""',
  'X',
  'ED',
  'RP',
  'NM',
  'SN',
  'TX',
  'CWE',
  'F',
  'D',
  'NW',
  'CA',
  'XO',
  'RL',
  'ADT^A40',
  'MDM^T10',
  'MDM^T11',
  'ORU^R01',
  'ORM^O01',
  '2.3',
  '2.9',
  '2.8.2',
  'UNICODE UTF-8',
  '8859/15',
  'UNICODE',
  'ORD-55012^EHR^1.2.3.4.5.7^ISO',
  'MRN-778812^^^HOSP&1.2.3.4.5.6&ISO^MR',
  'wound-id^^99X',
  'pixel-spacing^^99X',
  '39127-6^^LN',
  'https://a:b@c/',
  'https://photos.ehr.example/1.jpg',
  'toString^constructor^__proto__',
];

/** An order that says what was done to its wound; no sample does. */
const WITH_PROCEDURE = Buffer.concat([
  hl7Sample('2.5.1/omg-o19-photo'),
  Buffer.from('PR1|1||36777000^Debridement^SCT|Sharp|20260303101500||||||31^Pflege||||||||P-1|A\rNTE|1||Done.\r'),
]);

const PATIENT: Patient = {
  resourceType: 'Patient',
  id: 'p1',
  meta: { versionId: '1' },
  identifier: [{ system: 'urn:oid:1.2.3.4.5.6', value: 'MRN-778812' }],
};
const ORDER: ServiceRequest = {
  resourceType: 'ServiceRequest',
  id: 's1',
  identifier: [{ system: 'urn:oid:1.2.3.4.5.7', value: 'ORD-55012' }],
  status: 'active',
  intent: 'order',
  subject: { reference: 'Patient/p1' },
};
const RECORDS = [new KnownRecords(), new KnownRecords([PATIENT, ORDER])];
const SOURCES = [
  hl7SourceOf(),
  hl7SourceOf({
    autoAnalyze: true,
    woundKey: 'required',
    woundNumberField: 'OBR-18',
    accessionField: 'OBR-19',
    unknownPatient: 'reject',
  }),
  hl7SourceOf({
    storeDemographics: false,
    lenientVersion: true,
    processingIds: ['P', 'T', 'D', ''],
    typedOrderResponse: true,
  }),
];

export interface FuzzCounts {
  undecodable: number;
  refused: number;
  planned: number;
}

/** Samples with 1 to 4 things about each changed, through the whole of reading and answering. Throws for the first that does not end in an answer. */
export async function fuzzMessages(seeds: readonly number[]): Promise<FuzzCounts> {
  const samples = [...hl7SampleNames().map((name) => hl7Sample(name)), WITH_PROCEDURE];
  const counts: FuzzCounts = { undecodable: 0, refused: 0, planned: 0 };
  await eachSeed('hl7-fuzz', seeds, async (seed) => {
    const dice = new Dice(seed);
    const bytes = mutated(dice.pick(samples), dice);
    counts[await answerOne(bytes, dice)] += 1;
  });
  return counts;
}

async function answerOne(bytes: Buffer, dice: Dice): Promise<keyof FuzzCounts> {
  const source = dice.pick(SOURCES);
  const decoded = decodeMessage(bytes, { characterSet: source.characterSet });
  if (decoded.kind === 'undecodable') {
    answer({ header: decoded.header, message: null }, [decoded.problem], decoded.outcome, []);
    return 'undecodable';
  }
  const atReceipt = receiptProblems(decoded.message, decoded.header, source);
  const plan =
    atReceipt.length > 0
      ? {
          bundle: null,
          places: [],
          joins: [],
          waitingOrders: [],
          newPhotos: [],
          newOrders: [],
          conflicts: [],
          problems: atReceipt,
          orders: [],
        }
      : await new InboundMapper().plan(decoded.message, decoded.header, source, dice.pick(RECORDS));
  check(plan);
  const code = applicationCodeOf(plan.problems);
  answer(decoded, plan.problems, code, plan.orders);
  return code === 'AA' ? 'planned' : 'refused';
}

/** What the other parts rely on. */
function check({ bundle, places, joins, problems, orders }: InboundPlan): void {
  const entries = bundle?.entry ?? [];
  const isRefused = problems.some(({ severity }) => severity === 'error');
  if (isRefused && (bundle !== null || joins.length > 0))
    throw new Error('A message that is refused changes something.');
  if (places.length !== entries.length) throw new Error('An entry has no place.');
  if (bundle !== null && entries.length === 0) throw new Error('A Bundle without entries.');
  if (orders.some(({ entry }) => entry !== null && entries[entry]?.resource?.resourceType !== 'ServiceRequest'))
    throw new Error('An order is none.');
  const addresses = entries
    .map(({ request }) => request)
    .filter((request) => request?.method === 'PUT')
    .map((request) => request!.url);
  if (new Set(addresses).size !== addresses.length) throw new Error('A resource is changed twice.');
  const criteria = entries.flatMap(({ request, resource }) =>
    request?.ifNoneExist === undefined ? [] : [`${resource?.resourceType}?${request.ifNoneExist}`],
  );
  if (new Set(criteria).size !== criteria.length) throw new Error('The same is created twice.');
  JSON.stringify(bundle);
}

function answer(
  request: Parameters<typeof buildAcknowledgment>[0],
  problems: readonly Hl7Problem[],
  code: 'AA' | 'AE' | 'AR',
  orders: InboundPlan['orders'],
): void {
  const answers = orders.map(({ action, received }) => ({ action, received, fillerId: null }));
  const text = buildAcknowledgment(request, {
    code,
    problems,
    controlId: 'SUTA-1',
    sentAt: new Date(0),
    timeZone: 'UTC',
    processingId: 'T',
    isEnhanced: false,
    orders: answers,
  });
  const segments = text.split('\r');
  if (!segments[0]!.startsWith('MSH|^~\\&|') || segments[1]!.slice(0, 6) !== `MSA|${code}`)
    throw new Error('The answer is not one.');
  const again = decodeMessage(encodeText(text, request.header?.characterSet ?? ''), { characterSet: null });
  if (
    again.kind === 'message' &&
    request.header !== null &&
    printable(again.message.segment('MSA')?.field(2).text ?? '') !== printable(request.header.controlId)
  )
    throw new Error('The answer names another message.');
}

/** What can be repeated of a control id in any character set. */
function printable(controlId: string): string {
  return controlId.replaceAll(/[^!->@-~]/g, '');
}

function mutated(sample: Buffer, dice: Dice): Buffer {
  let text = sample.toString('latin1');
  for (let count = 1 + dice.below(4); count > 0; count -= 1) text = mutateOnce(text, dice);
  return dice.below(4) === 0 ? Buffer.from(text, 'utf8') : Buffer.from(text, 'latin1');
}

function mutateOnce(text: string, dice: Dice): string {
  const at = dice.below(text.length + 1);
  const segments = text.split('\r');
  const segment = dice.below(segments.length);
  const fields = segments[segment]!.split('|');
  const field = dice.below(fields.length + 2);
  switch (dice.below(9)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return `${text.slice(0, at)}${dice.pick(PIECES)}${text.slice(at + dice.below(3))}`;
    case 2:
      return `${text.slice(0, at)}${String.fromCharCode(dice.below(256))}${text.slice(at + 1)}`;
    case 3:
      segments.splice(segment, 1);
      return segments.join('\r');
    case 4:
      segments.splice(dice.below(segments.length + 1), 0, segments[segment]!);
      return segments.join('\r');
    case 5:
      return text.replaceAll('|', dice.pick(['#', '^', 'A', ' ', '\\', '|']));
    default:
      // Sparse on purpose: positions in between become empty fields.
      fields[field] = dice.pick(dice.below(3) === 0 ? PIECES : VALUES);
      segments[segment] = Array.from(fields, (value) => value ?? '').join('|');
      return segments.join('\r');
  }
}
