import { changedSettings, readSettings } from './changed-settings.js';

describe('settings as a person edits them', () => {
  it('are no text, list or half an object, which is said in words', () => {
    expect(readSettings('{"port": }')).toContain('no JSON');
    expect(readSettings('[1]')).toContain('object');
    expect(readSettings('null')).toContain('object');
  });

  it('give what changed alone, and null for what was taken out', () => {
    const before = { host: 'a', port: 1, tls: { ca: 'x' }, routes: ['r'] };
    expect(changedSettings(before, { host: 'a', port: 2, tls: { ca: 'x' } })).toEqual({ port: 2, routes: null });
    expect(changedSettings(before, before)).toEqual({});
    expect(changedSettings(before, { ...before, tls: { ca: 'y' } })).toEqual({ tls: { ca: 'y' } });
  });
});
