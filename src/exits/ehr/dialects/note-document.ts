import type { CodeableConcept, DocumentReference, Reference } from '@medplum/fhirtypes';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { FILED_SYSTEM, filedValue, type DocumentBytes, type FilingFacts } from './filing.js';

/** What documents of one dialect have that others have not. */
export interface DocumentRules {
  readonly type: CodeableConcept;
  readonly category?: readonly CodeableConcept[];
  readonly author: Pick<DocumentReference, 'author' | 'contained'>;
  /** The person who decided, as `authenticator`. */
  readonly withReviewer: boolean;
}

/** The software as the author of a document, within it: no server knows a Device of ours. */
export const SOFTWARE_AUTHOR: Pick<DocumentReference, 'author' | 'contained'> = {
  contained: [{ resourceType: 'Device', id: 'author', deviceName: [{ name: 'Sutura', type: 'manufacturer-name' }] }],
  author: [{ reference: '#author', display: 'Sutura' }],
};

/** The document of a version as a DocumentReference with its bytes inside, in the encounter. */
export function toDocument(facts: FilingFacts, document: DocumentBytes, rules: DocumentRules): DocumentReference {
  const { report, patient, encounter } = facts;
  const { type, category, author, withReviewer } = rules;
  return {
    resourceType: 'DocumentReference',
    ...author,
    identifier: [{ system: FILED_SYSTEM, value: filedValue(report, 'document') }],
    status: 'current',
    docStatus: docStatusOf(report),
    type,
    ...(category === undefined ? {} : { category: [...category] }),
    subject: { reference: patient },
    date: report.issuedAt.toISOString(),
    ...(withReviewer ? reviewerOf(report) : {}),
    description: document.title,
    content: [{ attachment: attachmentOf(report, document) }],
    context: {
      ...(encounter === null ? {} : { encounter: [{ reference: encounter }] }),
      period: { start: report.content.capturedAt, end: report.content.capturedAt },
    },
  } as DocumentReference;
}

/** `document` takes the place of that one. */
export function replacing(document: DocumentReference, id: string): DocumentReference {
  return { ...document, relatesTo: [{ code: 'replaces', target: { reference: `DocumentReference/${id}` } }] };
}

export function attachmentOf({ issuedAt }: ClinicalReport, { contentType, language, bytes, title }: DocumentBytes) {
  return {
    contentType: contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType,
    language,
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    title,
    creation: issuedAt.toISOString(),
  };
}

function docStatusOf({ status }: ClinicalReport): DocumentReference['docStatus'] {
  switch (status) {
    case 'preliminary':
    case 'final':
    case 'entered-in-error':
      return status;
    case 'amended':
    case 'corrected':
      return 'amended';
  }
}

/** The person whose decision stands, as their own system knows them. */
function reviewerOf({ content: { review } }: ClinicalReport): { readonly authenticator?: Reference } {
  if (review === null || (review.decision !== 'accept' && review.decision !== 'correct')) return {};
  const { id, name, system } = review.reviewer;
  return { authenticator: { identifier: { ...(system === undefined ? {} : { system }), value: id }, display: name } };
}
