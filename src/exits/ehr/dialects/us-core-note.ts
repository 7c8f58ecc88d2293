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
import { fileMeasure, measureOf, partOf } from './measure-observation.js';
import { measuredOf } from './figures.js';
import { replacing, SOFTWARE_AUTHOR, toDocument } from './note-document.js';
import { refused, unitFaults } from './settings-faults.js';

/** LOINC 11506-3, as US Core's guide for notes has it. */
export const PROGRESS_NOTE = concept('http://loinc.org', '11506-3', 'Progress note');
const CLINICAL_NOTE = concept(
  'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category',
  'clinical-note',
  'Clinical Note',
);
const RULES = { type: PROGRESS_NOTE, category: [CLINICAL_NOTE], author: SOFTWARE_AUTHOR, withReviewer: true };

/** US Core, "Writing Clinical Notes": a correction is a new note that replaces the one before, a withdrawal marks that one. */
export const US_CORE_NOTE: Dialect = {
  partsOf: (report, { send }) => [
    ...(send.includes('pdf') ? (['document'] as const) : []),
    ...(send.includes('observations') ? measuredOf(report).map(partOf) : []),
  ],
  filingOf: (part, facts) => {
    const measure = measureOf(part);
    if (measure === null) return fileNote(part, facts);
    return fileMeasure(part, measure, facts, {
      withLoinc: true,
      look: () => byIdentifier(facts, 'Observation', filedValue(facts.report, part)),
    });
  },
  faultsOf: (settings) => [
    ...refused(
      settings,
      'diagnostic-report',
      'The guide for notes has no reports: leave "diagnostic-report" out of "send".',
    ),
    ...unitFaults(settings),
  ],
  needsOf: ({ send, encounterRule }) => [
    { type: 'Patient', interaction: 'search-type' },
    ...(encounterRule === 'none' ? [] : [{ type: 'Encounter', interaction: 'search-type' } as const]),
    ...(['create', 'update', 'search-type'] as const).flatMap((interaction) => [
      ...(send.includes('pdf') ? [{ type: 'DocumentReference', interaction } as const] : []),
      ...(send.includes('observations') ? [{ type: 'Observation', interaction } as const] : []),
    ]),
  ],
  withdrawsBy: 'status',
  isBundled: false,
  form: 'pdf',
  language: 'en',
  namesAuthor: false,
};

/** A document that replaces the one before. A withdrawal marks that one and those before it: who replaced which is not marked everywhere. */
function fileNote(part: FiledPart, facts: FilingFacts): Filing {
  const { report } = facts;
  if (isWithdrawn(report)) {
    const writes = withdrawAll(facts, part);
    return writes.length === 0 ? { kind: 'nothing' } : { kind: 'each', writes };
  }
  const standing = replacedDocument(facts);
  const document = toDocument(facts, facts.document!, RULES);
  const resource = standing === null ? document : replacing(document, standing.id);
  const look = byIdentifier(facts, 'DocumentReference', filedValue(report, part));
  return { kind: 'one', write: { kind: 'create', part, resource, look } };
}
