import { findingsWithArea, findingsWithoutScale, reportsOf } from '../../../test/support/sample-report.js';
import type { ClinicalEvent } from '../followup/clinical-event.js';
import type { ClinicalReport } from './clinical-report.js';
import { changeOver, gapsOf, shownReports, type WoundEvidence } from './wound-evidence.js';

const DAY_MS = 86_400_000;
const REVIEW = {
  decision: 'accept',
  reviewer: { id: 'N-7', name: 'Example Reviewer' },
  note: null,
  reviewedAt: '2025-10-01T08:00:00.000Z',
} as const;

/** Weekly photos, each signed, with a depth; the period begins with the first. */
function evidenceOf(reports: readonly ClinicalReport[], wish: Partial<WoundEvidence> = {}) {
  const first = new Date(reports[0]!.content.capturedAt);
  const { subject } = reports[0]!.content;
  const to = new Date(first.getTime() + 28 * DAY_MS);
  const told = { heading: null, subject, from: first, to, issuedAt: to, reports, events: [], ...wish };
  return { ...told, change: changeOver(told.reports) };
}

const complete = (weeks: Parameters<typeof reportsOf>[0]['weeks']) =>
  reportsOf({
    weeks,
    report: { status: 'final' },
    content: { review: REVIEW, clinicianObservations: { depthCm: 0.4 } },
  });
const codesOf = (reports: readonly ClinicalReport[], wish: Partial<WoundEvidence> = {}) =>
  gapsOf(evidenceOf(reports, wish)).map(({ code }) => code);

describe('what is missing of a period', () => {
  it('is a step of treatment alone where every week has a signed photo with area, depth and tissue', () => {
    expect(codesOf(complete([10, 9, 8, 7, 6]))).toEqual(['treatment_not_recorded']);
  });

  it('is nothing once a step is recorded', () => {
    const now = new Date();
    const said = { note: null, by: null, enteredBy: null, withdrawal: null };
    const event: ClinicalEvent = {
      id: 'e',
      woundId: 'w',
      type: 'compression',
      occurredAt: now,
      recordedAt: now,
      ...said,
    };
    expect(codesOf(complete([10, 9, 8, 7, 6]), { events: [event] })).toEqual([]);
  });

  it('is everything of a period without a photo, and of a wound of which nothing is stated', () => {
    const [report] = complete([10]);
    const subject = { ...report!.content.subject, patient: null, bodySite: null, woundType: null };
    expect(gapsOf({ ...evidenceOf([report!]), subject, reports: [], change: null }).map(({ code }) => code)).toEqual([
      'patient_not_named',
      'site_not_stated',
      'type_not_stated',
      'no_assessment',
      'change_not_told',
      'treatment_not_recorded',
    ]);
  });

  it('are the weeks without a photo, those that follow each other as one', () => {
    const all = complete([10, 9, 8, 7, 6]);
    const gaps = gapsOf(evidenceOf([all[0]!, all[4]!]));
    expect(gaps.filter(({ code }) => code === 'week_without_assessment')).toEqual([
      {
        code: 'week_without_assessment',
        between: {
          from: new Date(new Date(all[0]!.content.capturedAt).getTime() + 7 * DAY_MS),
          to: new Date(new Date(all[0]!.content.capturedAt).getTime() + 21 * DAY_MS),
        },
      },
    ]);
  });

  it('is an area of the first and of the last week, though there are photos without a scale', () => {
    const reports = complete([findingsWithoutScale(), 9, 8, findingsWithoutScale(), findingsWithoutScale()]);
    const wish = { from: new Date(new Date(reports[0]!.content.capturedAt).getTime() - DAY_MS) };
    const codes = codesOf(reports, wish);
    expect(codes).toContain('start_not_measured');
    expect(codes).toContain('end_not_measured');
    expect(codes).toContain('area_not_measured');
  });

  it('is not what is still to come', () => {
    const reports = complete([10, 9]);
    const issuedAt = new Date(reports[1]!.content.capturedAt);
    const codes = codesOf(reports, { issuedAt });
    expect(codes).toContain('period_not_over');
    expect(codes).not.toContain('week_without_assessment');
    expect(codes).not.toContain('end_not_measured');
  });

  it('names each report that lacks depth, tissue, photo or signature', () => {
    const reports = reportsOf({ weeks: [findingsWithArea(10, { tissue: null }), 9] });
    const [first, second] = reports.map((report) => report.id);
    const erased = [{ imageId: reports[1]!.imageId, erasedAt: '2025-10-05T00:00:00.000Z' }];
    const shown = [reports[0]!, { ...reports[1]!, content: { ...reports[1]!.content, erasedPhotos: erased } }].map(
      (report) => ({ ...report, content: { ...report.content, clinicianObservations: null } }),
    );
    const byCode = new Map(gapsOf(evidenceOf(shown)).map(({ code, reportIds }) => [code, reportIds]));
    expect(byCode.get('depth_not_stated')).toEqual([first, second]);
    expect(byCode.get('tissue_not_told')).toEqual([first]);
    expect(byCode.get('photo_deleted')).toEqual([second]);
    expect(byCode.get('not_signed')).toEqual([first, second]);
  });
});

describe('the change over a period', () => {
  it('is none of one area, nor over a closure', () => {
    expect(changeOver(complete([10]))).toBeNull();
    expect(changeOver([])).toBeNull();
    const closedAt = '2025-09-20T08:00:00Z';
    const reports = reportsOf({ weeks: [6, 3, 1, 2.2], closures: [{ closedAt, reopenedAt: null }] });
    expect(changeOver(reports)).toBeNull();
  });

  it('is of the first area and the last, with its interval', () => {
    const { first, last, change } = changeOver(complete([10, 9, 8, 7, 6]))!;
    expect([first.content.findings.figures?.area.cm2?.value, last.content.findings.figures?.area.cm2?.value]).toEqual([
      10, 6,
    ]);
    expect(change).toMatchObject({ areaPct: -40, days: 28 });
  });
});

describe('the photos of a long period', () => {
  it('are nine at most, the first and the last among them', () => {
    const reports = complete(Array.from({ length: 40 }, (_, week) => 40 - week / 2));
    const shown = shownReports(reports);
    expect(shown).toHaveLength(9);
    expect(new Set(shown).size).toBe(9);
    expect([shown[0], shown.at(-1)]).toEqual([reports[0], reports.at(-1)]);
  });
});
