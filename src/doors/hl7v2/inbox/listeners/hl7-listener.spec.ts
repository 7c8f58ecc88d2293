import { LISTENER_SETTINGS } from './hl7-listener.js';

const settings = (sexCodes: object) => LISTENER_SETTINGS.safeParse({ port: null, sexCodes });

describe('the codes of a sender for PID-8', () => {
  it.each([{ W: 'female' }, { W: 'X' }, { W: '' }])('mean a code of table 0001, not %j', (sexCodes) =>
    expect(settings(sexCodes).success).toBe(false),
  );

  it('are kept in upper case, as they are looked up', () =>
    expect(settings({ w: 'F', '1': 'M' }).data?.sexCodes).toEqual({ W: 'F', '1': 'M' }));
});
