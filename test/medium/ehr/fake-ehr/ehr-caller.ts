import type { Fields, Resource } from '../../../support/fake-ehr/index.js';

const FHIR_JSON = 'application/fhir+json';

/** An answer with what tests look at. */
export interface EhrAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Fields;
  /** Codes of the issues of an OperationOutcome: FHIR's own, and those of the EHR. */
  readonly codes: readonly string[];
}

interface Wish {
  readonly token?: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Calls an EHR as a careful client does, but for what a test wishes otherwise; a header that is undefined is left out. */
export async function callEhr(
  method: string,
  url: string,
  { token, json, headers = {} }: Wish = {},
): Promise<EhrAnswer> {
  const all = {
    accept: FHIR_JSON,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(json === undefined ? {} : { 'content-type': FHIR_JSON }),
    ...headers,
  };
  const stated = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const answer = await fetch(url, {
    method,
    headers: Object.fromEntries(stated),
    redirect: 'manual',
    ...(json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) }),
  });
  const text = await answer.text();
  const body = text === '' ? {} : toFields(text);
  return { status: answer.status, headers: answer.headers, body, codes: codesOf(body) };
}

function toFields(text: string): Fields {
  try {
    return JSON.parse(text) as Fields;
  } catch {
    return { text };
  }
}

function codesOf(body: Fields): readonly string[] {
  const issues = (body['issue'] ?? []) as readonly { code: string; details?: { coding?: { code: string }[] } }[];
  return issues.flatMap(({ code, details }) => [code, ...(details?.coding ?? []).map((one) => one.code)]);
}

/** A text as an attachment has it. */
export function inBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** People and a visit of an EHR. */
export interface Ward {
  readonly patientId: string;
  readonly encounterId: string;
  readonly practitionerId: string;
}

/** A document that every dialect but ISiK takes; `changes` replace elements, undefined leaves them out. */
export function noteFor({ patientId, encounterId, practitionerId }: Ward, changes: Fields = {}): Resource {
  const right = {
    resourceType: 'DocumentReference',
    identifier: [{ system: 'urn:example:report', value: 'report-1' }],
    status: 'current',
    type: { coding: [{ system: 'http://loinc.org', code: '11506-3' }] },
    category: [
      {
        coding: [
          {
            system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category',
            code: 'clinical-note',
          },
        ],
      },
    ],
    subject: { reference: `Patient/${patientId}` },
    date: '2026-03-01T10:00:00Z',
    author: [{ reference: `Practitioner/${practitionerId}` }],
    content: [{ attachment: { contentType: 'text/plain', data: inBase64('Area 12 cm²') } }],
    context: {
      encounter: [{ reference: `Encounter/${encounterId}` }],
      period: { start: '2026-03-01T09:58:00Z', end: '2026-03-01T10:00:00Z' },
    },
  };
  return without({ ...right, ...changes }) as Resource;
}

/** The same document as ISiK takes it. */
export function isikDocumentFor(ward: Ward, changes: Fields = {}): Resource {
  return noteFor(ward, {
    identifier: undefined,
    masterIdentifier: { system: 'urn:ietf:rfc:3986', value: 'urn:oid:2.25.4711' },
    type: {
      coding: [{ system: 'http://dvmd.de/fhir/CodeSystem/kdl', code: 'VL230101', display: 'Wunddokumentation' }],
    },
    category: undefined,
    author: undefined,
    securityLabel: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality', code: 'N' }] }],
    content: [
      {
        attachment: {
          contentType: 'text/plain',
          language: 'de',
          creation: '2026-03-01T10:00:00Z',
          data: inBase64('Fläche 12 cm²'),
        },
        format: {
          system: 'http://ihe.net/fhir/ihe.formatcode.fhir/CodeSystem/formatcode',
          code: 'urn:ihe:iti:xds:2017:mimeTypeSufficient',
        },
      },
    ],
    context: {
      encounter: [{ reference: `Encounter/${ward.encounterId}` }],
      facilityType: {
        coding: [{ system: 'http://ihe-d.de/CodeSystems/PatientBezogenenGesundheitsversorgung', code: 'KHS' }],
      },
      practiceSetting: { coding: [{ system: 'http://ihe-d.de/CodeSystems/AerztlicheFachrichtungen', code: 'CHIR' }] },
    },
    ...changes,
  });
}

/** A measured area. */
export function areaFor({ patientId, encounterId }: Ward, changes: Fields = {}): Resource {
  const right = {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '89260-4' }] },
    subject: { reference: `Patient/${patientId}` },
    encounter: { reference: `Encounter/${encounterId}` },
    effectiveDateTime: '2026-03-01T10:00:00Z',
    valueQuantity: { value: 12, unit: 'cm2', system: 'http://unitsofmeasure.org', code: 'cm2' },
  };
  return without({ ...right, ...changes }) as Resource;
}

function without(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
