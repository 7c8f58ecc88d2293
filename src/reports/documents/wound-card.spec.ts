import { DIABETIC_FOOT_ULCER, readingOf, reportsOf, SUBJECT } from '../../../test/support/sample-report.js';
import type { WoundToTell } from '../../core/ehrs/wounds-to-tell.js';
import type { Wound } from '../../core/followup/wound.js';
import type { ClinicalReport } from '../../core/report/clinical-report.js';
import { LANGUAGES } from '../wording/language.js';
import { WORDINGS } from '../wording/wording.js';
import { tellCourse } from './course-told.js';
import { tellWoundCard } from './wound-card.js';

const NOTHING = { isWorse: false, milestones: [], waiting: 0, mayBeSpreading: false, lastPhotoAt: null };

function told(reports: readonly ClinicalReport[], wish: Partial<WoundToTell> = {}): WoundToTell {
  const reading = readingOf(reports);
  const course = reading.report.content.comparison.course ?? null;
  return { ...NOTHING, wound: { id: 'w' } as Wound, reading, course, ...wish };
}

/** The same reports with another text in the place of the site. */
function withSite(reports: readonly ClinicalReport[], text: string): readonly ClinicalReport[] {
  return reports.map((report) => ({
    ...report,
    content: {
      ...report.content,
      subject: { ...report.content.subject, bodySite: { display: text }, laterality: null },
    } as ClinicalReport['content'],
  }));
}

const WORSE = reportsOf({ weeks: [8, 4.6], observed: [{ depthCm: 1 }, { depthCm: 4.5 }] });

describe('a card of a wound', () => {
  it('has a summary of fewer than 140 characters in every language, however long the place is', () => {
    const long = withSite(WORSE, `${'Unterschenkel außen über dem Knöchel '.repeat(8)}👣`);
    const every: readonly Partial<WoundToTell>[] = [
      ...(['worsening', 'mixed', 'reopened'] as const).map((verdict) => ({
        isWorse: true,
        course: { verdict, since: '2026-01-05T08:30:00.000Z', because: [], waitsFor: [] },
      })),
      { mayBeSpreading: true },
      { milestones: readingOf(WORSE).report.content.flags },
      { waiting: 12 },
      { lastPhotoAt: new Date('2026-01-05T08:30:00Z') },
    ];
    for (const language of LANGUAGES)
      for (const wish of every) {
        const { summary } = tellWoundCard(told(long, wish), language);
        expect(summary.length).toBeLessThan(140);
        expect(summary).toContain('…');
        expect(summary).not.toMatch(/\u00a0|[\ud800-\udbff](?![\udc00-\udfff])/);
      }
  });

  it('says the verdict, its findings and their figures in the words of the desk', () => {
    const worse = told(WORSE, { isWorse: true });
    for (const language of LANGUAGES) {
      const { headline, points } = tellCourse(worse.reading, language);
      const { detail, summary } = tellWoundCard(worse, language);
      const plain = detail.replace(/\\(.)/g, '$1');
      for (const text of [headline, ...points]) expect(plain).toContain(text.replaceAll('\u00a0', ' '));
      expect(summary).toContain(WORDINGS[language][`verdict.${worse.course!.verdict}`].replaceAll('\u00a0', ' '));
      expect(plain).toContain(WORDINGS[language]['notice.decisionSupport'].replaceAll('\u00a0', ' '));
    }
  });

  it('says beside a milestone that it is no prediction', () => {
    const reports = reportsOf({ weeks: [8, 7.8, 7.7, 7.6, 7.5], woundType: DIABETIC_FOOT_ULCER });
    const { flags } = readingOf(reports).report.content;
    const milestones = flags.filter(({ evidenceFor }) => evidenceFor !== null);
    expect(milestones.length).toBeGreaterThan(0);
    for (const language of LANGUAGES)
      expect(tellWoundCard(told(reports, { milestones }), language).detail).toContain(
        WORDINGS[language]['flag.notPrediction'].replaceAll('\u00a0', ' '),
      );
  });

  it('shows what callers wrote as text: no markup, no HTML, no address that becomes a link', () => {
    const hostile = withSite(WORSE, '[Heel](https://evil.example) <img src=x onerror=1> **now** www.evil.example');
    const reports = hostile.map((report) => ({
      ...report,
      content: {
        ...report.content,
        flags: [
          {
            code: 'infection_signs_recorded',
            value: 1,
            days: 0,
            words: ['<script>alert(1)</script>', '[x](https://evil.example)', 'a@evil.example'],
            evidence: [],
            evidenceFor: null,
            woundTypeKnown: true,
          },
        ],
      },
    })) as readonly ClinicalReport[];
    const { detail, summary } = tellWoundCard(told(reports, { isWorse: true }), 'en');
    expect(detail).not.toMatch(/<script|[^\\]\]\(|https:\/\/|www\.|a@/);
    expect(detail).toContain('&lt;script&gt;');
    expect(summary).not.toMatch(/\n/);
  });

  it('says where nobody has reviewed the result, and what the model is for', () => {
    const { detail } = tellWoundCard(told(WORSE, { isWorse: true, waiting: 2 }), 'en');
    expect(detail).toContain(WORDINGS.en['card.waiting'].replace('{count}', '2'));
  });

  it('names the wound by its number where no site is known', () => {
    const unplaced = WORSE.map((report) => ({
      ...report,
      content: { ...report.content, subject: { ...report.content.subject, bodySite: null, laterality: null } },
    }));
    const { summary } = tellWoundCard(told(unplaced, { waiting: 1 }), 'de');
    expect(summary).toMatch(new RegExp(`^${WORDINGS.de['card.wound']} ${SUBJECT.woundId}`));
  });
});
