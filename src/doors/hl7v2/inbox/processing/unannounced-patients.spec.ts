/** @jest-environment node */
import type { Outbox } from '../../../../core/domain-events/outbox.js';
import { SuturaError } from '../../../../core/errors/sutura-error.js';
import type { UnknownPatients } from '../../../../core/held/unknown-patients.js';
import type { TenantTransaction, UnitOfWork } from '../../../../core/ports/unit-of-work.js';
import type { HeldMessages } from '../store/held-messages.js';
import type { InboundRecord } from '../store/inbound-record.js';
import { UnannouncedPatients } from './unannounced-patients.js';

const TRANSACTION = {} as TenantTransaction;

function setUp(isDiscarded = false) {
  const pauses: (number | undefined)[] = [];
  const unknown = {
    follow: () => (isDiscarded ? Promise.reject(new SuturaError('fhir.version_conflict')) : Promise.resolve()),
  } as unknown as UnknownPatients;
  const outbox = {
    append: (_transaction: unknown, _event: unknown, afterS?: number) => {
      pauses.push(afterS);
      return Promise.resolve();
    },
  } as unknown as Outbox;
  const patients = new UnannouncedPatients(unknown, {} as HeldMessages, outbox, {} as UnitOfWork);
  const follow = (heldItemId: string | null, replays: number) =>
    patients.follow(TRANSACTION, { heldItemId, replays } as InboundRecord, 'item');
  return { pauses, follow };
}

describe('a message behind earlier ones about its patient', () => {
  it('is read again where a person discarded those meanwhile, and waits with none of them', async () => {
    const { pauses, follow } = setUp(true);
    await expect(follow(null, 0)).rejects.toMatchObject({ code: 'fhir.version_conflict' });
    expect(pauses).toEqual([]);
  });

  it('looks again at once, and where they are not worked off then, after ever longer pauses of five minutes at most', async () => {
    const { pauses, follow } = setUp();
    await follow(null, 0);
    for (const replays of [1, 2, 5, 8, 9, 40, 5000]) await follow('item', replays);
    expect(pauses).toEqual([0, 2, 4, 32, 256, 300, 300, 300]);
  });
});
