import type { SharedGateway } from '../../support/gateway.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { fieldOf, Hl7Hospital, orderMessage, valuesOf } from '../../support/hl7-hospital.js';
import { drawSmallWoundPhoto } from '../../support/wound-photo.js';

const NO_PHOTO_ROW = /\rOBX\|\d+\|ED\|[^\r]*/;

describe('a photo that a sender puts where HL7 has none', () => {
  let gateway: SharedGateway;
  let hospital: Hl7Hospital;

  beforeAll(async () => {
    gateway = await sharedGateway();
    hospital = await Hl7Hospital.open(gateway);
  });
  afterAll(async () => {
    await hospital?.close();
  });

  async function order(number: string, mrn: string): Promise<string> {
    return orderMessage({ order: number, mrn, photo: await drawSmallWoundPhoto() });
  }

  it.each(['SC', 'RE'])(
    'in a status message (%s) for an order that waits for it, comes back as a result',
    async (control) => {
      const whole = await order(`STATUS-${control}`, `M-${control}`);
      const asked = await hospital.send(whole.replace(NO_PHOTO_ROW, ''));
      expect(fieldOf(asked!, 'MSA', 1)).toBe('AA');
      const photo = whole.replace('ORC|NW', `ORC|${control}`).replace(`|STATUS-${control}|T|`, `|PHOTO-${control}|T|`);
      expect(fieldOf((await hospital.send(photo))!, 'MSA', 1)).toBe('AA');
      const result = await hospital.result(`STATUS-${control}`);
      expect(valuesOf(result, 'wound-report-pdf')).toHaveLength(1);
    },
  );

  it.each([
    ['TX', 'F'],
    ['', 'F'],
    ['ED', 'O'],
  ])('in a row of OBX-2 "%s" and OBX-11 %s, comes back as a result', async (type, status) => {
    const number = `ROW-${type}-${status}`;
    const message = (await order(number, `M-${type}-${status}`)).replace(
      /\r(OBX\|\d+)\|ED(\|[^\r]*?\|{6})F/,
      (_, head: string, rest: string) => `\r${head}|${type}${rest}${status}`,
    );
    expect(message).toContain(`|${type}|`);
    expect(fieldOf((await hospital.send(message))!, 'MSA', 1)).toBe('AA');
    expect(valuesOf(await hospital.result(number), 'wound-report-pdf')).toHaveLength(1);
  });
});
