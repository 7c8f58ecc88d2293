import { clinicalClockAt } from '../../../test/support/clinical-clocks.js';
import { reportsOf } from '../../../test/support/sample-report.js';
import type { ClinicalEvent } from '../followup/clinical-event.js';
import type { Wound } from '../followup/wound.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ClinicalReport } from './clinical-report.js';
import type { ReportHeadings } from './report-heading.js';
import type { ReportRepository } from './report.repository.js';
import { WoundEvidenceReader, type EvidencePeriod } from './wound-evidence-reader.js';

const DAY_MS = 86_400_000;
const WOUND = { id: 'wound', patientId: null, patient: { system: '', value: 'MRN-1' } } as unknown as Wound;

/** Reads from these reports, at this moment. */
function readerOf(
  reports: readonly ClinicalReport[],
  now: Date,
  events: readonly ClinicalEvent[],
): WoundEvidenceReader {
  const wounds = { find: async () => WOUND, rootOf: async () => WOUND } as unknown as WoundRepository;
  const series = { series: async () => [...reports] } as unknown as ReportRepository;
  const headings = { of: async () => null } as unknown as ReportHeadings;
  const clinicalEvents = { ofSeries: async () => [...events] };
  return new WoundEvidenceReader({
    reports: series,
    wounds,
    headings,
    clinicalEvents,
    clinicalClock: clinicalClockAt(() => now),
  });
}

const read = (
  reports: readonly ClinicalReport[],
  now: Date,
  period: Partial<EvidencePeriod> = {},
  events: readonly ClinicalEvent[] = [],
) => readerOf(reports, now, events).readIn({} as TenantTransaction, WOUND.id, { from: null, to: null, ...period });
const takenAt = (report: ClinicalReport) => new Date(report.content.capturedAt);

describe('the evidence of a wound', () => {
  const reports = reportsOf({ weeks: [10, 9, 8, 7, 6] });
  const last = takenAt(reports.at(-1)!);

  it.each<[string, Partial<EvidencePeriod>]>([
    ['ends before it begins', { from: last, to: new Date(last.getTime() - DAY_MS) }],
    ['is empty', { from: last, to: last }],
    ['has not begun', { from: new Date(last.getTime() + 9 * DAY_MS) }],
    ['is longer than a year', { from: new Date(last.getTime() - 367 * DAY_MS), to: last }],
  ])('is refused for a period that %s', async (_, period) => {
    await expect(read(reports, last, period)).rejects.toMatchObject({ code: 'request.invalid' });
  });

  it('is refused for more assessments than a page can hold', async () => {
    const many = Array.from({ length: 121 }, (_, place) => ({ ...reports[0]!, id: String(place) }));
    const from = new Date(takenAt(reports[0]!).getTime() - DAY_MS);
    await expect(read(many, last, { from })).rejects.toMatchObject({ code: 'request.invalid' });
  });

  it('has the steps of treatment that stand in the period, and warns of a change across one', async () => {
    const step = (id: string, days: number, more: Partial<ClinicalEvent> = {}): ClinicalEvent => ({
      id,
      woundId: WOUND.id,
      type: 'debridement',
      occurredAt: new Date(last.getTime() - days * DAY_MS),
      note: null,
      by: null,
      recordedAt: last,
      enteredBy: null,
      withdrawal: null,
      ...more,
    });
    const withdrawal = { withdrawnAt: last, by: null, note: null, enteredBy: null };
    const events = [step('before', 90), step('taken back', 8, { withdrawal }), step('done', 10)];
    const told = await read(reports, last, {}, events);
    expect(told.events.map(({ id }) => id)).toEqual(['done']);
    expect(told.change?.change.warnings).toEqual(['treated_between']);
    expect((await read(reports, last)).change?.change.warnings).toEqual([]);
  });

  it('is none of a wound that never had an assessment', async () => {
    await expect(read([], last)).rejects.toMatchObject({ code: 'report.not_found' });
  });

  it('is of four weeks, with the visit on the day that they began, whatever its hour', async () => {
    const evening = new Date(last.getTime() + 12 * 3_600_000);
    expect((await read(reports, evening)).reports.map(({ id }) => id)).toEqual(reports.map(({ id }) => id));
  });

  it('has a photo by a clock that runs ahead, and calls the period over', async () => {
    const { reports: told, missing } = await read(reports, new Date(last.getTime() - 60_000));
    expect(told.at(-1)?.id).toBe(reports.at(-1)!.id);
    expect(missing.map(({ code }) => code)).not.toContain('period_not_over');
  });

  it('leaves out the analysis of a photo that another one stands in place of', async () => {
    const [first, ...others] = reports;
    const comparison = { ...first!.content.comparison, supersededBy: 'another' };
    const superseded = { ...first!, content: { ...first!.content, comparison } };
    expect((await read([superseded, ...others], last)).reports).toEqual(others);
  });

  it('says so where the period has no assessment, with what is known of the wound', async () => {
    const {
      reports: told,
      subject,
      missing,
    } = await read(reports, last, {
      from: new Date(last.getTime() - 200 * DAY_MS),
      to: new Date(last.getTime() - 170 * DAY_MS),
    });
    expect(told).toEqual([]);
    expect(subject).toMatchObject({ woundRef: 'wound', patient: { value: 'MRN-1' } });
    expect(missing.map(({ code }) => code)).toContain('no_assessment');
  });
});
