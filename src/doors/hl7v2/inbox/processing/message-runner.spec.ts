/** @jest-environment node */
import { Logger } from '../../../../platform/logging/logger.js';
import { readSettings } from '../../../../platform/config/settings.js';
import { hl7SourceOf } from '../../../../../test/support/hl7-inbound.js';
import type { SourceDirectory } from '../listeners/source-directory.js';
import type { HeldMessage } from '../store/inbound-record.js';
import type { InboundStore } from '../store/inbound-store.js';
import { MessageLeases } from './message-leases.js';
import type { Cancellation, MessageProcessor } from './message-processor.js';
import { MessageRunner } from './message-runner.js';
import type { WrittenOutcome } from './outcome-writer.js';

const DONE: WrittenOutcome = { code: 'AA', ack: Buffer.from('done'), problems: [], isDeferred: false };
const GIVEN_UP: WrittenOutcome = { ...DONE, code: 'AR' };

function setUp() {
  const seen: { cancellation: Cancellation | null; begun: number; givenUp: number; renewed: number } = {
    cancellation: null,
    begun: 0,
    givenUp: 0,
    renewed: 0,
  };
  const finishing: ((written: WrittenOutcome) => void)[] = [];
  const processor = {
    process: (_held: unknown, _source: unknown, cancellation: Cancellation) => {
      seen.cancellation = cancellation;
      seen.begun += 1;
      return new Promise<WrittenOutcome>((resolve) => finishing.push(resolve));
    },
    giveUp: () => {
      seen.givenUp += 1;
      return Promise.resolve(GIVEN_UP);
    },
  } as unknown as MessageProcessor;
  const settings = readSettings({ SUTURA_LEASE_S: '4' });
  const store = {
    renew: () => (seen.renewed++ % 2 === 0 ? Promise.resolve() : Promise.reject(new Error('away'))),
  } as unknown as InboundStore;
  const sources = { of: () => Promise.resolve(hl7SourceOf()) } as unknown as SourceDirectory;
  const leases = new MessageLeases(store, settings);
  const run = new MessageRunner(processor, leases, sources, Logger.create('silent'));
  const heldOf = (attempts: number, sizeBytes = 10) =>
    ({
      record: { id: 'm', attempts, organizationId: 'o' },
      bytes: Buffer.alloc(sizeBytes),
      leaseToken: 't',
    }) as unknown as HeldMessage;
  const at = (attempts: number) => run.processNow(heldOf(attempts), hl7SourceOf());
  const later = (sizeBytes: number) => run.later(heldOf(1, sizeBytes));
  return { seen, at, later, finish: () => finishing.splice(0).forEach((each) => each(DONE)) };
}

describe('a message that its sender waits for', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is given up after ten seconds the first time, and may then change nothing any more', async () => {
    const { seen, at } = setUp();
    const answered = at(1);
    await jest.advanceTimersByTimeAsync(9_999);
    expect(seen).toMatchObject({ cancellation: { isCancelled: false }, givenUp: 0 });
    await jest.advanceTimersByTimeAsync(1);
    expect(await answered).toBe(GIVEN_UP);
    expect(seen).toMatchObject({ cancellation: { isCancelled: true }, givenUp: 1 });
  });

  it('goes on behind its answer once it was given up before, so that the sender finds it done in the end', async () => {
    const { seen, at, finish } = setUp();
    const refused = expect(at(2)).rejects.toMatchObject({ code: 'service.unavailable' });
    await jest.advanceTimersByTimeAsync(10_000);
    await refused;
    finish();
    await jest.advanceTimersByTimeAsync(0);
    expect(seen).toMatchObject({ cancellation: { isCancelled: false }, givenUp: 0 });
  });

  it('is answered with what became of it', async () => {
    const { at, finish } = setUp();
    const answered = at(1);
    await jest.advanceTimersByTimeAsync(5_000);
    finish();
    expect(await answered).toBe(DONE);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('keeps its lease as long as it is worked on, also behind its answer, whether or not a renewal fails', async () => {
    const { seen, at, finish } = setUp();
    const refused = expect(at(2)).rejects.toMatchObject({ code: 'service.unavailable' });
    await jest.advanceTimersByTimeAsync(30_000);
    await refused;
    expect(seen.renewed).toBe(30);
    finish();
    await jest.advanceTimersByTimeAsync(10_000);
    expect([seen.renewed, jest.getTimerCount()]).toEqual([30, 0]);
  });

  it('does not wait for messages with photos, of which an organization has two in work at once', async () => {
    const { seen, at, later, finish } = setUp();
    const large = Array.from({ length: 3 }, () => later(300_000));
    await jest.advanceTimersByTimeAsync(0);
    expect(seen.begun).toBe(2);
    const small = Array.from({ length: 10 }, () => at(1));
    await jest.advanceTimersByTimeAsync(0);
    expect(seen.begun).toBe(12);
    finish();
    await jest.advanceTimersByTimeAsync(0);
    expect(seen.begun).toBe(13);
    finish();
    expect(await Promise.all([...large, ...small])).toEqual(Array.from({ length: 13 }, () => DONE));
  });
});
