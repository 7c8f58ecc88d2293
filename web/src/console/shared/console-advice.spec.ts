import { DOOR_ADVICE } from '../../../../src/composition/door-advice.js';
import { FAULTS, PARKED, whyInbound, whyOutbound } from '../../../../src/doors/admin/hl7v2/operations/reasons.js';
import { inConsole } from './console-advice.js';

const ID = '01997f2e-5555-7000-8000-000000000005';
const inbound = (state: 'failed' | 'held' | 'sealed', codes: readonly string[] = []) =>
  whyInbound({
    state,
    problems: codes.map((code) => ({
      severity: 'error' as const,
      condition: '207' as const,
      place: null,
      code,
      text: 'refused',
    })),
    photos: [],
    heldItemId: ID,
  });

/** Every advice that a message or a photo can come with. */
const ADVICES = [
  ...Object.values({ ...PARKED, ...FAULTS }).map(({ nextStep }) => nextStep),
  inbound('failed', ['order.unknown']),
  inbound('sealed'),
  inbound('held'),
  inbound('held', ['patient.unknown']),
  whyOutbound({
    state: 'waiting',
    parkedFor: null,
    fault: null,
    ackCode: 'AE',
    ackCondition: null,
    applicationCode: null,
  }),
  DOOR_ADVICE.orderAnalysis,
  DOOR_ADVICE.showQuota,
  DOOR_ADVICE.retryJob(ID),
  `The report is preliminary until a person reviews it: ${DOOR_ADVICE.reviewReport(ID)}.`,
].map((advice) => (typeof advice === 'string' ? advice : advice!.nextStep));

describe('an advice at the console', () => {
  it.each(ADVICES)('names no command and no route: %s', (advice) => {
    const said = inConsole(advice);
    expect(said).not.toMatch(/"(?:hl7|jobs|held|usage|org) |POST \/|\$attest/);
    expect(said).not.toBe('');
  });

  it('names the button that does it', () => {
    expect(inConsole(PARKED.operator.nextStep)).toBe('Send it with “Send again”, or give it up with “Give up”.');
    expect(inConsole(ADVICES.at(-1)!)).toBe('The report is preliminary until a person reviews it at the review desk.');
    expect(inConsole('Have the photo sent again.')).toBe('Have the photo sent again.');
  });
});
