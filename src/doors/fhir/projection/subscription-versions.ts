import type { DiagnosticReport, Observation, Task } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { DeliveredEvent } from '../../../core/domain-events/domain-event.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ReportRepository } from '../../../core/report/report.repository.js';
import type { ResourceVersion } from '../../../exits/subscriptions/subscription-queue.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';

/** Versions of one resource that are looked at. */
const MOST_VERSIONS = 1000;

/** The versions that an event is about, as Subscriptions may ask for them; `whole`: with what goes with whole resources. */
@Injectable()
export class SubscriptionVersions {
  constructor(
    private readonly store: ResourceStore,
    private readonly reports: ReportRepository,
  ) {}

  async of(
    transaction: TenantTransaction,
    { kind, subjectId }: DeliveredEvent,
    whole: boolean,
  ): Promise<readonly ResourceVersion[]> {
    if (!kind.startsWith('report.')) return this.ofTask(transaction, subjectId, null);
    const [report] = await this.reports.versions(transaction, subjectId);
    const versions = await this.history<DiagnosticReport>(transaction, 'DiagnosticReport', subjectId, subjectId);
    // The projection of a report writes that its task is completed.
    const ofTask = report === undefined ? [] : await this.ofTask(transaction, report.jobId, subjectId);
    return [...(whole ? await this.withResults(transaction, versions) : versions), ...ofTask];
  }

  private async withResults(
    transaction: TenantTransaction,
    versions: readonly ResourceVersion[],
  ): Promise<readonly ResourceVersion[]> {
    const histories = new Map<string, readonly Observation[]>();
    const completed: ResourceVersion[] = [];
    for (const version of versions) {
      const report = version.resource as DiagnosticReport;
      const included: Observation[] = [];
      for (const { reference } of report.result ?? []) {
        const id = reference!.slice('Observation/'.length);
        if (!histories.has(id)) histories.set(id, await this.observations(transaction, id));
        // The figures of another version are not what this one says.
        included.push(
          ...histories
            .get(id)!
            .filter(({ issued }) => issued === report.issued)
            .slice(-1),
        );
      }
      completed.push({ ...version, included });
    }
    return completed;
  }

  /** Oldest first. */
  private async observations(transaction: TenantTransaction, id: string): Promise<readonly Observation[]> {
    const { versions } = await this.store.history(transaction, 'Observation', id, MOST_VERSIONS, null);
    return versions.toReversed().map(({ resource }) => resource as Observation);
  }

  /** A version counts where the status is another than before. */
  private async ofTask(
    transaction: TenantTransaction,
    id: string,
    reportId: string | null,
  ): Promise<readonly ResourceVersion[]> {
    const versions = await this.history<Task>(transaction, 'Task', id, reportId);
    return versions.filter(
      ({ resource }, index) => index === 0 || versions[index - 1]!.resource.status !== resource.status,
    );
  }

  /** Oldest first. */
  private async history<T extends DiagnosticReport | Task>(
    transaction: TenantTransaction,
    type: T['resourceType'],
    id: string,
    reportId: string | null,
  ): Promise<readonly ResourceVersion[]> {
    const { versions } = await this.store.history(transaction, type, id, MOST_VERSIONS, null);
    return versions.toReversed().map(({ resource, version, lastUpdated }) => ({
      resource: resource as T,
      version,
      occurredAt: lastUpdated,
      reportId,
      included: [],
    }));
  }
}
