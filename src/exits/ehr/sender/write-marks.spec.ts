import type { OpenWrite } from '../queue/open-writes.js';
import type { WriteAnswer, WriteLedger } from '../queue/write-ledger.js';
import { lookedFor } from '../queue/open-writes.js';
import { WriteMarks } from './write-marks.js';

const CREATE = { patient: 'Patient/1', kind: 'create' } as const;
const ONCE = { patient: 'Patient/1', kind: 'create-once' } as const;
const TERMS = { dialect: 'epic', send: ['pdf'], codes: null, encounterRule: 'period' } as const;
const ELSEWHERE = { patient: 'Patient/2', kind: 'create' } as const;
const lost = (write: Pick<OpenWrite, 'patient' | 'kind'>, times = 1): OpenWrite => ({
  ...write,
  times,
  at: '2026-03-10T08:00:00Z',
  ageMs: 60_000,
  isTaken: false,
});

/** A ledger that gives this answer, and what it was told last is open, in words. */
function marksOf(open: readonly OpenWrite[] = [], answer: WriteAnswer = 'done', isAskedAnew = false) {
  let told: readonly OpenWrite[] = open;
  const ledger: Partial<WriteLedger> = {
    begin: (_attempt, present) => Promise.resolve(((told = present), answer)),
    keep: (_attempt, present) => Promise.resolve(void (told = present)),
    file: (_attempt, facts) => Promise.resolve(((told = facts.open), answer)),
  };
  const marks = new WriteMarks(
    ledger as WriteLedger,
    { id: 'd1', attempt: 2 },
    { open: isAskedAnew ? lookedFor(open, Date.parse('2026-03-10T09:00:00Z')) : open, filed: [], isForgotten: false },
    TERMS,
  );
  const said = () =>
    told.map(
      ({ patient, kind, times, isTaken, isLookedFor }) =>
        `${times} ${kind} ${patient ?? ''}${isTaken ? ' taken' : ''}${isLookedFor === true ? ' looked for' : ''}`,
    );
  return { marks, said };
}

describe('what of a delivery may be carried out yet', () => {
  it('stays where an earlier attempt left it, whatever this one is answered', async () => {
    const { marks, said } = marksOf([lost(CREATE)]);
    await marks.begin(CREATE);
    await marks.refused();
    expect(said()).toEqual(['1 create Patient/1']);
  });

  it('is nothing where every write was refused', async () => {
    const { marks, said } = marksOf();
    for (let write = 0; write < 2; write += 1) {
      await marks.begin(CREATE);
      await marks.refused();
    }
    expect(said()).toEqual([]);
  });

  it('stays in one chart while another is written to', async () => {
    const { marks, said } = marksOf([lost(CREATE)]);
    await marks.begin(ELSEWHERE);
    marks.answered();
    await marks.file([]);
    expect(said()).toEqual(['1 create Patient/1']);
  });

  it('stays beside what was filed, where an earlier create had no condition', async () => {
    const { marks, said } = marksOf([lost(CREATE)]);
    await marks.begin(CREATE);
    marks.answered();
    await marks.file([]);
    expect(said()).toEqual(['1 create Patient/1']);
  });

  it('stays where a create with a condition was answered, which says nothing of one that had none, or of another chart', async () => {
    const { marks, said } = marksOf([lost(CREATE), lost({ patient: null, kind: 'create' }), lost(ONCE)]);
    await marks.begin(ONCE);
    marks.answered();
    await marks.file([]);
    expect(said()).toEqual(['1 create Patient/1', '1 create ', '1 create-once Patient/1 looked for']);
  });

  it.each([
    ['one that was sent alone', [lost(CREATE)], []],
    [
      'one that had a condition; the others are looked for on',
      [lost(CREATE), lost(ONCE, 4)],
      ['1 create Patient/1', '3 create-once Patient/1 looked for'],
    ],
    [
      'one of an unknown chart, where none is of this one',
      [lost({ patient: null, kind: 'create' }), lost(ELSEWHERE)],
      ['1 create Patient/2'],
    ],
  ] as const)('is not what a search has found: %s', async (_what, open, left) => {
    const { marks, said } = marksOf(open);
    marks.found('Patient/1');
    await marks.file([]);
    expect(said()).toEqual(left);
  });

  it('stays known once a person has looked for it, beside what is sent then', async () => {
    const { marks, said } = marksOf([lost(CREATE)], 'done', true);
    await marks.begin(CREATE);
    expect(said()).toEqual(['1 create Patient/1 looked for', '1 create Patient/1']);
    marks.answered();
    await marks.file([]);
    expect(said()).toEqual(['1 create Patient/1 looked for']);
  });

  it('is not what a person sees filed anew that was known', async () => {
    const { marks, said } = marksOf([lost(CREATE)]);
    await marks.file([]);
    expect(said()).toEqual(['1 create Patient/1']);
  });

  it('is told from what was made by other settings, and a change of one resource from that of another', async () => {
    const { marks, said } = marksOf([{ ...lost(CREATE), terms: { ...TERMS, send: ['observations'] } }]);
    await marks.begin(CREATE);
    await marks.begin({ patient: 'Patient/1', kind: 'change', target: 'Observation/1' });
    await marks.begin({ patient: 'Patient/1', kind: 'change', target: 'Observation/2' });
    await marks.refused();
    expect(said()).toEqual(['1 create Patient/1', '1 create Patient/1', '1 change Patient/1']);
  });

  it('is taken once the EHR has said so, and no change that is done', async () => {
    const { marks, said } = marksOf([lost({ patient: 'Patient/1', kind: 'change' })]);
    await marks.begin(CREATE);
    await marks.taken();
    await marks.file([]);
    expect(said()).toEqual(['1 create Patient/1 taken']);
  });
});

it.each([
  ['gone', 'ehr_report_gone'],
  ['superseded', 'ehr_superseded'],
  ['taken_over', 'broken_off'],
] as const)('where a delivery is %s, nothing is sent, nor is it filed', async (answer, said) => {
  await expect(marksOf([], answer).marks.begin(CREATE)).rejects.toThrow(said);
  await expect(marksOf([], answer).marks.file([])).rejects.toThrow(said);
});
