import type { DocumentReference } from '@medplum/fhirtypes';
import { reportsOf } from '../../../../test/support/sample-report.js';
import type { EhrPush } from '../../../core/ehrs/ehr.js';
import { EPIC } from './epic.js';
import { writesOf, type FilingFacts, type Write } from './filing.js';

const SETTINGS: EhrPush = {
  enabled: true,
  dialect: 'epic',
  auth: 'none',
  token: null,
  clientId: null,
  scopes: null,
  send: ['pdf'],
  when: 'reviewed',
  encounterRule: 'period',
  codes: null,
};

function noteOf(version: number): Extract<Write, { kind: 'create' }> & { readonly resource: DocumentReference } {
  const [report] = reportsOf({ weeks: [12], report: { version } });
  const facts: FilingFacts = {
    report: report!,
    versions: [report!],
    patient: 'Patient/1',
    encounter: 'Encounter/2',
    author: null,
    document: { contentType: 'text/plain', bytes: Buffer.from('Area 12 cm2'), title: 'Wound report', language: 'en' },
    before: [],
    settings: SETTINGS,
    snomed: false,
    timeZone: 'UTC',
  };
  const [write] = writesOf(EPIC.filingOf('document', facts));
  if (write?.kind !== 'create' || write.resource.resourceType !== 'DocumentReference') throw new Error('no note');
  return { ...write, resource: write.resource };
}

const nameless = (note: DocumentReference): DocumentReference => ({ ...note, identifier: [] });
const bytesOf = (note: DocumentReference): Buffer => Buffer.from(note.content[0]!.attachment.data!, 'base64');

describe('a note whose identifier the EHR dropped', () => {
  const [first, tenth] = [noteOf(1), noteOf(10)];

  it('is told by its line, whatever stands around it', () => {
    const { look, resource } = first;
    const converted = Buffer.from(`<p>${bytesOf(resource).toString('utf8').trim()}</p>`);
    expect(look.isOurs(nameless(resource), bytesOf(resource))).toBe(true);
    expect(look.isOurs(nameless(resource), converted)).toBe(true);
  });

  it('of version 10 is not that of version 1, and the other way round', () => {
    expect(first.look.isOurs(nameless(tenth.resource), bytesOf(tenth.resource))).toBe(false);
    expect(tenth.look.isOurs(nameless(first.resource), bytesOf(first.resource))).toBe(false);
  });
});
