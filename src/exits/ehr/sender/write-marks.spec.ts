import type { Begun, FiledLedger } from '../queue/filed-ledger.js';
import { WriteMarks } from './write-marks.js';

const CHART = 'Patient/1';

/** A ledger that answers `begun`, and how often its mark was taken away. */
function marksOf({ wasUnsettled = false, begun = 'begun' as Begun } = {}) {
  const settled = jest.fn(() => Promise.resolve());
  const ledger = { begin: () => Promise.resolve(begun), settle: settled };
  const marks = new WriteMarks(ledger as Partial<FiledLedger> as FiledLedger, { id: 'd1', attempt: 2 }, wasUnsettled);
  return { marks, settled };
}

describe('the mark of a delivery that may stand in the EHR', () => {
  it('stays where an earlier attempt left it, whatever this one is answered', async () => {
    const { marks, settled } = marksOf({ wasUnsettled: true });
    await marks.begin(CHART);
    await marks.settle();
    expect(settled).not.toHaveBeenCalled();
  });

  it('stays where another write of the attempt was done before the one that was refused', async () => {
    const { marks, settled } = marksOf();
    await marks.begin(CHART);
    await marks.begin(CHART);
    await marks.settle();
    expect(settled).not.toHaveBeenCalled();
  });

  it('goes where every write of the attempt was refused', async () => {
    const { marks, settled } = marksOf();
    for (let write = 0; write < 2; write += 1) {
      await marks.begin(CHART);
      await marks.settle();
    }
    expect(settled).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['gone', 'ehr_report_gone'],
    ['superseded', 'ehr_superseded'],
    ['taken_over', 'broken_off'],
  ] as const)('is not set, and nothing sent, where the delivery is %s', async (begun, said) => {
    await expect(marksOf({ begun }).marks.begin(CHART)).rejects.toThrow(said);
  });
});
