import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { ListenerAuthorities, withAuthorities } from '../destinations/listener-authorities.js';
import { OrderParts } from '../outbox/order-parts.js';
import { authoritiesOf, takes, versionsFor } from '../routing/routes.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { FailureFactsReader } from './failure-facts-reader.js';
import type { OrderAnalyses } from './order-analyses.js';
import type { OrderMember } from './order-message-composer.js';
import { ReportFactsReader, type WholeFacts } from './report-facts-reader.js';

/** What a destination is told of the photos of one order and patient. */
export interface OrderNews {
  readonly members: readonly OrderMember[];
  /** The first of which it lacks something. */
  readonly carrier: OrderMember;
}

/** Reads the photos of an order for a destination. */
@Injectable()
export class OrderMembersReader {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reports: ReportFactsReader,
    private readonly failures: FailureFactsReader,
    private readonly parts: OrderParts,
    private readonly authorities: ListenerAuthorities,
  ) {}

  /** In the order of their ids, with the authorities that the listeners know. */
  async addressed(tenant: Tenant, destinations: readonly Hl7Destination[]): Promise<Hl7Destination[]> {
    const known = await this.authorities.ofTenant(tenant);
    return [...destinations]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map((one) => ({ ...one, settings: withAuthorities(one.settings, known) }));
  }

  /** Empty where it has all of it. An order is one patient's; should its photos be of several, nobody's stands under another's PID. */
  async of(tenant: Tenant, { analyses }: OrderAnalyses, destination: Hl7Destination): Promise<OrderNews[]> {
    const told = await this.toldVersions(tenant, analyses, destination);
    const members: OrderMember[] = [];
    for (const analysis of analyses) {
      const member =
        analysis.kind === 'report'
          ? await this.reportOf(tenant, analysis.reportId, destination, told)
          : analysis.kind === 'failure'
            ? await this.failureOf(tenant, analysis.analysisId, destination, told)
            : null;
      if (member !== null) members.push(member);
    }
    const isNews = (member: OrderMember): boolean =>
      member.version > member.told && endedAt(member) >= destination.createdAt;
    const patients = new Set(members.map(({ patientId }) => patientId).filter((id) => id !== null));
    // What failed before its patient was filed is of the order's.
    const [first = null] = patients;
    return [first, ...[...patients].slice(1)].flatMap((patient) => {
      const own = members.filter(({ patientId }) => (patientId ?? first) === patient);
      const carrier = own.find(isNews);
      return carrier === undefined ? [] : [{ members: own, carrier }];
    });
  }

  /**
   * The photos of an order that a message was about, by `statuses`: what it said in OBR-25 of each analysis. As far as the destination was told of
   * them by now, so that what is sent again never takes back what came later.
   */
  async told(
    tenant: Tenant,
    { analyses }: OrderAnalyses,
    destination: Hl7Destination,
    statuses: ReadonlyMap<string, string>,
  ): Promise<OrderMember[]> {
    const toldVersions = await this.toldVersions(tenant, analyses, destination);
    const members: OrderMember[] = [];
    for (const analysis of analyses) {
      if (analysis.kind === 'report') {
        const facts = await this.reports.readWhole(tenant, analysis.reportId);
        const status = facts === null ? undefined : statuses.get(facts.reading.report.jobId);
        if (facts === null || status === undefined) continue;
        members.push(...toldAgain(facts, destination, toldVersions.get(analysis.reportId) ?? 0, status));
      } else if (analysis.kind === 'failure' && statuses.has(analysis.analysisId)) {
        const failure = await this.failures.read(tenant, analysis.analysisId);
        if (failure === null) continue;
        const patientId = failure.patientId ?? failure.facts.patient.record?.id ?? null;
        members.push({ kind: 'failure', subjectId: analysis.analysisId, version: 1, told: 1, patientId, failure });
      }
    }
    return members;
  }

  private toldVersions(
    tenant: Tenant,
    analyses: OrderAnalyses['analyses'],
    { id }: Hl7Destination,
  ): Promise<ReadonlyMap<string, number>> {
    const subjects = analyses.flatMap((one) =>
      one.kind === 'report' ? one.reportId : one.kind === 'failure' ? one.analysisId : [],
    );
    return this.unitOfWork.inTenant(tenant, (transaction) => this.parts.told(transaction, id, subjects));
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

/** A correction stays one: of the version before, or of the same where it was only repeated. */
function toldAgain(facts: WholeFacts, destination: Hl7Destination, told: number, status: string): OrderMember[] {
  const wanted = versionsFor(destination, facts.versions);
  const latest = wanted.findLast(({ version }) => version <= told);
  if (latest === undefined) return [];
  const former = wanted.findLast(({ version }) => version < latest.version) ?? latest;
  const { patientId } = facts;
  const { id: subjectId, version } = latest;
  return [
    { kind: 'report', subjectId, version, told, patientId, facts, latest, before: status === 'C' ? former : null },
  ];
}

function endedAt(member: OrderMember): Date {
  return member.kind === 'report' ? newestOf(member.facts) : member.failure.facts.failedAt;
}

function newestOf({ versions }: WholeFacts): Date {
  return versions.at(-1)!.issuedAt;
}
