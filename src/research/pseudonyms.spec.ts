import { Pseudonyms } from './pseudonyms.js';

const SECRET = Buffer.alloc(32, 7);
const TENANT = { organizationId: '01890000-0000-7000-8000-000000000001', environment: 'live' } as const;
const names = new Pseudonyms(SECRET, TENANT);
const day = '2026-01-05';
const shiftOf = (by: Pseudonyms, patient: string) =>
  (Date.parse(day) - Date.parse(by.dayOf(patient, day))) / 86_400_000;

it('the name of one thing is no other’s: of another kind, tenant or installation', () => {
  const others = [
    names.nameOf('wound', 'a'),
    names.nameOf('patient', 'b'),
    new Pseudonyms(SECRET, { ...TENANT, environment: 'test' }).nameOf('patient', 'a'),
    new Pseudonyms(Buffer.alloc(32, 8), TENANT).nameOf('patient', 'a'),
  ];
  expect(new Set([names.nameOf('patient', 'a'), ...others]).size).toBe(5);
});

it('a name is the same each time, and fits a file', () => {
  expect(names.nameOf('photo', 'a')).toBe(new Pseudonyms(SECRET, TENANT).nameOf('photo', 'a'));
  expect(names.nameOf('photo', 'a')).toMatch(/^[0-9a-f]{16}$/);
});

it('days are 1 to 364 earlier, spread over patients and one number for each', () => {
  const shifts = Array.from({ length: 500 }, (_, patient) => shiftOf(names, `patient ${patient}`));
  expect([Math.min(...shifts) >= 1, Math.max(...shifts) <= 364]).toEqual([true, true]);
  expect(new Set(shifts).size).toBeGreaterThan(200);
  expect(shiftOf(names, 'patient 1')).toBe(shifts[1]);
});
