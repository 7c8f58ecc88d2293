import type { Organization } from '../organizations/organization.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import { isInForce, isOtherBirthDate, type ChartNumber } from './chart-identity.js';
import { ChartPatients } from './chart-patients.js';
import type { EhrPatient } from './ehr-patients.js';

const NOW = new Date('2026-03-15T12:00:00Z');
const TENANT = { organizationId: 'o-1', environment: 'test' } as const;
const TRANSACTION = { tenant: TENANT } as TenantTransaction;
const EHR = { ...TENANT, patientSystem: 'https://h.example/mrn' };
const inForce = (period: NonNullable<ChartNumber['period']>) => isInForce({ period }, NOW, 'UTC');

describe('a number of an EHR', () => {
  it('is nobody’s once its time is over, before it begins, and where it names no moment', () => {
    for (const end of ['2026-03-14', '2026-02', '2025', '2026-03-15T11:59:59Z', 'yesterday', ''])
      expect([end, inForce({ end })]).toEqual([end, false]);
    for (const start of ['2026-03-16', '2026-04', '2027', '2026-03-15T12:00:01Z', 'tomorrow'])
      expect([start, inForce({ start })]).toEqual([start, false]);
  });

  it('is the patient’s through the day, month or year that ends it', () => {
    for (const end of ['2026-03-15', '2026-03', '2026', '2026-03-15T12:00:01Z', '2026-03-15T14:00:00+01:00'])
      expect([end, inForce({ end })]).toEqual([end, true]);
    for (const start of ['2026-03-15', '2026-03', '2026', '2020-01-01T00:00:00Z'])
      expect([start, inForce({ start })]).toEqual([start, true]);
    expect(isInForce({}, NOW, 'UTC')).toBe(true);
  });

  it('is the patient’s by the days of the hospital’s clocks', () => {
    const [day, next] = ['2026-03-15', '2026-03-16'];
    const late = new Date('2026-03-15T23:30:00Z');
    expect(isInForce({ period: { end: day } }, late, 'Europe/Berlin')).toBe(false);
    expect(isInForce({ period: { start: next } }, late, 'Europe/Berlin')).toBe(true);
    const early = new Date('2026-03-16T05:30:00Z');
    expect(isInForce({ period: { end: day } }, early, 'America/Denver')).toBe(true);
    expect(isInForce({ period: { start: next } }, early, 'America/Denver')).toBe(false);
  });
});

describe('two birth dates', () => {
  it('are two people’s as far as both are precise, and not where either is one that nobody knows', () => {
    for (const stated of ['1951-07-15', '1952', '1951-08'])
      expect([stated, isOtherBirthDate('1951-07-14', stated)]).toEqual([stated, true]);
    for (const stated of ['1951-07-14', '1951-07', '1951', '1900-01-01', null])
      expect([stated, isOtherBirthDate('1951-07-14', stated)]).toEqual([stated, false]);
    expect(isOtherBirthDate('1900-01-01', '1951-07-14')).toBe(false);
    expect(isOtherBirthDate(null, '1951-07-14')).toBe(false);
  });
});

describe('the patient of an open chart', () => {
  const asked: (readonly ChartNumber[])[] = [];
  const patientsOf = (found: EhrPatient, born: string | null) =>
    new ChartPatients({
      patients: {
        find: (_transaction, _ehr, numbers, isCurrent = () => true) => {
          asked.push(numbers.filter(isCurrent));
          return Promise.resolve(found);
        },
      },
      birthDates: { of: () => Promise.resolve(born) },
      organizations: { find: () => Promise.resolve({ timeZone: zone } as Organization) },
      clock: { now: () => NOW },
      timeZone: 'UTC',
    });
  let zone: string | null = null;
  const mine: ChartNumber = { system: EHR.patientSystem, value: '1' };

  it('is asked for by numbers that are in force alone', async () => {
    const ended = { ...mine, value: '2', period: { end: '2026-03-14' } };
    await patientsOf({ kind: 'nobody' }, null).identify(TRANSACTION, EHR, { numbers: [ended, mine], birthDate: null });
    expect(asked.at(-1)).toEqual([mine]);
    // It is the next day there.
    const today = { ...mine, period: { end: '2026-03-15' } };
    for (const [place, numbers] of [
      [null, [today]],
      ['Pacific/Kiritimati', []],
    ] as const) {
      zone = place;
      await patientsOf({ kind: 'nobody' }, null).identify(TRANSACTION, EHR, { numbers: [today], birthDate: null });
      expect(asked.at(-1)).toEqual(numbers);
    }
    zone = null;
  });

  it('is somebody else where the birth date says so, whatever the number', async () => {
    const stated = (birthDate: string | null) => ({ numbers: [mine], birthDate });
    const patients = patientsOf({ kind: 'one', patientId: 'p-1' }, '1951-07-14');
    expect(await patients.identify(TRANSACTION, EHR, stated('1951-07-15'))).toEqual({ kind: 'differs' });
    for (const unread of ['14.07.1951', '1951-7-14', '1951-02-30', ''])
      expect(await patients.identify(TRANSACTION, EHR, stated(unread))).toEqual({ kind: 'doubtful' });
    // Nothing stands here that it could be compared with.
    const unknown = patientsOf({ kind: 'one', patientId: 'p-1' }, null);
    expect(await unknown.identify(TRANSACTION, EHR, stated('14.07.1951'))).toMatchObject({ kind: 'one' });
    expect(await patients.identify(TRANSACTION, EHR, stated('1951'))).toEqual({ kind: 'one', patientId: 'p-1' });
    expect(await patients.identify(TRANSACTION, EHR, stated(null))).toEqual({ kind: 'one', patientId: 'p-1' });
    for (const kind of ['nobody', 'several', 'unstated'] as const)
      expect(await patientsOf({ kind }, '1951-07-14').identify(TRANSACTION, EHR, stated('1951-07-15'))).toEqual({
        kind,
      });
  });
});
