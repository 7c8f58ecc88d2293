import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { OrderParts } from '../outbox/order-parts.js';
import { authoritiesOf, takes, versionsFor } from '../routing/routes.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { FailureFactsReader } from './failure-facts-reader.js';
import type { OrderAnalyses } from './order-analyses.js';
import type { OrderMember } from './order-message-composer.js';
import { ReportFactsReader, type WholeFacts } from './report-facts-reader.js';

/** What a destination is told of the photos of one order. */
export interface OrderNews {
  readonly members: readonly OrderMember[];
  /** The first of which it lacks something; null: it has all of it. */
  readonly carrier: OrderMember | null;
}

/** Reads the photos of an order for a destination. */
@Injectable()
export class OrderMembersReader {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reports: ReportFactsReader,
    private readonly failures: FailureFactsReader,
    private readonly parts: OrderParts,
  ) {}

  async of(tenant: Tenant, { analyses }: OrderAnalyses, destination: Hl7Destination): Promise<OrderNews> {
    const subjects = analyses.flatMap((one) =>
      one.kind === 'report' ? one.reportId : one.kind === 'failure' ? one.analysisId : [],
    );
    const told = await this.unitOfWork.inTenant(tenant, (transaction) =>
      this.parts.told(transaction, destination.id, subjects),
    );
    const members: OrderMember[] = [];
    const news: OrderMember[] = [];
    for (const analysis of analyses) {
      const member =
        analysis.kind === 'report'
          ? await this.reportOf(tenant, analysis.reportId, destination, told)
          : analysis.kind === 'failure'
            ? await this.failureOf(tenant, analysis.analysisId, destination, told)
            : null;
      if (member === null || (members[0] !== undefined && members[0].patientId !== member.patientId)) continue;
      members.push(member);
      if (member.version > member.told && endedAt(member) >= destination.createdAt) news.push(member);
    }
    return { members, carrier: news[0] ?? null };
  }

  private async reportOf(
    tenant: Tenant,
    reportId: string,
    destination: Hl7Destination,
    toldVersions: ReadonlyMap<string, number>,
  ): Promise<OrderMember | null> {
    const facts = await this.reports.readWhole(tenant, reportId);
    if (facts === null) return null;
    const told = toldVersions.get(reportId) ?? 0;
    const wanted = versionsFor(destination, facts.versions);
    const latest = wanted.at(-1);
    if (latest === undefined || (told === 0 && !takes(destination.settings.routes, facts.routed))) return null;
    // What was withdrawn is taken back once, from those who have it.
    if (latest.status === 'entered-in-error' && (told === 0 || told === latest.version)) return null;
    const before = wanted.findLast(({ version }) => version <= told) ?? null;
    const shared = { subjectId: reportId, version: latest.version, told, patientId: facts.patientId };
    return { kind: 'report', ...shared, facts, latest, before };
  }

  private async failureOf(
    tenant: Tenant,
    analysisId: string,
    { settings: { routes } }: Hl7Destination,
    toldVersions: ReadonlyMap<string, number>,
  ): Promise<OrderMember | null> {
    const failure = await this.failures.read(tenant, analysisId);
    if (failure === null) return null;
    const { receivedPid, record, identifier } = failure.facts.patient;
    const routed = { origin: failure.origin, authorities: authoritiesOf(receivedPid, record, identifier) };
    const told = toldVersions.get(analysisId) ?? 0;
    const isTaken = takes(routes, routed) && (routes.statuses.length === 0 || routes.statuses.includes('final'));
    if (told === 0 && !isTaken) return null;
    const patientId = failure.patientId ?? record?.id ?? null;
    return { kind: 'failure', subjectId: analysisId, version: 1, told, patientId, failure };
  }
}

function endedAt(member: OrderMember): Date {
  return member.kind === 'report' ? newestOf(member.facts) : member.failure.facts.failedAt;
}

function newestOf({ versions }: WholeFacts): Date {
  return versions.at(-1)!.issuedAt;
}
