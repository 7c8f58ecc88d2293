import { foldText } from './folded-text.js';
import { dateInterval, localInterval } from '../../../../core/times/date-interval.js';
import { indexable, indexKey, qualifierOf } from './index-key.js';
import { canonicalUnit } from './unit.js';

const TENANT = { organizationId: '0199d0a1-0000-7000-8000-000000000001', environment: 'test' } as const;

describe('dates of searches and resources', () => {
  it.each([
    '',
    '0000',
    '2026-13',
    '2026-02-30',
    '2026-02-29',
    '26-01-01',
    '2026-01-01T24:00',
    '2026-01-01T10:60Z',
    '2026-01-01T10:00:00+15:00',
    '2026-1-1',
    'now',
    '2026-01-01T',
    '2026-01-01 10:00',
  ])('refuses %p', (text) => {
    expect(dateInterval(text)).toBeNull();
  });

  it.each([
    ['2026', '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2024-02', '2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['2026-03-01T10:12', '2026-03-01T10:12:00.000Z', '2026-03-01T10:13:00.000Z'],
    ['2026-03-01T10:12:00+01:00', '2026-03-01T09:12:00.000Z', '2026-03-01T09:12:01.000Z'],
    ['2026-03-01T10:12:00 01:00', '2026-03-01T09:12:00.000Z', '2026-03-01T09:12:01.000Z'],
    ['2026-03-01T10:12:41.5Z', '2026-03-01T10:12:41.500Z', '2026-03-01T10:12:41.600Z'],
    ['2026-03-01T10:12:41.512345-05:30', '2026-03-01T15:42:41.512Z', '2026-03-01T15:42:41.513Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z', '2017-01-01T00:00:00.000Z'],
    ['0099', '0099-01-01T00:00:00.000Z', '0100-01-01T00:00:00.000Z'],
  ])('takes %s as wide as it is exact', (text, low, high) => {
    const interval = dateInterval(text)!;
    expect([interval.low.toISOString(), interval.high.toISOString()]).toEqual([low, high]);
  });

  it.each([
    ['2026-11-10', '2026-11-09T23:00:00.000Z', '2026-11-10T23:00:00.000Z'],
    ['2026-03', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    ['2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['2026-11-10T00:30', '2026-11-09T23:30:00.000Z', '2026-11-09T23:31:00.000Z'],
    ['2026-11-10T00:30Z', '2026-11-10T00:30:00.000Z', '2026-11-10T00:31:00.000Z'],
    ['2026-11-10T00:30-05:00', '2026-11-10T05:30:00.000Z', '2026-11-10T05:31:00.000Z'],
  ])('takes %s by the clocks of Berlin where it states no offset', (text, low, high) => {
    const interval = localInterval(text, 'Europe/Berlin')!;
    expect([interval.low.toISOString(), interval.high.toISOString()]).toEqual([low, high]);
  });
});

describe('units', () => {
  it.each([
    ['12.4', 'cm2', 1240, 'mm2'],
    ['0.1', 'cm', 1, 'mm'],
    ['8.42e1', 'cm2', 8420, 'mm2'],
    ['3', 'mL', 3000, 'mm3'],
    ['38.0', '%', 38, '%'],
    ['112', 'um/{pixel}', 0.112, 'mm/{pixel}'],
    ['5', 'cm²', 500, 'mm2'],
    ['2', '{score}', 2, '{score}'],
    ['2', 'd', 172_800, 's'],
  ])('%s %s is %p %s', (value, code, canonical, unit) => {
    const found = canonicalUnit(code);
    expect(found.unit).toBe(unit);
    expect(found.toCanonical(value)).toBe(canonical);
  });

  it('compares rates over different times', () => {
    expect(canonicalUnit('cm2/wk').unit).toBe(canonicalUnit('mm2/d').unit);
    expect(canonicalUnit('cm2/wk').toCanonical('7')).toBeCloseTo(canonicalUnit('mm2/d').toCanonical('100'), 12);
  });
});

describe('texts', () => {
  it.each([
    ['  Müller\t Straße ', 'muller strasse'],
    ['ÅNGSTRÖM', 'angstrom'],
    ['Łódź', 'lodz'],
    ['İstanbul', 'istanbul'],
    ['中文', '中文'],
  ])('folds %p', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});

describe('keys of index rows', () => {
  it('differ by tenant, environment, element and value', () => {
    const keys = [
      indexKey(TENANT, 'Patient.gender', 'male'),
      indexKey({ ...TENANT, environment: 'live' }, 'Patient.gender', 'male'),
      indexKey({ ...TENANT, organizationId: '0199d0a1-0000-7000-8000-000000000002' }, 'Patient.gender', 'male'),
      indexKey(TENANT, 'Patient.gender', 'female'),
      indexKey(TENANT, 'Patient.active', 'male'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(indexKey(TENANT, 'Patient.gender', 'male')).toBe(keys[0]);
    expect(keys.every((key) => /^[0-9a-f]{32}$/.test(key))).toBe(true);
  });

  it('keep within what an index takes', () => {
    expect(Buffer.byteLength(indexable('é'.repeat(5000)))).toBeLessThan(100);
    expect(indexable('a\u0000b')).toBe('ab');
    expect(qualifierOf('')).toBe('0');
    expect(BigInt(qualifierOf('http://loinc.org'))).not.toBe(0n);
  });
});
