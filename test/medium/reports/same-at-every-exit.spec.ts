import { STAGE_SYSTEMS, STAGE_VALUES, type WoundStage } from '../../../src/core/analysis/wound-stage.js';
import { RESETTING_EVENTS } from '../../../src/core/followup/clinical-event.js';
import { RELATION_KINDS } from '../../../src/core/followup/wound-relation.js';
import type { SeriesComparison } from '../../../src/core/followup/series.js';
import { NO_PICTURES, type ClinicalReport } from '../../../src/core/report/clinical-report.js';
import { eventsOfReport } from '../../../src/exits/webhooks/events/report-events.js';
import { toReportResources } from '../../../src/reports/diagnostic-report/to-diagnostic-report.js';
import { ReportRenderer } from '../../../src/reports/rendering/report-renderer.js';
import { stageText } from '../../../src/reports/documents/stage-text.js';
import { RELATION, RESET } from '../../../src/reports/terminology/follow-up-codes.js';
import { speak } from '../../../src/reports/wording/wording.js';
import { destinationSettings, resultFacts, rowsOf, segmentsOf } from '../../support/hl7-result.js';
import { readingOf, reportsOf } from '../../support/sample-report.js';

const CONTEXT = {
  patient: 'Patient/p1',
  performer: 'Organization/o1',
  encounter: null,
  order: null,
  snomed: true,
  style: 'discrete',
  document: null,
  findingsBefore: null,
  mediaOf: (imageId: string) => `Media/${imageId}`,
} as const;

const STAGES = STAGE_SYSTEMS.flatMap((system) =>
  STAGE_VALUES[system].map((value) => ({ system, value }) as WoundStage),
);

/** The last report of two, as each exit tells it. */
function exitsOf(
  wish: Parameters<typeof reportsOf>[0],
  edit: (report: ClinicalReport) => ClinicalReport = (one) => one,
) {
  const reports = reportsOf(wish);
  const report = edit(reports.at(-1)!);
  const reading = readingOf([...reports.slice(0, -1), report]);
  const rows = (timeZone = 'UTC') => rowsOf(segmentsOf(resultFacts(report), destinationSettings({ timeZone })));
  const { report: resource, observations } = toReportResources(reading, CONTEXT);
  const webhook = eventsOfReport([report], null).find(({ type }) => type === 'report.ready')!;
  const paper = async (language: 'en' | 'de' = 'en') =>
    Buffer.from(await new ReportRenderer().render(reading, NO_PICTURES, 'text', language))
      .toString('utf8')
      .replaceAll(/\s+/g, ' ');
  return { report, rows, resource, observations, webhook, paper };
}

describe('at every exit the same', () => {
  it.each(STAGES)('stage of $system $value', async (stage) => {
    const { rows, observations, webhook, paper } = exitsOf({ weeks: [10, 9], observed: [null, { stage }] });
    const shown = observations.find(({ id }) => id!.endsWith('-stated-stage'))!;
    const code = shown.valueCodeableConcept!.coding![0]!.code;
    expect(code).toBe(`stage-${stage.system}-${stage.value.toLowerCase().replaceAll('_', '-')}`);
    expect(rows().get('wound-stage 1')![5]!.split('^')[0]).toBe(code);
    expect(webhook.text['clinicianObservations']).toMatchObject({ stage });
    const words = stageText(speak('en'), stage);
    expect((await paper()).toLowerCase()).toContain(words.toLowerCase().replaceAll('\u00a0', ' '));
  });

  it.each([
    ['higher', '2', '4', 'worsening', 'worse'],
    ['lower', '4', '2', 'unchanged', undefined],
  ] as const)('verdict of a stage that is %s', (_name, then, now, verdict, direction) => {
    const staged = (value: '2' | '4') => ({ stage: { system: 'pressure', value } as const });
    const { rows, observations, webhook } = exitsOf({ weeks: [10, 10.1], observed: [staged(then), staged(now)] });
    const panel = observations.find(({ id }) => id!.endsWith('-panel'))!;
    const told = webhook.data['course'] as NonNullable<SeriesComparison['course']>;
    expect([told.verdict, told.because.find(({ domain }) => domain === 'stage')?.direction]).toEqual([
      verdict,
      direction,
    ]);
    expect(rows().get('course 1')![5]).toContain(`course-${verdict}^`);
    expect(rows().get('course 1')![8]).toBe(verdict === 'worsening' ? 'W' : '');
    expect(JSON.stringify(panel.component)).toContain(`"course-${verdict}"`);
  });

  it.each(RELATION_KINDS)('relation of wounds that %s', async (kind) => {
    const relation = {
      kind,
      at: '2025-09-08T00:00:00.000Z',
      wounds: ['w1', 'w2'],
      change: null,
      sumOf: [],
      areaCm2: null,
      beforeReportId: null,
    };
    const { rows, resource, webhook, paper } = exitsOf({ weeks: [10, 9] }, (report) => ({
      ...report,
      content: { ...report.content, comparison: { ...report.content.comparison, relation } as SeriesComparison },
    }));
    const { code } = RELATION[kind];
    expect(rows().get('wound-relation 1')![5]!.split('^')[0]).toBe(code);
    expect(resource.conclusionCode!.flatMap(({ coding = [] }) => coding.map((one) => one.code))).toContain(code);
    expect(webhook.data['relation']).toBe(kind);
    expect(await paper()).toMatch(kind === 'joined' ? /grown together|grew together/i : /split|fallen apart/i);
  });

  it.each(RESETTING_EVENTS)('new baseline after a %s', (type) => {
    const occurredAt = new Date('2025-09-09T07:00:00Z');
    const { report, rows, resource, webhook } = exitsOf({ weeks: [10, 14], events: [{ type, occurredAt }] });
    expect(report.content.comparison.reset).toMatchObject({ type });
    const { code } = RESET[type];
    expect(rows().get('area-reset 1')![5]!.split('^')[0]).toBe(code);
    expect(resource.conclusionCode!.flatMap(({ coding = [] }) => coding.map((one) => one.code))).toContain(code);
    expect(webhook.data['reset']).toBe(type);
  });

  it.each(['Pacific/Pago_Pago', 'UTC', 'Europe/Berlin', 'Pacific/Kiritimati'])(
    'day on which a stage was stated, whatever the clocks (%s)',
    async (timeZone) => {
      const stage = { system: 'pressure', value: '3', statedAt: '2025-09-01' } as const;
      const { rows, observations, webhook, paper } = exitsOf({ weeks: [10, 9], observed: [null, { stage }] });
      expect(rows(timeZone).get('wound-stage 1')![14]).toBe('20250901');
      const shown = observations.find(({ id }) => id!.endsWith('-stated-stage'))!;
      expect(shown.effectiveDateTime).toBe('2025-09-01');
      expect(webhook.text['clinicianObservations']).toMatchObject({ stage: { statedAt: '2025-09-01' } });
      expect(await paper()).toContain('1 Sept 2025');
    },
  );
});
