import { areaOf, changeBetween, isComparable, type AreaChange } from './area-change.js';
import { daysBetween, type AssessmentInSeries, type SummedArea } from './series-order.js';
import { pointOf, type SeriesPoint } from './series-points.js';
import { totalOf } from './total-figures.js';
import type { Closure } from './wound-closure.js';
import type { RelationKind } from './wound-relation.js';

/** A wound that takes part in a relation of the wound whose series is compared. */
export interface RelatedWound {
  readonly woundRef: string;
  /** Its photos that stand, oldest first; null: it is the very wound, whose own photos are known. */
  readonly assessments: readonly AssessmentInSeries[] | null;
  /** Those of them whose areas count towards it: since it was last closed, treated or in a relation itself. Empty for the very wound. */
  readonly areas: readonly AssessmentInSeries[];
}

/** A relation as the series of one of its wounds sees it. */
export interface SeriesRelation {
  readonly kind: RelationKind;
  readonly at: Date;
  /** `joined`: those that grew together; `split`: the wound that it was. */
  readonly before: readonly RelatedWound[];
  /** Of a split: the other parts; of others none. */
  readonly beside: readonly RelatedWound[];
}

/** What grew together or fell apart: what is told of the area counts anew from the first photo of it. */
export interface AreaRelation {
  readonly kind: RelationKind;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** `joined`: the wounds that grew together; `split`: the one that it was part of. */
  readonly wounds: readonly string[];
  /**
   * On the first area after it: from the areas that grew together, in sum, to this one; from the wound before to all of its parts, in sum. null on later
   * areas, and where one of them has no area of about that time.
   */
  readonly change: AreaChange | null;
  /** What is added up for that change: `joined` before, `split` now; empty where there is none. */
  readonly sumOf: readonly SummedArea[];
  /** What that change is to, in cm². */
  readonly areaCm2: number | null;
  readonly beforeReportId: string | null;
  /** On the first area after it, for its curve: what it was before under other numbers, oldest first: the first of all and the newest, 52 at most; absent elsewhere. */
  readonly before?: readonly RelatedArea[];
  /** Of a split the same of all parts together on the first area after it; absent where they are not all known. */
  readonly together?: RelatedArea;
}

/** An area that belongs to the course of a wound and is not of its number alone: of the wound that it was part of, or of several together. */
export type RelatedArea = Pick<SeriesPoint, 'capturedAt' | 'capturedAsStated' | 'areaCm2' | 'sumOf'>;

/** Areas of one visit, which is no longer than visits lie apart: a week, and the half day that they are early or late by. */
const LONGEST_VISIT_DAYS = 7.5;

/** The last relation that began by that moment, unless the wound was closed since; null: there is none. */
export function relationAt(
  relations: readonly SeriesRelation[],
  moment: Date,
  closure: Closure | null,
): SeriesRelation | null {
  const last = relations.findLast(({ at }) => at.getTime() <= moment.getTime()) ?? null;
  return last !== null && closure !== null && Date.parse(closure.closedAt) > last.at.getTime() ? null : last;
}

/** The areas with which a segment begins: of wounds that grew together their sums, visit by visit. `own`: of the very wound until then. */
export function areasBefore(
  { kind, before }: SeriesRelation,
  own: readonly AssessmentInSeries[],
): readonly AssessmentInSeries[] {
  return kind === 'joined' ? sumsOf(before.map((part) => (part.assessments === null ? own : part.areas))) : [];
}

/** The change across a split, on the first area of one of its parts. `own`: areas of the very wound until then. */
export function acrossSplit(
  { before, beside }: SeriesRelation,
  own: readonly AssessmentInSeries[],
  assessment: AssessmentInSeries,
): Pick<AreaRelation, 'change' | 'sumOf' | 'areaCm2' | 'beforeReportId' | 'before' | 'together'> {
  const last = before.flatMap((whole) => (whole.assessments === null ? own : whole.areas)).at(-1);
  const others = beside.map(({ areas }) =>
    areas.findLast((area) => {
      const days = daysBetween(area, assessment);
      return days >= 0 && days <= LONGEST_VISIT_DAYS;
    }),
  );
  const known = others.filter((area) => area !== undefined);
  const sum = known.length < others.length ? null : sumOf([assessment, ...known]);
  const drawn = drawnOf(before.flatMap(({ areas }) => areas));
  if (last === undefined || sum === null) return { ...NOT_SUMMED, ...drawn };
  return {
    change: changeBetween(last, sum),
    sumOf: sum.sumOf!,
    areaCm2: areaOf(sum.findings).value,
    beforeReportId: last.reportId,
    ...drawn,
    together: relatedAreaOf(sum),
  };
}

/** A year of weekly visits; the first of all is the baseline, and stays. */
const MOST_DRAWN = 52;

/** For a curve: what is not of the wound's own number. Absent where there is none. */
export function drawnOf(areas: readonly AssessmentInSeries[]): Pick<AreaRelation, 'before'> {
  if (areas.length === 0) return {};
  const drawn = areas.length <= MOST_DRAWN ? areas : [areas[0]!, ...areas.slice(1 - MOST_DRAWN)];
  return { before: drawn.map(relatedAreaOf) };
}

function relatedAreaOf(area: AssessmentInSeries): RelatedArea {
  const { capturedAt, capturedAsStated, areaCm2, sumOf } = pointOf(area);
  return {
    capturedAt,
    ...(capturedAsStated === undefined ? {} : { capturedAsStated }),
    areaCm2,
    ...(sumOf === undefined ? {} : { sumOf }),
  };
}

/** The wounds that a relation is with. */
export function refsOf({ before }: SeriesRelation): string[] {
  return before.map(({ woundRef }) => woundRef);
}

/** What is told of a relation where nothing can be added up. */
export const NOT_SUMMED = { change: null, sumOf: [], areaCm2: null, beforeReportId: null } as const;

/** One sum for each visit at which every wound has an area; each area counts once. */
function sumsOf(wounds: readonly (readonly AssessmentInSeries[])[]): AssessmentInSeries[] {
  const all = wounds
    .flatMap((areas, wound) => areas.map((area) => ({ wound, area })))
    .sort((a, b) => a.area.capturedAt.getTime() - b.area.capturedAt.getTime());
  const sums: AssessmentInSeries[] = [];
  const visit = new Map<number, AssessmentInSeries>();
  for (const { wound, area } of all) {
    visit.set(wound, area);
    const members = [...visit.values()];
    if (members.length < wounds.length || members.some((one) => daysBetween(one, area) > LONGEST_VISIT_DAYS)) continue;
    const sum = sumOf(members);
    if (sum !== null) sums.push(sum);
    visit.clear();
  }
  return sums;
}

/**
 * One assessment in place of several, as of the newest: null where they are not safely comparable with each other. They err each for itself, and by the
 * scale together.
 */
function sumOf(assessments: readonly AssessmentInSeries[]): AssessmentInSeries | null {
  const bySize = [...assessments].sort((a, b) => areaOf(b.findings).value - areaOf(a.findings).value);
  const [largest, newest] = [bySize[0]!, assessments.reduce((last, one) => (daysBetween(last, one) > 0 ? one : last))];
  if (bySize.some((one) => !isComparable(largest, one))) return null;
  const figures = totalOf(bySize.map(({ findings }) => findings.figures!));
  const total = bySize.reduce((sum, { findings }) => sum + areaOf(findings).value, 0);
  const errors = bySize.map(({ findings }) => findings.areaRepeatabilityPct * areaOf(findings).value);
  const scales = bySize.map(({ findings }) => findings.scale.uncertaintyPct ?? 0);
  return {
    ...newest,
    observations: null,
    findings: {
      ...largest.findings,
      figures,
      tissue: null,
      confirmedTissues: [],
      areaRepeatabilityPct: total === 0 ? largest.findings.areaRepeatabilityPct : Math.hypot(...errors) / total,
      scale: { ...largest.findings.scale, uncertaintyPct: Math.max(...scales) },
    },
    sumOf: assessments.map((one) => ({
      woundRef: one.stated.woundRef,
      reportId: one.reportId,
      areaCm2: areaOf(one.findings).value,
    })),
  };
}

/** As on later areas: without the figures of the first. */
export function plainly({ kind, at, wounds }: AreaRelation): AreaRelation {
  return { kind, at, wounds, ...NOT_SUMMED };
}
