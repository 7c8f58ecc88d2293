import type { CodedConcept } from '../../../core/analysis/analysis-job.js';
import { tissueModelOf } from '../../../core/analysis/models-used.js';
import type { MeasuredCm, ScaleUsed } from '../../../core/measurement/wound-result.js';
import { MEASURE_TABLE, type MeasureUnit } from '../../../core/measurement/measures.js';
import type { ClinicalReport } from '../../../core/report/clinical-report.js';
import { photoTrustOf } from '../../../core/report/photo-trust.js';
import { TISSUE_TABLE, tissuesOf, type Tissue } from '../../../core/tissue/tissues.js';
import {
  CLOSURE,
  codesOfChange,
  conceptWordsIn,
  FLAG,
  LOOK,
  OBSERVED_MEASURES,
  RELATION,
  RESET,
  SNOMED,
  summarizeReport,
  VERDICT,
  type Language,
  type ObservedMeasure,
} from '../../../reports/index.js';
import type { CodedValue } from '../../../standards/hl7v2/er7/message-writer.js';
import {
  attentionValue,
  boundOf,
  DOUBT,
  toCoded,
  MEASURE_ROW,
  METHOD,
  nameOfSystem,
  ROW,
  sideValue,
  tissueValue,
  unitOf,
  warningValue,
  type RowUnit,
  type TissueEvidence,
} from '../settings/local-codes.js';
import { figure } from './figure.js';
import type { ResultRow, RowValue } from './result-row.js';
import { toClinicianRows } from './clinician-rows.js';

export interface RowFacts {
  /** End of the analysis; null: unknown. */
  readonly analysedAt: Date | null;
  readonly language: Language;
  /** IANA zone of the days that the conclusion names. */
  readonly timeZone: string;
  /** Whether codes of SNOMED CT may be used. */
  readonly snomed: boolean;
  /** Whether each measure gets rows for its interval. */
  readonly intervals: boolean;
}

/** The origin of a value. */
type Source = 'outline' | 'bed' | 'rule' | 'confidence';

const WOUND = '1';
/** How a figure of the model's outline was found, by where the scale came from. */
const AUTOMATED: Readonly<Record<ScaleUsed['source'], CodedValue>> = {
  none: METHOD.uncalibrated,
  marker: METHOD.calibrated,
  client: METHOD.calibrated,
  reviewer: METHOD.scaled,
};
/** The least digits after the point. */
const LEAST_DIGITS: Readonly<Record<MeasureUnit, number>> = { cm2: 2, cm: 1 };

/** The rows of one version of a report, without documents. Pure: the same report gives the same rows. */
export function toReportRows(report: ClinicalReport, facts: RowFacts): ResultRow[] {
  return new ReportRows(report, facts).all();
}

class ReportRows {
  constructor(
    private readonly report: ClinicalReport,
    private readonly facts: RowFacts,
  ) {}

  all(): ResultRow[] {
    return [
      ...this.subject(),
      ...this.measures(),
      ...this.quality(),
      ...this.attention(),
      ...this.tissues(),
      ...this.course(),
      ...this.change(),
      ...this.slope(),
      ...this.flags(),
      ...this.confidence(),
      ...this.familiarity(),
      ...toClinicianRows(this.report.content.clinicianObservations, this.facts),
      this.conclusion(),
    ];
  }

  private subject(): ResultRow[] {
    const { woundId, bodySite, laterality } = this.report.content.subject;
    const site = this.siteOf(bodySite);
    return [
      ...(woundId === null ? [] : [this.plain(ROW.woundId, { type: 'ST', text: woundId })]),
      ...(site === null ? [] : [this.plain(ROW.site, { type: 'CWE', values: [site] })]),
      ...(laterality === null ? [] : [this.plain(ROW.side, { type: 'CWE', values: [sideValue(laterality)] })]),
    ];
  }

  /** The site as the caller gave it; a code of a system without a name in table 0396 is given by its text, or by the name of the site that it is known for. */
  private siteOf(site: CodedConcept | null): CodedValue | null {
    const { code, system, display } = site ?? {};
    const name = system === undefined ? null : nameOfSystem(system);
    const coded = code !== undefined && name !== null && (this.facts.snomed || system !== SNOMED);
    const words = site === null ? null : conceptWordsIn(this.facts.language, site);
    if (coded) return { code, system: name, ...(display === undefined ? {} : { display }) };
    if (words === null) return null;
    // A receiver's table may have the code that no words came with.
    return { code: '', display: words, ...(display === undefined ? { lookedUpAs: code! } : {}) };
  }

  private measures(): ResultRow[] {
    const rows = OBSERVED_MEASURES.map((measure) =>
      this.length(MEASURE_ROW[measure], this.onSkin(measure)?.value ?? null, measure),
    );
    return this.facts.intervals ? [...rows, ...OBSERVED_MEASURES.flatMap((measure) => this.interval(measure))] : rows;
  }

  private interval(measure: ObservedMeasure): ResultRow[] {
    const measured = this.onSkin(measure);
    if (measured === null) return [];
    return (['lower', 'upper'] as const).map((end) => this.length(boundOf(measure, end), measured[end], measure));
  }

  private onSkin(measure: ObservedMeasure): MeasuredCm | null {
    const { figures } = this.report.content.findings;
    return (measure === 'area' ? figures?.area.cm2 : figures?.[measure].cm) ?? null;
  }

  private length(code: CodedValue, value: number | null, measure: ObservedMeasure): ResultRow {
    const { unit } = MEASURE_TABLE[measure];
    return this.figure(code, value === null ? null : figure(value, LEAST_DIGITS[unit]), unit, 'outline');
  }

  private quality(): ResultRow[] {
    const { findings, review } = this.report.content;
    const { quality, outlineReliable } = photoTrustOf(findings, review);
    const values = [
      ...(quality.acceptable ? [] : [DOUBT.photo]),
      ...(outlineReliable === false ? [DOUBT.outline] : []),
      ...quality.warnings.map(warningValue),
    ];
    return values.length === 0 ? [] : [this.plain(ROW.quality, { type: 'CWE', values })];
  }

  /** Absent once the report is reviewed. */
  private attention(): ResultRow[] {
    const { attention } = this.report.content.comparison;
    return attention.length === 0
      ? []
      : [this.plain(ROW.attention, { type: 'CWE', values: attention.map(attentionValue) })];
  }

  /** A pair of rows for each tissue that was seen, with a number that is the same in every version. */
  private tissues(): ResultRow[] {
    const { tissue } = this.report.content.findings;
    if (tissue === null) return [];
    return tissuesOf(tissue).flatMap((name) => (tissue[name] > 0 ? this.tissuePair(name, tissue[name]) : []));
  }

  private tissuePair(name: Tissue, share: number): ResultRow[] {
    const { tissue, confirmedTissues } = this.report.content.findings;
    const subId = `${WOUND}.${TISSUE_TABLE[name].number}`;
    const byRule = tissue?.method[name] === 'cielab_rule';
    const evidence: TissueEvidence = confirmedTissues.includes(name) ? 'confirmed' : byRule ? 'rule' : 'model';
    const value: RowValue = { type: 'CWE', values: [tissueValue(name, { snomed: this.facts.snomed, evidence })] };
    const source = byRule && confirmedTissues.length === 0 ? 'rule' : 'bed';
    return [
      { ...this.measured(ROW.appearance, source), type: 'CWE', value, subId },
      { ...this.figure(ROW.share, figure(Math.round(share * 1000) / 10, 1), 'percent', source), subId },
    ];
  }

  private change(): ResultRow[] {
    const { sincePrevious } = this.report.content.comparison;
    if (sincePrevious === null) return [];
    const row = this.figure(ROW.change, figure(sincePrevious.areaPct, 1), 'percent', 'outline');
    return [{ ...row, interpretation: this.interpretationOf(sincePrevious.areaPct) }];
  }

  /** Better or worse from all that is known; no row where that is not known. */
  private course(): ResultRow[] {
    const { course } = this.report.content.comparison;
    if (course === undefined || course.verdict === 'unknown') return [];
    const { own, abnormalFlag } = VERDICT[course.verdict];
    return [{ ...this.plain(ROW.course, { type: 'CWE', values: [toCoded(own)] }), interpretation: abnormalFlag }];
  }

  private interpretationOf(change: number): ResultRow['interpretation'] {
    return codesOfChange(this.report.content.comparison, change).abnormalFlag;
  }

  /** The area over several assessments; it decides the trend where there is one. */
  private slope(): ResultRow[] {
    const { slope, trendBasis } = this.report.content.comparison;
    if (slope === null) return [];
    const { pctPerWeek, marginAdvanceMmPerDay: margin } = slope;
    const weekly = (code: CodedValue, value: number) =>
      this.figure(code, figure(value, 1), 'percentPerWeek', 'outline');
    const ends = [weekly(ROW.slopeLower, pctPerWeek.lower), weekly(ROW.slopeUpper, pctPerWeek.upper)];
    return [
      {
        ...weekly(ROW.slope, pctPerWeek.value),
        interpretation: trendBasis === 'slope' ? this.interpretationOf(pctPerWeek.value) : '',
      },
      ...(this.facts.intervals ? ends : []),
      ...(margin === null ? [] : [this.figure(ROW.margin, figure(margin.value, 3), 'mmPerDay', 'outline')]),
    ];
  }

  /** What is worth a look, one repetition each, also what the software alone sees; what people decided of the wound, and the treatment since which its area counts. */
  private flags(): ResultRow[] {
    const { flags, comparison } = this.report.content;
    const { closure, reset, relation, unconfirmedNecrosis } = comparison;
    const values = [
      ...flags.map(({ code }) => toCoded(FLAG[code])),
      ...(unconfirmedNecrosis === undefined ? [] : [toCoded(LOOK.necrosis)]),
    ];
    const decided = closure?.reopenedAt === null ? CLOSURE.closed : CLOSURE.reopened;
    return [
      ...(values.length === 0 ? [] : [this.plain(ROW.flags, { type: 'CWE', values })]),
      ...(closure === null ? [] : [this.plain(ROW.closure, { type: 'CWE', values: [toCoded(decided)] })]),
      ...(reset === undefined ? [] : [this.plain(ROW.reset, { type: 'CWE', values: [toCoded(RESET[reset.type])] })]),
      ...(relation === undefined
        ? []
        : [this.plain(ROW.relation, { type: 'CWE', values: [toCoded(RELATION[relation.kind])] })]),
    ];
  }

  private confidence(): ResultRow[] {
    const { confidence } = this.report.content.findings;
    return confidence === null ? [] : [this.figure(ROW.confidence, figure(confidence, 2), 'one', 'confidence')];
  }

  /** For outlines of the model only. */
  private familiarity(): ResultRow[] {
    const { familiarity, outlineSource } = this.report.content.findings;
    if (!familiarity || outlineSource !== 'model') return [];
    return [this.figure(ROW.familiarity, figure(familiarity.expectedDice.value, 2), 'one', 'confidence')];
  }

  private conclusion(): ResultRow {
    const decision = this.report.content.review?.decision;
    const text = summarizeReport(this.report, this.facts.language, this.facts.timeZone);
    return {
      ...this.plain(ROW.conclusion, { type: 'TX', text }),
      observed: decision === 'accept' || decision === 'correct',
    };
  }

  /** A row with a given value, not a measured one. */
  private plain(code: CodedValue, value: RowValue): ResultRow {
    return {
      code,
      subId: WOUND,
      type: value.type,
      value,
      unit: null,
      interpretation: '',
      method: null,
      model: null,
      analysedAt: null,
      observed: false,
    };
  }

  private figure(code: CodedValue, text: string | null, unit: RowUnit, source: Source): ResultRow {
    return {
      ...this.measured(code, source),
      value: text === null ? null : { type: 'NM', text },
      unit: text === null ? null : unitOf(unit),
    };
  }

  /** The origin of a value: the model, a rule, or a person. A value that a person stated is no longer the model's. */
  private measured(code: CodedValue, source: Source): ResultRow {
    const { findings, models, review } = this.report.content;
    const base = { code, subId: WOUND, type: 'NM' as const, value: null, unit: null, interpretation: '' as const };
    const byPerson =
      (source === 'outline' && findings.outlineSource === 'reviewer_contour') ||
      (source === 'bed' && findings.confirmedTissues.length > 0);
    if (byPerson) {
      const analysedAt = review === null ? null : new Date(review.reviewedAt);
      return {
        ...base,
        method: source === 'bed' ? METHOD.stated : METHOD.outlined,
        model: null,
        analysedAt,
        observed: true,
      };
    }
    const method = source === 'rule' ? METHOD.rule : AUTOMATED[findings.scale.source];
    const model = source === 'bed' ? tissueModelOf(models, findings.model) : findings.model;
    return {
      ...base,
      method,
      model: source === 'rule' ? null : model,
      analysedAt: this.facts.analysedAt,
      observed: review?.decision === 'accept',
    };
  }
}
