import { resourceInWords, toldOf } from './audit-words.js';

const event = {
  id: 'audit-1',
  recorded: '2026-01-05T08:30:00Z',
  outcome: '0' as const,
  subtype: [{ code: 'operation', display: '$trace' }],
  agent: [{ requestor: true, who: { identifier: { value: 'user:ada' } }, network: { address: '192.0.2.1' } }],
  entity: [
    { what: { reference: 'Patient/p1' } },
    { what: { reference: 'Media/m1' } },
    { query: Buffer.from('as=größe').toString('base64') },
  ],
};

describe('an entry of the audit trail', () => {
  it('is told in words, also where it is refused or says little', () => {
    expect(toldOf({ ...event, outcome: '4', outcomeDesc: 'auth.role, 3 times' }).refusal).toBe(
      'the person lacks the role, 3 times',
    );
    expect(toldOf({ id: '', recorded: '' })).toMatchObject({ who: 'somebody without a known key', what: '' });
    expect(toldOf({ ...event, entity: [{ query: '%' }] }).query).toBe('');
  });

  it('says who did what, whose it was, and how it was asked', () => {
    expect(toldOf(event)).toEqual({
      who: 'ada',
      from: '192.0.2.1',
      what: 'looked at the timeline of',
      resources: ['Media/m1'],
      patient: 'p1',
      query: 'as=größe',
      refusal: null,
    });
  });

  it('names the person before the key that they used', () => {
    const person = {
      requestor: true,
      type: { coding: [{ code: 'humanuser' }] },
      who: { identifier: { value: 'HCP-1' } },
    };
    expect(
      toldOf({ ...event, agent: [person, { requestor: false, who: { identifier: { value: 'key-1' } } }] }).who,
    ).toBe('HCP-1, by key-1');
  });

  it('calls things as the other pages do', () => {
    expect(resourceInWords('Media/m1')).toBe('photo m1');
    expect(resourceInWords('DiagnosticReport/d1/_history/2')).toBe('report d1');
  });
});
