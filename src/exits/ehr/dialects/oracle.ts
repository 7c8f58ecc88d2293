import type { DocumentReference } from '@medplum/fhirtypes';
import { concept } from './concepts.js';
import {
  filedValue,
  isWithdrawn,
  standingOf,
  withdrawAll,
  type Dialect,
  type Filing,
  type FilingFacts,
} from './filing.js';
import { measuredOf } from './figures.js';
import { byContent, byFigure } from './looks.js';
import { fileMeasure, measureOf, partOf } from './measure-observation.js';
import { toDocument } from './note-document.js';
import { encounterFaults, refused, unitFaults } from './settings-faults.js';

/** LOINC 34109-9, "Note", which Millennium maps by the site. */
const NOTE = concept('http://loinc.org', '34109-9', 'Note');

/**
 * Oracle Health Millennium: one document in the encounter, written by a provider whom it knows; a correction changes it in place. It is not searched
 * by our identifier.
 */
export const ORACLE: Dialect = {
  partsOf: (report, { send }) => [
    ...(send.includes('pdf') ? (['document'] as const) : []),
    ...(send.includes('observations') ? measuredOf(report).map(partOf) : []),
  ],
  filingOf: (part, facts) => {
    const measure = measureOf(part);
    if (measure === null) return fileDocument(facts);
    return fileMeasure(part, measure, facts, {
      withLoinc: true,
      look: (observation) => byFigure(facts, observation, filedValue(facts.report, part)),
    });
  },
  faultsOf: (settings) => [
    ...refused(
      settings,
      'diagnostic-report',
      'Millennium changes no DiagnosticReport, so that a correction could not be filed: leave "diagnostic-report" out of "send".',
    ),
    ...(settings.when === 'reviewed'
      ? []
      : ['Millennium takes a document of a provider whom it knows: set "when" to "reviewed", so that there is one.']),
    ...encounterFaults(settings, 'Millennium takes a document in an encounter alone'),
    ...unitFaults(settings),
  ],
  needsOf: ({ send }) => [
    { type: 'Patient', interaction: 'search-type' },
    { type: 'Encounter', interaction: 'search-type' },
    { type: 'Practitioner', interaction: 'search-type' },
    ...(['create', 'update', 'search-type'] as const).flatMap((interaction) => [
      ...(send.includes('pdf') ? [{ type: 'DocumentReference', interaction } as const] : []),
      ...(send.includes('observations') ? [{ type: 'Observation', interaction } as const] : []),
    ]),
  ],
  withdrawsBy: 'document',
  isBundled: false,
  form: 'pdf',
  language: 'en',
  namesAuthor: true,
};

function fileDocument(facts: FilingFacts): Filing {
  const { report, author } = facts;
  const part = 'document';
  const standing = standingOf(facts, part);
  const isGone = isWithdrawn(report);
  if (isGone && standing === null) return { kind: 'nothing' };
  const written = toDocument(facts, facts.document!, {
    type: NOTE,
    author: author === null ? {} : { author: [{ reference: author }] },
    withReviewer: false,
  });
  // With its bytes: Millennium takes no change without them, and answers them elsewhere.
  const document: DocumentReference = isGone ? { ...written, status: 'entered-in-error' } : written;
  const { data } = document.content[0]!.attachment;
  const bytes = Buffer.from(data!, 'base64');
  const value = filedValue(report, part);
  const look = byContent({ facts, document, value }, (other) => other.equals(bytes) || null);
  if (standing !== null) {
    // What is taken back is so with whom and what it names, who need not be found any more.
    const keeps = isGone ? (['author', 'context', 'contained'] as const) : [];
    const update = { kind: 'update', part, resource: document, of: standing, look, keeps } as const;
    // Documents before it are of another dialect of the registration.
    const others = isGone ? withdrawAll(facts, part).filter(({ of }) => of.id !== standing.id) : [];
    return { kind: 'each', writes: [update, ...others] };
  }
  return { kind: 'one', write: { kind: 'create', part, resource: document, look } };
}
