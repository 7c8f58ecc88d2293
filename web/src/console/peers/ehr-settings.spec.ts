import { EHR_EXAMPLE } from '../../../../src/doors/admin/ehrs/ehrs.views.js';
import { changedEhr, EHR_KINDS, statedOfEhr, usesInWords } from './ehr-settings.js';

describe('the settings of an EHR', () => {
  const before = statedOfEhr(EHR_EXAMPLE);

  it('are shown without a secret, and without what only says that there is one', () => {
    expect(JSON.stringify(before)).not.toMatch(/hasToken|hasClientSecret|createdAt|deliveries/);
  });

  it('are sent by what changed, within a part too', () => {
    const push = { ...before.push, when: 'reviewed' };
    expect(changedEhr(before, { ...before, push })).toEqual({ push: { when: 'reviewed' } });
    expect(changedEhr(before, { ...before, cds: null, name: 'South' })).toEqual({ cds: null, name: 'South' });
    expect(changedEhr({ ...before, cds: null }, before)).toEqual({ cds: before.cds });
    expect(changedEhr(before, { ...before, origins: [] })).toEqual({ origins: [] });
    expect(changedEhr(before, before)).toEqual({});
  });

  it('take back to its default what is taken out of a part', () => {
    const { scopes: _, ...push } = { ...before.push, scopes: ['system/*.rs'] };
    expect(changedEhr({ ...before, push: { ...push, scopes: ['system/*.rs'] } }, { ...before, push })).toEqual({
      push: { scopes: null },
    });
  });

  it('say in words what an EHR is set up for', () => {
    expect(usesInWords(EHR_EXAMPLE)).toBe(
      'opens the desk (people may review), takes results (us-core-note, final), asks for cards',
    );
    const { push, cds } = EHR_EXAMPLE;
    expect(usesInWords({ launch: null, push: { ...push!, enabled: false }, cds: { ...cds!, enabled: false } })).toBe(
      'nothing yet',
    );
  });

  it('begin for each kind of EHR with a dialect of its own', () => {
    const dialects = EHR_KINDS.map(({ settings }) => settings.push.dialect);
    expect(new Set(dialects).size).toBe(EHR_KINDS.length);
  });
});
