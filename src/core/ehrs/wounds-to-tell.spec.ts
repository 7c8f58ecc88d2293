import { clinicalClockAt } from '../../../test/support/clinical-clocks.js';
import { FIRST_PHOTO_AT, readingOf, reportsOf } from '../../../test/support/sample-report.js';
import type { Wound } from '../followup/wound.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ClinicalReport, ReportFigures } from '../report/clinical-report.js';
import type { WaitingReport } from '../report/report.repository.js';
import { WoundsToTell, type CareMoment } from './wounds-to-tell.js';

const DAY_MS = 86_400_000;
const TRANSACTION = {} as TenantTransaction;
const FINAL = { report: { status: 'final' } } as const;

interface Known {
  readonly wound?: Partial<Wound>;
  readonly reports: readonly ClinicalReport[];
  readonly waiting?: readonly WaitingReport[];
  readonly closedOn?: Date;
}

/** What is told so many days after the last photo of the first wound. */
async function toldOf(known: readonly Known[], days: number, moment: CareMoment = 'view') {
  const last = new Date(known[0]!.reports.at(-1)?.content.capturedAt ?? FIRST_PHOTO_AT);
  const wounds = known.map(
    ({ wound }, at) => ({ id: `w-${at}`, status: 'open', closedAt: null, mergedInto: null, ...wound }) as Wound,
  );
  const of = (id: string) => known[wounds.findIndex((wound) => wound.id === id)]!;
  const reader = new WoundsToTell({
    wounds: {
      ofPatient: () => Promise.resolve(wounds),
      history: (_, id) => {
        const { closedOn } = of(id);
        return Promise.resolve(
          closedOn === undefined ? [] : ([{ decision: 'closed', decidedAt: closedOn, reason: 'healed' }] as never),
        );
      },
    },
    reports: {
      figures: (_, id) => Promise.resolve(of(id).reports as unknown as ReportFigures[]),
      waiting: () => Promise.resolve(new Map(wounds.map(({ id }) => [id, of(id).waiting ?? []]))),
    },
    reader: {
      readIn: (_, reportId) =>
        Promise.resolve(readingOf(known.find(({ reports }) => reports.some(({ id }) => id === reportId))!.reports)),
    },
    clinicalClock: clinicalClockAt(() => new Date(last.getTime() + days * DAY_MS)),
  });
  const told = await reader.read(TRANSACTION, 'p', moment);
  return told.map(({ wound, isWorse, waiting, lastPhotoAt, milestones }) => ({
    id: wound.id,
    isWorse,
    waiting,
    isDue: lastPhotoAt !== null,
    milestones: milestones.length,
  }));
}

const HEALING = reportsOf({ weeks: [8, 6, 4], observed: [null, null, null], ...FINAL });
const WORSE = reportsOf({ weeks: [8, 8], observed: [{ depthCm: 1 }, { depthCm: 4 }], ...FINAL });
const WAITING: WaitingReport = {
  reportId: 'other',
  capturedAt: new Date(),
  capturedAsStated: null,
  reasons: ['area_jump'],
};

describe('what is told of wounds', () => {
  it('is nothing of a wound that heals, was photographed lately and waits for nobody', async () => {
    expect(await toldOf([{ reports: HEALING }], 3)).toEqual([]);
    expect(await toldOf([{ reports: [] }], 20)).toEqual([]);
  });

  it('is the wound that is worse, whatever its last photo’s age, and before the others', async () => {
    const told = await toldOf([{ reports: HEALING }, { reports: WORSE }], 20);
    expect(told).toMatchObject([
      { id: 'w-1', isWorse: true },
      { id: 'w-0', isWorse: false, isDue: true },
    ]);
    expect(await toldOf([{ reports: WORSE }], 400)).toMatchObject([{ isWorse: true, isDue: false }]);
  });

  it('is a photo that is two weeks old, at a discharge two days, and no longer after ninety', async () => {
    const days = async (at: number, moment: CareMoment) => (await toldOf([{ reports: HEALING }], at, moment)).length;
    expect([
      await days(13.9, 'view'),
      await days(14, 'view'),
      await days(90, 'view'),
      await days(90.1, 'view'),
    ]).toEqual([0, 1, 1, 0]);
    expect([await days(1.9, 'discharge'), await days(2, 'discharge')]).toEqual([0, 1]);
  });

  it('is what waits for a person, each report once', async () => {
    const preliminary = HEALING.map((report, at) =>
      at === 2 ? { ...report, status: 'preliminary' as const } : report,
    );
    const waiting = [{ ...WAITING, reportId: preliminary[2]!.id }, WAITING];
    expect(await toldOf([{ reports: preliminary, waiting }], 1)).toMatchObject([{ waiting: 2, isWorse: false }]);
  });

  it('is nothing of a wound that a person has closed, nor of one that is part of another', async () => {
    const last = new Date(WORSE.at(-1)!.content.capturedAt);
    const closed = {
      wound: { status: 'closed' as const },
      reports: WORSE,
      closedOn: new Date(last.getTime() + DAY_MS),
    };
    expect(await toldOf([closed], 20)).toEqual([]);
    expect(await toldOf([{ wound: { mergedInto: 'w-9' }, reports: WORSE }], 20)).toEqual([]);
  });

  it('is a milestone that was missed, though the wound is no worse', async () => {
    const slow = reportsOf({ weeks: [8, 7.9, 7.8, 7.7, 7.6], observed: [null, null, null, null, null], ...FINAL });
    const [one] = await toldOf([{ reports: slow }], 1);
    expect(one).toMatchObject({ isWorse: false });
    expect(one!.milestones).toBeGreaterThan(0);
  });
});
