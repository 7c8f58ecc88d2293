import type { OpenWrite } from '../queue/open-writes.js';
import type { WriteAnswer, WriteLedger } from '../queue/write-ledger.js';
import { WriteMarks } from './write-marks.js';

const CREATE = { patient: 'Patient/1', kind: 'create' } as const;
const ONCE = { patient: 'Patient/1', kind: 'create-once' } as const;
const ELSEWHERE = { patient: 'Patient/2', kind: 'create' } as const;
const lost = (write: Pick<OpenWrite, 'patient' | 'kind'>, times = 1): OpenWrite => ({
  ...write,
  times,
  at: '2026-03-10T08:00:00Z',
  ageMs: 60_000,
  isTaken: false,
});

/** A ledger that gives this answer, and what it was told last is open, in words. */
function marksOf(open: readonly OpenWrite[] = [], answer: WriteAnswer = 'done') {
  let told: readonly OpenWrite[] = open;
  const ledger: Partial<WriteLedger> = {
    begin: (_attempt, present) => Promise.resolve(((told = present), answer)),
    keep: (_attempt, present) => Promise.resolve(void (told = present)),
    file: (_attempt, facts) => Promise.resolve(((told = facts.open), answer)),
  };
  const marks = new WriteMarks(ledger as WriteLedger, { id: 'd1', attempt: 2 }, { open, filed: [] });
  const said = () =>
    told.map(({ patient, kind, times, isTaken }) => `${times} ${kind} ${patient ?? ''}${isTaken ? ' taken' : ''}`);
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
    marks.placed('Patient/2');
    await marks.file([]);
    expect(said()).toEqual(['1 create Patient/1']);
  });

  it('stays beside what was filed, where an earlier create had no condition', async () => {
    const { marks, said } = marksOf([lost(CREATE)]);
    await marks.begin(CREATE);
    marks.placed('Patient/1');
    await marks.file([]);
    expect(said()).toEqual(['1 create Patient/1']);
  });

  it('is what a search has found where only one was sent, and none that had a condition', async () => {
    const { marks, said } = marksOf([lost(CREATE), lost(ONCE, 4)]);
    marks.placed('Patient/1');
    await marks.file([]);
    expect(said()).toEqual([]);
  });

  it('is not what a person sees filed anew that was known', async () => {
    const { marks, said } = marksOf([lost(CREATE)]);
    await marks.file([]);
    expect(said()).toEqual(['1 create Patient/1']);
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
