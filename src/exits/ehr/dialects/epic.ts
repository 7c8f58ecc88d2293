import type { DocumentReference } from '@medplum/fhirtypes';
import {
  filedValue,
  isWithdrawn,
  type Dialect,
  type DocumentBytes,
  type FiledResource,
  type Filing,
  type FilingFacts,
} from './filing.js';
import { measuredOf } from './figures.js';
import { byContent, byFigure } from './looks.js';
import { fileMeasure, measureOf, partOf } from './measure-observation.js';
import { toDocument } from './note-document.js';
import { encounterFaults, refused, unitFaults } from './settings-faults.js';
import { PROGRESS_NOTE } from './us-core-note.js';

/**
 * Epic: a text note in the encounter, and Observations for the flowsheet rows that the site has mapped. Its notes are not changed from outside, so
 * that a correction and a withdrawal are further notes that name the first.
 */
export const EPIC: Dialect = {
  partsOf: (report, { send, codes }) => [
    ...(send.includes('pdf') ? (['document'] as const) : []),
    ...(send.includes('observations')
      ? measuredOf(report)
          .filter((measure) => codes?.[measure] !== undefined)
          .map(partOf)
      : []),
  ],
  filingOf: (part, facts) => {
    const measure = measureOf(part);
    if (measure === null) return fileNote(facts);
    return fileMeasure(part, measure, facts, {
      withLoinc: false,
      look: (observation) => byFigure(facts, observation, filedValue(facts.report, part)),
    });
  },
  faultsOf: (settings) => [
    ...refused(
      settings,
      'diagnostic-report',
      'Epic creates no DiagnosticReport: leave "diagnostic-report" out of "send".',
    ),
    ...(settings.send.includes('observations') && Object.keys(settings.codes ?? {}).length === 0
      ? [
          'Epic takes Observations for flowsheet rows alone that the site has mapped: give "codes", or leave "observations" out of "send".',
        ]
      : []),
    ...encounterFaults(settings, 'Epic files a note in an encounter alone'),
    ...unitFaults(settings),
  ],
  needsOf: ({ send }) => [
    { type: 'Patient', interaction: 'search-type' },
    { type: 'Encounter', interaction: 'search-type' },
    ...(['create', 'search-type'] as const).flatMap((interaction) => [
      ...(send.includes('pdf') ? [{ type: 'DocumentReference', interaction } as const] : []),
      ...(send.includes('observations') ? [{ type: 'Observation', interaction } as const] : []),
    ]),
    ...(send.includes('observations') ? [{ type: 'Observation', interaction: 'update' } as const] : []),
  ],
  withdrawsBy: 'document',
  isBundled: false,
  form: 'text',
  language: 'en',
  namesAuthor: false,
};

function fileNote(facts: FilingFacts): Filing {
  const { report, before, document } = facts;
  const notes = before.filter(({ part }) => part === 'document').sort((a, b) => a.version - b.version);
  const first = notes[0];
  if (isWithdrawn(report) && first === undefined) return { kind: 'nothing' };
  const value = filedValue(report, 'document');
  const resource = toDocument(facts, noteOf(facts, document!, { first, value }), {
    type: PROGRESS_NOTE,
    author: {},
    withReviewer: false,
  });
  const look = byContent({ facts, document: resource, value }, (bytes) => hasLine(bytes, referenceLine(value)));
  return { kind: 'one', write: { kind: 'create', part: 'document', resource: shortened(resource), look } };
}

/** The text of the report between what it is to the first note, and a line that no other note has. */
function noteOf(
  { report, versions }: FilingFacts,
  document: DocumentBytes,
  { first, value }: { readonly first: FiledResource | undefined; readonly value: string },
): DocumentBytes {
  const head = first === undefined ? '' : `${relationTo(first, versions, isWithdrawn(report))}\n\n`;
  const text = Buffer.from(document.bytes.buffer, document.bytes.byteOffset, document.bytes.byteLength);
  const bytes = Buffer.concat([Buffer.from(head), text, Buffer.from(`\n${referenceLine(value)}\n`)]);
  return { ...document, contentType: 'text/plain', bytes };
}

function relationTo(first: FiledResource, versions: FilingFacts['versions'], isGone: boolean): string {
  const issued = versions.find(({ version }) => version === first.version)?.issuedAt.toISOString() ?? 'an earlier day';
  const named = `the note DocumentReference/${first.id} of ${issued}`;
  return isGone
    ? `WITHDRAWN: ${named}, and every correction of it, was entered in error. Do not use its figures.`
    : `CORRECTION: this note takes the place of ${named}.`;
}

/** Whether a text has this line: that of version 1 begins the one of version 10. */
function hasLine(bytes: Buffer, line: string): boolean {
  const [, ...after] = bytes.toString('utf8').split(line);
  return after.some((rest) => !/^\d/.test(rest));
}

function referenceLine(value: string): string {
  return `Sutura report: ${value}`;
}

/** Of its texts, a note keeps the attachment alone; its media type has no parameters. */
function shortened({ contained: _, description: __, ...note }: DocumentReference): DocumentReference {
  const [content] = note.content;
  return { ...note, content: [{ attachment: { ...content!.attachment, contentType: 'text/plain' } }] };
}
