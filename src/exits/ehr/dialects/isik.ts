import { createHash } from 'node:crypto';
import type { DocumentReference } from '@medplum/fhirtypes';
import { concept } from './concepts.js';
import {
  filedValue,
  isWithdrawn,
  replacedDocument,
  withdrawAll,
  type Dialect,
  type FiledPart,
  type Filing,
  type FilingFacts,
} from './filing.js';
import { byIdentifier } from './looks.js';
import { replacing, toDocument } from './note-document.js';
import { refused } from './settings-faults.js';

/** Wound documentation in the German list of clinical documents. */
const WOUND_DOCUMENTATION = concept('http://dvmd.de/fhir/CodeSystem/kdl', 'VL230101', 'Wunddokumentation');
const NORMAL = concept('http://terminology.hl7.org/CodeSystem/v3-Confidentiality', 'N', 'normal');
const HOSPITAL = concept('http://ihe-d.de/CodeSystems/PatientBezogenenGesundheitsversorgung', 'KHS', 'Krankenhaus');
const NURSING = concept('http://ihe-d.de/CodeSystems/AerztlicheFachrichtungen', 'ALLG', 'Allgemeinmedizin');

/**
 * ISiK documents, by IHE MHD's ITI-105: one DocumentReference with its bytes inside and literal references alone. A correction is a new document that
 * replaces the one before; so is a withdrawal, whose document says that the report was entered in error.
 */
export const ISIK: Dialect = {
  partsOf: (_report, { send }) => (send.includes('pdf') ? ['document'] : []),
  filingOf: (part, facts) => (part === 'document' ? fileDocument(facts) : takeBack(part, facts)),
  faultsOf: (settings) => [
    ...refused(settings, 'observations', 'ISiK documents have no Observations: leave "observations" out of "send".'),
    ...refused(
      settings,
      'diagnostic-report',
      'ISiK documents have no reports: leave "diagnostic-report" out of "send".',
    ),
  ],
  needsOf: ({ encounterRule }) => [
    { type: 'Patient', interaction: 'search-type' },
    ...(encounterRule === 'none' ? [] : [{ type: 'Encounter', interaction: 'search-type' } as const]),
    { type: 'DocumentReference', interaction: 'create' },
    { type: 'DocumentReference', interaction: 'search-type' },
  ],
  withdrawsBy: 'document',
  isBundled: false,
  form: 'pdf',
  language: 'de',
  namesAuthor: false,
};

/** Figures that another dialect of the registration has filed: nothing changes them any more, so that they go with the next version. */
function takeBack(part: FiledPart, facts: FilingFacts): Filing {
  const writes = withdrawAll(facts, part);
  return writes.length === 0 ? { kind: 'nothing' } : { kind: 'each', writes };
}

function fileDocument(facts: FilingFacts): Filing {
  const { report } = facts;
  const standing = replacedDocument(facts);
  if (isWithdrawn(report) && standing === null) return { kind: 'nothing' };
  const value = filedValue(report, 'document');
  const { docStatus: _, ...written } = toDocument(facts, facts.document!, {
    type: WOUND_DOCUMENTATION,
    author: { author: [{ display: 'Sutura' }] },
    withReviewer: false,
  });
  const document = {
    ...written,
    masterIdentifier: { system: 'urn:ietf:rfc:3986', value: `urn:oid:${oidOf(value)}` },
    securityLabel: [NORMAL],
    content: [
      {
        attachment: written.content[0]!.attachment,
        format: { system: 'http://ihe.net/fhir/ihe.formatcode.fhir/CodeSystem/formatcode', code: MIME_TYPE_SUFFICIENT },
      },
    ],
    context: { ...written.context, facilityType: HOSPITAL, practiceSetting: NURSING },
  } as DocumentReference;
  const resource = standing === null ? document : replacing(document, standing.id);
  const look = byIdentifier(facts, 'DocumentReference', value);
  return { kind: 'one', write: { kind: 'create', part: 'document', resource, look } };
}

const MIME_TYPE_SUFFICIENT = 'urn:ihe:iti:xds:2017:mimeTypeSufficient';

/** An OID below 2.25 (ITU-T X.667), the same at every try. */
function oidOf(value: string): string {
  const digest = createHash('sha256').update(value).digest('hex').slice(0, 32);
  return `2.25.${BigInt(`0x${digest}`).toString()}`;
}
