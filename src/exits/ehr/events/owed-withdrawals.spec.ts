import type { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import type { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { WithdrawnReports } from '../../../core/report/withdrawn-reports.js';
import type { FiledLedger } from '../queue/filed-ledger.js';
import type { PushingEhr } from '../settings/pushing-ehr.js';
import { OwedWithdrawals } from './owed-withdrawals.js';
import type { ResultFilings } from './result-filings.js';

const FAULT = new Error('of one report');
const EHRS = ['e1', 'e2'].map((id) => ({ id, createdAt: new Date() }) as unknown as PushingEhr);

/** `broken`: of the EHR, whose first report cannot be made into deliveries. */
function ground(broken: string | null) {
  const made: string[] = [];
  const paid: string[] = [];
  const owed = new OwedWithdrawals(
    {
      inTenant: (_tenant: unknown, work: (transaction: never) => unknown) => work(undefined as never),
    } as unknown as UnitOfWork,
    { ids: () => Promise.resolve(['r1', 'r2']) } as unknown as WithdrawnReports,
    {
      owe: ({ id }: PushingEhr, reportId: string) => {
        if (id === broken) return Promise.reject(FAULT);
        made.push(`${id} ${reportId}`);
        return Promise.resolve();
      },
    } as unknown as ResultFilings,
    {
      owingWithdrawals: () => Promise.resolve(EHRS.map(({ id }) => ({ ehrId: id, owedAt: 'then' }))),
      owesNoWithdrawals: (id: string) => Promise.resolve(paid.push(id)),
    } as unknown as FiledLedger,
    { timelineOf: () => Promise.resolve({ at: (time: Date) => time }) } as unknown as ClinicalClock,
  );
  return { owed, made, paid };
}

describe('withdrawals that EHRs are owed', () => {
  it('are told of one EHR that they cannot be made for, and made for the next', async () => {
    const { owed, made, paid } = ground('e1');
    const failed: [string, unknown][] = [];
    await owed.make(EHRS, ({ id }, fault) => failed.push([id, fault]));
    expect(failed).toEqual([['e1', FAULT]]);
    expect([made, paid]).toEqual([['e2 r1', 'e2 r2'], ['e2']]);
  });

  it('are owed on where the process ends before they are made', async () => {
    const { owed, made, paid } = ground(null);
    owed.stop();
    await owed.make(EHRS, () => undefined);
    expect([made, paid]).toEqual([[], []]);
  });
});
