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
      resources: [{ reference: 'Media/m1', name: null }],
      patient: { reference: 'Patient/p1', name: null },
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
    expect(resourceInWords({ reference: 'Media/m1', name: null })).toBe('photo m1');
    expect(resourceInWords({ reference: 'DiagnosticReport/d1/_history/2', name: null })).toBe('report d1');
  });

  it('has names where the answer has them, of keys and of what they were used on', () => {
    const told = toldOf({
      ...event,
      agent: [{ requestor: true, who: { identifier: { value: '0199' }, display: 'sk_live_abcd…wxyz' } }],
      entity: [
        { what: { reference: 'Patient/p1', display: 'MRN-1002' } },
        { what: { reference: 'Endpoint/e1', display: 'Ward EHR' } },
      ],
    });
    expect(told).toMatchObject({ who: 'sk_live_abcd…wxyz', patient: { reference: 'Patient/p1', name: 'MRN-1002' } });
    expect(told.resources.map(resourceInWords)).toEqual(['endpoint Ward EHR']);
  });
});
