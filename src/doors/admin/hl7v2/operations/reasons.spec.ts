import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { refused } from '../../../../standards/hl7v2/problems/problem-catalogue.js';
import { FAULTS, PARKED, whyInbound, whyOutbound } from './reasons.js';

const OPERATIONS = readFileSync(resolve(__dirname, '../../../../../docs/operating-hl7v2.md'), 'utf8');
const nothing = {
  state: 'delivered',
  parkedFor: null,
  fault: null,
  ackCode: null,
  ackCondition: null,
  applicationCode: null,
} as const;
const photo = { imageId: 'i', state: 'fetched', tries: 0, fault: null, nextTryAt: null } as const;

describe('why a message is where it is', () => {
  it.each([...Object.entries(PARKED), ...Object.entries(FAULTS)])(
    '%s has the words of docs/operating-hl7v2.md',
    (code, { text, nextStep }) => {
      expect(OPERATIONS).toContain(`| \`${code}\` | ${text} | ${nextStep} |`);
    },
  );

  it('is said of what was refused and of what waits, with its codes, and of nothing else', () => {
    expect(
      whyOutbound({ ...nothing, state: 'parked', parkedFor: 'refused', ackCode: 'CR', ackCondition: '103' })?.text,
    ).toBe('refused by its receiver (CR 103)');
    expect(whyOutbound({ ...nothing, state: 'waiting', fault: 'tls CERT_HAS_EXPIRED' })?.text).toBe(
      'no TLS connection to its receiver (tls CERT_HAS_EXPIRED)',
    );
    expect(whyOutbound({ ...nothing, state: 'waiting', fault: 'files_unavailable storage.key_missing' })?.text).toBe(
      'our object store does not give its document or photo; its receiver was not asked (files_unavailable storage.key_missing)',
    );
    expect(whyOutbound({ ...nothing, state: 'waiting', ackCode: 'CE' })?.text).toBe(
      'refused by its receiver, and tried again (CE)',
    );
    expect([
      whyOutbound({ ...nothing, state: 'waiting' }),
      whyOutbound(nothing),
      whyInbound({ state: 'processed', problems: [], photos: [photo] }),
    ]).toEqual([null, null, null]);
  });

  it('is the first error of what came in, a key that is missing, or photos that could not be fetched', () => {
    const problems = [refused('order.unknown', null)];
    expect(whyInbound({ state: 'failed', problems, photos: [] })?.text).toBe(
      'order.unknown: No order carries this placer number.',
    );
    expect(whyInbound({ state: 'sealed', problems: [], photos: [] })?.nextStep).toContain('hl7 discard');
    const lost = { ...photo, state: 'failed', fault: 'status 404' } as const;
    expect(whyInbound({ state: 'processed', problems: [], photos: [lost, photo] })?.text).toBe(
      '1 of 2 photos could not be fetched (status 404)',
    );
  });
});
