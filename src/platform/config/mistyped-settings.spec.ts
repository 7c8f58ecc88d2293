import { mistypedSettings } from './mistyped-settings.js';
import { SETTING_NAMES } from './settings.js';

describe('a variable that no setting has', () => {
  it.each([
    ['SUTURA_DELIVERY_NETWORK', 'SUTURA_DELIVERY_NETWORKS'],
    ['SUTURA_ROLE', 'SUTURA_ROLES'],
    ['SUTURA_DATADIR', 'SUTURA_DATA_DIR'],
    ['HL7_ALOW_PLAIN', 'HL7_ALLOW_PLAIN'],
    ['HL7_MAX_BYTE', 'HL7_MAX_BYTES'],
    ['FHIR_REQUIRE_IFMATCH', 'FHIR_REQUIRE_IF_MATCH'],
    ['FHIR_SNOMEDCT', 'FHIR_SNOMED'],
  ])('%s is told of, with %s, which was probably meant', (name, meant) => {
    expect(mistypedSettings({ [name]: 'x' })).toEqual([{ name, meant }]);
  });

  it('is passed over where it is like none, or empty', () => {
    expect(
      mistypedSettings({
        SUTURA_BASE_URL: 'x',
        SUTURA_API_KEY: 'x',
        SUTURA_FP: 'x',
        PATH: 'x',
        HL7_SPY: 'x',
        SUTURA_ROLE: '',
      }),
    ).toEqual([]);
  });

  it('is none of those that exist', () => {
    expect(mistypedSettings(Object.fromEntries(SETTING_NAMES.map((name) => [name, 'x'])))).toEqual([]);
  });
});
