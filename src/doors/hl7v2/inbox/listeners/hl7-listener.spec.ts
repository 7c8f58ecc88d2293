import { LISTENER_SETTINGS } from './hl7-listener.js';

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

describe('the codes of a sender for PID-8', () => {
  it.each([{ W: 'female' }, { W: 'X' }, { W: '' }])('mean a code of table 0001, not %j', (sexCodes) =>
    expect(settings(sexCodes).success).toBe(false),
  );

  it('are kept in upper case, as they are looked up', () =>
    expect(settings({ w: 'F', '1': 'M' }).data?.sexCodes).toEqual({ W: 'F', '1': 'M' }));
});
