import { Injectable } from '@nestjs/common';
import type { DiagnosticReport, Resource } from '@medplum/fhirtypes';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import type { ReportReading } from '../../../core/report/clinical-report.js';
import { ReportReader } from '../../../core/report/report-reader.js';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import { referencesOf, targetOf } from '../interactions/reference-walk.js';

/** What is followed from a report and its findings; other reports, orders and tasks are not part of the document. */
const FOLLOWED: readonly string[] = [
  'Patient',
  'Encounter',
  'Organization',
  'Practitioner',
  'PractitionerRole',
  'Device',
  'BodyStructure',
];
/** What belongs to the report itself. */
const OWN: readonly string[] = ['Observation', 'Media'];

/** The present version of a report as it stands at this door, with what it is handed out with. */
interface SurroundedReport {
  readonly reading: ReportReading;
  readonly report: DiagnosticReport;
  /** Its findings and photos, and whom and what they are about. */
  readonly others: readonly Resource[];
}

/** A report with its findings and photos, and whom and what they are about. */
@Injectable()
export class ReportSurroundings {
  constructor(
    private readonly store: ResourceStore,
    private readonly reader: ReportReader,
  ) {}

  /** `fhir.not_found`. The words are those of the version that the resources are of, also while a newer one is being written. */
  async read(transaction: TenantTransaction, reportId: string): Promise<SurroundedReport> {
    const stored = await this.store.find(transaction, 'DiagnosticReport', reportId);
    const reading =
      stored === null ? null : await this.reader.readVersionIn(transaction, { reportId, version: stored.version });
    if (stored === null || reading === null) throw new SuturaError('fhir.not_found');
    const report = stored.resource as DiagnosticReport;
    return { reading, report, others: await this.find(transaction, report) };
  }

  /** Findings and photos of the report, then the persons, places and devices that it and they name. */
  private async find(transaction: TenantTransaction, report: DiagnosticReport): Promise<Resource[]> {
    const own = await this.named(transaction, [report], OWN);
    const around = await this.named(transaction, [report, ...own], FOLLOWED);
    // Nobody else's name leaves with it, whatever an earlier photo refers to.
    const ofThis = around.filter(
      ({ resourceType, id }) => resourceType !== 'Patient' || `Patient/${id!}` === report.subject?.reference,
    );
    return [...ofThis, ...own];
  }

  private async named(
    transaction: TenantTransaction,
    from: readonly Resource[],
    types: readonly string[],
  ): Promise<Resource[]> {
    const targets = from
      .flatMap(referencesOf)
      .flatMap(({ reference }) => targetOf(reference) ?? [])
      .filter(({ type }) => types.includes(type));
    const distinct = new Map(targets.map((target) => [`${target.type}/${target.id}`, target]));
    return (await this.store.findAll(transaction, [...distinct.values()])).map(({ resource }) => resource);
  }
}
