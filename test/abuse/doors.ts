import { expectStatus, send, type ApiClient } from '../support/api-client.js';
import type { Hl7Hospital } from '../support/hl7-hospital.js';
import type { Dice } from '../support/mutations.js';
import type { AbuseGround } from './abuse-ground.js';
import type { AnsweringReceiver } from './answering-receiver.js';
import { asSent, EXPANDING, fill, randomExpanding, type ExpandingInput, type Making } from './expanding-inputs.js';

const TIMEOUT_MS = 180_000;

/** Who attacks, and with what. Each round has an organization of its own, whose share of the time is its own too. */
export interface Attack {
  readonly ground: AbuseGround;
  readonly client: ApiClient;
  readonly hospital: Hl7Hospital;
  readonly receiver: AnsweringReceiver;
}

/** A status; or that the gateway closed the connection on a body that is too long while it was being sent, before the status could be read. */
type Outcome = number | 'acknowledged' | 'cut off';

/** A way in, and what grows on it. */
export interface Door {
  readonly inputs: Readonly<Record<string, Making>>;
  /** What the input was answered with. */
  readonly send: (attack: Attack, input: ExpandingInput, isPacked: boolean) => Promise<Outcome>;
}

const startingWith = (start: string): Readonly<Record<string, Making>> =>
  Object.fromEntries(Object.entries(EXPANDING).filter(([what]) => what.startsWith(start)));
const HL7 = startingWith('HL7');
const NATIVE = startingWith('native');
const FHIR = Object.fromEntries(Object.entries(EXPANDING).filter(([what]) => !(what in HL7) && !(what in NATIVE)));

const at =
  (path: string, type: string, body: (sizeBytes: number) => string | Buffer): Making =>
  (sizeBytes) => ({ path, type, bytes: Buffer.from(body(sizeBytes) as string) });
const json = (path: string, body: (sizeBytes: number) => string): Making => at(path, 'application/json', body);
const jobs = (body: (sizeBytes: number) => string): Making => json('/api/v1/analysis/jobs', body);
const organizations = (body: (sizeBytes: number) => string): Making => json('/admin/v1/organizations', body);
const session = (body: (sizeBytes: number) => string): Making => json('/admin/v1/session', body);
const token = (body: (sizeBytes: number) => string): Making =>
  at('/auth/token', 'application/x-www-form-urlencoded', body);
const photo = (start: string, unit: string): Making =>
  at('upload', 'image/jpeg', (sizeBytes) => Buffer.from(`${start}${fill(unit, sizeBytes)}`, 'latin1'));
const answer = (type: string, unit: string): Making => at('answer', type, (sizeBytes) => fill(unit, sizeBytes));

async function byHttp(
  { ground, client }: Attack,
  input: ExpandingInput,
  isPacked: boolean,
  key = client.key,
): Promise<Outcome> {
  const { headers, bytes } = asSent(input, isPacked);
  const url = `${ground.gateway.baseUrl}${input.path}`;
  try {
    return (await send(input.method, url, { key, headers, bytes, timeoutMs: TIMEOUT_MS })).status;
  } catch (fault) {
    if (!isCutOff(fault)) throw fault;
    return 'cut off';
  }
}

function isCutOff(fault: unknown): boolean {
  const { cause } = fault as { cause?: unknown };
  const { code } = (cause ?? {}) as { code?: string };
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'UND_ERR_SOCKET';
}

/** By MLLP nothing is packed. What is no message is not answered: the answer to the one behind it shows that it was worked on. */
async function byMllp({ hospital }: Attack, { bytes }: ExpandingInput): Promise<Outcome> {
  const sender = await hospital.connect();
  const id = `last-${(made += 1)}`;
  sender.send(bytes);
  sender.send(`MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260105083000||ZZZ^Z01|${id}|T|2.5.1\r`);
  let acknowledged = await sender.nextAnswer();
  if (acknowledged !== null && !acknowledged.includes(id)) acknowledged = await sender.nextAnswer();
  await sender.destroy();
  return acknowledged === null ? 'cut off' : 'acknowledged';
}

let made = 0;

/** A photo to its signed address, which takes nothing packed. */
async function byUpload({ client }: Attack, { bytes }: ExpandingInput): Promise<number> {
  const { uploadUrl, headers } = expectStatus(201, await client.requestUpload()).body;
  return (await client.putPhoto(uploadUrl as string, bytes, headers as Record<string, string>)).status;
}

/** What a receiver of webhooks answers. */
async function byAnswer({ client, receiver }: Attack, input: ExpandingInput, isPacked: boolean): Promise<number> {
  receiver.answerWith(asSent(input, isPacked));
  const url = receiver.url;
  const { id } = expectStatus(
    201,
    await client.request('POST', '/api/v1/webhooks', { json: { url, types: ['report.ready'] } }),
  ).body;
  const trial = await client.request('POST', `/api/v1/webhooks/${id as string}/test`, { timeoutMs: TIMEOUT_MS });
  expectStatus(204, await client.request('DELETE', `/api/v1/webhooks/${id as string}`));
  return trial.status;
}

export const DOORS: Readonly<Record<string, Door>> = {
  FHIR: {
    inputs: {
      ...FHIR,
      'Binary as bytes': at('/fhir/Binary', 'image/jpeg', (sizeBytes) => fill('\u00ff\u00d8', sizeBytes)),
      'a Bundle of photos': at(
        '/fhir',
        'application/fhir+json',
        (sizeBytes) =>
          `{"resourceType":"Bundle","type":"batch","entry":[${Array.from({ length: 8 }, () => `{"resource":{"resourceType":"Binary","contentType":"image/jpeg","data":"${fill('AAAA', sizeBytes / 8)}"},"request":{"method":"POST","url":"Binary"}}`).join(',')}]}`,
      ),
      'a Bundle of small entries': at(
        '/fhir',
        'application/fhir+json',
        (sizeBytes) =>
          `{"resourceType":"Bundle","type":"transaction","entry":[${Array.from({ length: Math.min(500, Math.ceil(sizeBytes / 8000)) }, () => `{"resource":{"resourceType":"Patient","name":[{"family":"${fill('a', 7000)}"}]},"request":{"method":"POST","url":"Patient"}}`).join(',')}]}`,
      ),
      'a list of numbers': at(
        '/fhir/Observation',
        'application/fhir+json',
        (sizeBytes) => `{"resourceType":"Observation","component":[${fill('1,', sizeBytes)}1]}`,
      ),
      'members of one object': at(
        '/fhir/Patient/$validate',
        'application/fhir+json',
        (sizeBytes) =>
          `{"resourceType":"Patient",${Array.from({ length: Math.min(9000, Math.ceil(sizeBytes / 2700)) }, (_, index) => `"k${index}":"${fill('v', 2600)}"`).join(',')}}`,
      ),
    },
    send: byHttp,
  },
  'HL7 over HTTP': { inputs: HL7, send: byHttp },
  'HL7 over MLLP': { inputs: HL7, send: byMllp },
  REST: {
    inputs: {
      ...NATIVE,
      'metadata of many names': jobs(
        (sizeBytes) =>
          `{"imageId":"x","metadata":{${Array.from({ length: Math.min(4000, Math.ceil(sizeBytes / 60)) }, (_, index) => `"k${index}":"${fill('v', 50)}"`).join(',')}}}`,
      ),
      'a long text': jobs((sizeBytes) => `{"imageId":"${fill('ä', sizeBytes)}"}`),
      'escape sequences': jobs((sizeBytes) => `{"imageId":"${fill('\\u00e4', sizeBytes)}"}`),
      'a long number': jobs((sizeBytes) => `{"imageId":${fill('9', sizeBytes)}}`),
    },
    send: byHttp,
  },
  'admin API': {
    inputs: {
      'a long name': organizations((sizeBytes) => `{"name":"${fill('ä', sizeBytes)}","plan":"free"}`),
      'unknown fields': organizations(
        (sizeBytes) =>
          `{${Array.from({ length: Math.min(4900, Math.ceil(sizeBytes / 12)) }, (_, index) => `"k${index}":0`).join(',')}}`,
      ),
      'lists in lists': organizations((sizeBytes) => fill('[', sizeBytes)),
      'a long password': session((sizeBytes) => `{"name":"nobody","password":"${fill('a', sizeBytes)}"}`),
      'a name of blanks': session((sizeBytes) => `{"name":"${fill(' ', sizeBytes)}","password":"a"}`),
    },
    send: (attack, input, isPacked) => byHttp(attack, input, isPacked, attack.ground.gateway.adminToken),
  },
  SMART: {
    inputs: {
      'a long assertion': token(
        (sizeBytes) => `grant_type=client_credentials&client_assertion=${fill('a.', sizeBytes)}`,
      ),
      'many scopes': token((sizeBytes) => `grant_type=client_credentials&scope=${fill('a+', sizeBytes)}`),
      'many parameters': token((sizeBytes) => fill('a=b&', sizeBytes)),
      'escaped characters': token((sizeBytes) => `scope=${fill('%25', sizeBytes)}`),
    },
    send: byHttp,
  },
  'signed addresses of photos': {
    inputs: {
      'a JPEG of segments': photo('\u00ff\u00d8', '\u00ff\u00e1\u0000\u0002'),
      'a JPEG without an end': photo('\u00ff\u00d8\u00ff\u00e0', '\u00ff'),
      'a PNG of chunks': photo('\u0089PNG\r\n\u001a\n', '\u0000\u0000\u0000\u0000tEXt\u0000\u0000\u0000\u0000'),
      'a WebP of nothing': photo('RIFF\u0000\u0000\u0000\u0000WEBPVP8X', '\u0000'),
    },
    send: byUpload,
  },
  'answers to webhooks': {
    inputs: {
      'a long text': answer('text/plain', 'word '),
      'JSON of lists': answer('application/json', '['),
      blanks: answer('text/html', ' '),
    },
    send: byAnswer,
  },
};

/** A random input of this door. */
export function randomOf(door: Door, dice: Dice, mostBytes: number): ExpandingInput {
  return randomExpanding(dice, mostBytes, door.inputs);
}
