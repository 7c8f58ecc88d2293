import type { RelatedWound, SeriesRelation } from '../followup/related-areas.js';
import type { TimedRelation } from '../followup/wound-relation.js';
import type { WoundRepository } from '../followup/wound.repository.js';
import type { TenantTransaction } from '../ports/unit-of-work.js';
import type { ClinicalReport } from './clinical-report.js';
import type { ReportRepository } from './report.repository.js';
import { toAssessment } from './reported-assessment.js';

export interface SeriesRelationPorts {
  readonly reports: Pick<ReportRepository, 'series'>;
  readonly wounds: Pick<WoundRepository, 'rootOf'>;
}

/** The relations of one wound with what the other wounds of them hold at this moment. Reads nothing where there is none. */
export class SeriesRelations {
  constructor(private readonly ports: SeriesRelationPorts) {}

  /** As the series of `rootId` sees them; those in which its area has no part are left out. */
  async of(
    transaction: TenantTransaction,
    rootId: string,
    relations: readonly TimedRelation[],
  ): Promise<SeriesRelation[]> {
    const known: SeriesRelation[] = [];
    for (const relation of relations) {
      const { kind, at } = relation;
      const { whole, parts } = await this.rootsOf(transaction, relation);
      const [before, after] = kind === 'joined' ? [parts, [whole]] : [[whole], parts];
      // Of two that turned out to be the same wound there is nothing to add up.
      if (parts.length < 2 || !after.includes(rootId)) continue;
      const related = async (ids: readonly string[], read: (id: string) => Promise<RelatedWound>) => {
        const wounds: RelatedWound[] = [];
        for (const id of ids) wounds.push(await read(id));
        return wounds;
      };
      known.push({
        kind,
        at,
        before: await related(before, (id) =>
          id === rootId ? Promise.resolve(veryWound(id)) : this.until(transaction, id, at),
        ),
        beside: await related(
          after.filter((id) => id !== rootId),
          (id) => this.since(transaction, id, at),
        ),
      });
    }
    return known;
  }

  /** The other wounds whose comparisons rest on the areas of `rootId`. */
  async dependents(
    transaction: TenantTransaction,
    rootId: string,
    relations: readonly TimedRelation[],
  ): Promise<string[]> {
    const found = new Set<string>();
    for (const relation of relations) {
      const { whole, parts } = await this.rootsOf(transaction, relation);
      for (const id of relation.kind === 'joined' ? [whole] : parts) if (id !== rootId) found.add(id);
    }
    return [...found];
  }

  private async rootsOf(transaction: TenantTransaction, { wholeId, partIds }: TimedRelation) {
    const rootOf = async (id: string) => (await this.ports.wounds.rootOf(transaction, id)).id;
    const parts = new Set<string>();
    for (const id of partIds) parts.add(await rootOf(id));
    return { whole: await rootOf(wholeId), parts: [...parts] };
  }

  private async until(transaction: TenantTransaction, woundRef: string, at: Date): Promise<RelatedWound> {
    const reports = standingOf(await this.ports.reports.series(transaction, woundRef)).filter(
      ({ content }) => Date.parse(content.capturedAt) < at.getTime(),
    );
    const from = countsFrom(reports);
    const areas = reports.filter(({ content }) => hasArea(content) && Date.parse(content.capturedAt) >= from);
    return { woundRef, assessments: reports.map(toAssessment), areas: areas.map(toAssessment) };
  }

  private async since(transaction: TenantTransaction, woundRef: string, at: Date): Promise<RelatedWound> {
    const reports = standingOf(await this.ports.reports.series(transaction, woundRef)).filter(
      ({ content }) => Date.parse(content.capturedAt) >= at.getTime(),
    );
    const areas = reports.filter(({ content }) => hasArea(content));
    return { woundRef, assessments: reports.map(toAssessment), areas: areas.map(toAssessment) };
  }
}

function veryWound(woundRef: string): RelatedWound {
  return { woundRef, assessments: null, areas: [] };
}

function standingOf(reports: readonly ClinicalReport[]): ClinicalReport[] {
  return reports.filter(({ content }) => content.comparison.supersededBy === null);
}

function hasArea({ comparison }: ClinicalReport['content']): boolean {
  return comparison.noTrendReason === null;
}

/** Since it was last closed, treated, or in a relation itself. */
function countsFrom(reports: readonly ClinicalReport[]): number {
  const comparison = reports.at(-1)?.content.comparison;
  if (comparison === undefined) return -Infinity;
  const { closure, relation, reset } = comparison;
  const baseline = reports.find(({ id }) => id === reset?.baselineReportId);
  const moments = [closure?.closedAt, relation?.at, baseline?.content.capturedAt];
  return Math.max(...moments.map((moment) => (moment === undefined ? -Infinity : Date.parse(moment))));
}
