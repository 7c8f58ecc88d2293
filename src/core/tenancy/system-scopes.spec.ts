import { nativeScopesOf } from './native-scopes.js';
import { isAllowed, narrowed, readSystemScope, textOf, type SystemScope } from './system-scopes.js';

const read = (text: string): SystemScope => readSystemScope(text)!;
const granted = (asked: string, ...held: string[]) => narrowed(read(asked), held.map(read)).map(textOf);

describe('a scope is none of this service', () => {
  it.each([
    'patient/*.rs',
    'user/Media.c',
    'system/Media',
    'system/Media.',
    'system/Media.sr',
    'system/Media.rr',
    'system/Media.rs?patient=1',
    'system/media.rs',
    'system/*.readwrite',
    'openid',
    'launch',
    '',
  ])('%s', (text) => expect(readSystemScope(text)).toBeNull());
});

it.each([
  ['system/Media.c', 'system/Media.c'],
  ['system/*.cruds', 'system/*.cruds'],
  ['system/Media.d', 'system/Media.d'],
  ['system/DiagnosticReport.read', 'system/DiagnosticReport.rs'],
  ['system/Patient.write', 'system/Patient.cud'],
  ['system/*.*', 'system/*.cruds'],
])('%s means %s', (text, meant) => expect(textOf(read(text))).toBe(meant));

describe('of what is asked for', () => {
  it('a client gets nothing beyond its registration', () => {
    expect(granted('system/*.crus', 'system/Media.c')).toEqual(['system/Media.c']);
    expect(granted('system/Media.rs', 'system/Media.c')).toEqual([]);
    expect(granted('system/Patient.rs', 'system/Media.rs')).toEqual([]);
  });

  it('a type is covered by a registration for all types', () => {
    expect(granted('system/Media.cr', 'system/*.rs', 'system/Media.c')).toEqual(['system/Media.cr']);
  });

  it('the audit trail is covered by no registration for all types, and by one of its own alone', () => {
    expect(granted('system/AuditEvent.rs', 'system/*.crus')).toEqual([]);
    expect(granted('system/*.rs', 'system/*.crus')).toEqual(['system/*.rs']);
    expect(isAllowed([read('system/*.crus')], 'AuditEvent', 's')).toBe(false);
    expect(granted('system/AuditEvent.read', 'system/*.rs', 'system/AuditEvent.rs')).toEqual(['system/AuditEvent.rs']);
    expect(granted('system/*.read', 'system/*.rs', 'system/AuditEvent.r')).toEqual([
      'system/*.rs',
      'system/AuditEvent.r',
    ]);
  });

  it('all types are narrowed to those that are registered, each with its own rights', () => {
    expect(granted('system/*.read', 'system/Media.crs', 'system/Task.c', 'system/Patient.r')).toEqual([
      'system/Media.rs',
      'system/Patient.r',
    ]);
  });
});

it('a right on a type says nothing of other rights and other types', () => {
  const scopes = [read('system/Media.c')];
  expect([isAllowed(scopes, 'Media', 'c'), isAllowed(scopes, 'Media', 'r'), isAllowed(scopes, 'Patient', 'c')]).toEqual(
    [true, false, false],
  );
});

describe('on the native door', () => {
  it('a part of what a native scope shows is not that scope', () => {
    expect(nativeScopesOf([read('system/Media.c'), read('system/DiagnosticReport.rs')])).toEqual([]);
    expect(nativeScopesOf([read('system/*.r')])).toEqual([]);
  });

  it.each([
    ['system/*.rs', ['analysis:read']],
    ['system/*.c', ['images:write', 'analysis:write']],
    ['system/*.crus', ['images:write', 'analysis:write', 'analysis:read', 'analysis:review']],
  ])('%s is %j', (text, native) => expect(nativeScopesOf([read(text)])).toEqual(native));

  it('photos can be sent with the rights to make patients, wounds and photos', () => {
    const scopes = ['system/Media.c', 'system/Patient.c', 'system/BodyStructure.c'].map(read);
    expect(nativeScopesOf(scopes)).toEqual(['images:write']);
  });
});
