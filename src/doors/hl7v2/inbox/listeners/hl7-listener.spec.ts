import { LISTENER_SETTINGS, servingOf, sourceOf } from './hl7-listener.js';

const settings = (sexCodes: object) => LISTENER_SETTINGS.safeParse({ port: null, sexCodes });

describe('the systems of bare numbers', () => {
  const bareNumbers = (value: object) => LISTENER_SETTINGS.safeParse({ port: null, bareNumbers: value });

  it.each([{ NORTH: '1.2.3' }, { NORTH: 'urn oid' }, { NORTH: '' }, { '': 'urn:oid:1.2.3' }])(
    'are URIs by facility, not %j',
    (value) => expect(bareNumbers(value).success).toBe(false),
  );

  it('may stand for any other facility', () =>
    expect(bareNumbers({ NORTH: 'urn:oid:1.2.3', '*': 'https://hospital.example/mrn' }).success).toBe(true));
});

describe('the accession number', () => {
  const accession = (value: object) => LISTENER_SETTINGS.safeParse({ port: null, ...value });

  it.each([
    { accessionField: 'OBR-18', woundNumberField: 'OBR-18' },
    { accessionField: 'OBR-20' },
    { accessionSystem: 'RIS' },
  ])('does not stand where %j says', (value) => expect(accession(value).success).toBe(false));

  it('may stand in the one field, and the wound number in the other', () => {
    const both = { accessionField: 'OBR-18', accessionSystem: 'urn:oid:1.2.3', woundNumberField: 'OBR-19' };
    expect(accession(both).data).toMatchObject(both);
  });
});

describe('the silence that is normal', () => {
  const silence = (normalSilenceMinutes: unknown) => LISTENER_SETTINGS.safeParse({ port: null, normalSilenceMinutes });

  it.each([0, -5, 1.5, 31 * 24 * 60 + 1, '60'])('is whole minutes of a month at most, not %j', (value) =>
    expect(silence(value).success).toBe(false),
  );

  it('is said by nobody at first', () =>
    expect(LISTENER_SETTINGS.parse({ port: null }).normalSilenceMinutes).toBeNull());

  it('changes nothing of how messages are read or taken', () => {
    const settings = LISTENER_SETTINGS.parse({ port: 1, normalSilenceMinutes: 60 });
    const listener = {
      id: 'l',
      name: 'ward',
      organizationId: 'o',
      environment: 'test',
      enabled: true,
      settings,
    } as const;
    const whole = { ...listener, createdAt: new Date(0) };
    expect([...Object.keys(servingOf(whole)), ...Object.keys(sourceOf(whole))]).not.toContain('normalSilenceMinutes');
  });
});

describe('the codes of a sender for PID-8', () => {
  it.each([{ W: 'female' }, { W: 'X' }, { W: '' }])('mean a code of table 0001, not %j', (sexCodes) =>
    expect(settings(sexCodes).success).toBe(false),
  );

  it('are kept in upper case, as they are looked up', () =>
    expect(settings({ w: 'F', '1': 'M' }).data?.sexCodes).toEqual({ W: 'F', '1': 'M' }));
});
