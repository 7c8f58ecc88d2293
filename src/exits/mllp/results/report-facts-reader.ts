import type { Patient } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { identifyingNumbers } from '../../../core/patients/patient-numbers.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { ClinicalRecords } from '../../../standards/hl7v2/records/clinical-records.js';
import type { ReceivedOrder } from '../../../standards/hl7v2/records/received-orders.js';
import type { Hl7Destination } from '../settings/hl7-destination.js';
import { idsOfPid, type ResultPatient } from '../oru/patient-segment.js';
import { authoritiesOf, takes, type RoutedResult } from '../routing/routes.js';
import { OrderReader } from './order-reader.js';
import { StoredReportReader, type StoredReport, type WholeReport } from './stored-report-reader.js';

/** The facts that the messages of one report are made from. */
export interface ReportFacts extends Omit<StoredReport, 'alreadySentTo' | 'recordedOrder'> {
  readonly patient: ResultPatient;
}

/** A report with all its versions, and what routes decide by. */
export type WholeFacts = Omit<WholeReport, 'recordedOrder'> & {
  readonly patient: ResultPatient;
  readonly routed: RoutedResult;
};

/** Reads the facts of a report for the destinations that take it. */
@Injectable()
export class ReportFactsReader {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reports: StoredReportReader,
    private readonly orders: OrderReader,
    private readonly records: ClinicalRecords,
  ) {}

  /** null: there is no such report, or no destination lacks a version of it. */
  async read(tenant: Tenant, reportId: string, destinations: readonly Hl7Destination[]): Promise<ReportFacts | null> {
    const stored = await this.unitOfWork.inTenant(tenant, (transaction) =>
      this.reports.read(transaction, reportId, destinations),
    );
    return stored === null ? null : this.factsOf(tenant, stored, destinations);
  }

  /** One version for a destination that was given it before. null: there is no such version any more. */
  async readVersion(
    tenant: Tenant,
    reportId: string,
    version: number,
    destination: Hl7Destination,
  ): Promise<ReportFacts | null> {
    const stored = await this.unitOfWork.inTenant(tenant, (transaction) =>
      this.reports.readVersion(transaction, reportId, version, destination),
    );
    return stored === null ? null : this.factsOf(tenant, stored, [destination]);
  }

  /** The report with all its versions; null: there is none. */
  async readWhole(tenant: Tenant, reportId: string): Promise<WholeFacts | null> {
    const stored = await this.unitOfWork.inTenant(tenant, (transaction) =>
      this.reports.readWhole(transaction, reportId),
    );
    return stored === null ? null : { ...stored, ...(await this.aboutPatient(tenant, stored)) };
  }

  private async factsOf(
    tenant: Tenant,
    stored: StoredReport,
    destinations: readonly Hl7Destination[],
  ): Promise<ReportFacts | null> {
    const { alreadySentTo } = stored;
    const { routed, received, patient } = await this.aboutPatient(tenant, stored);
    const missing = new Map(
      [...stored.missing].filter(
        ([id]) => alreadySentTo.has(id) || takes(destinations.find((one) => one.id === id)!.settings.routes, routed),
      ),
    );
    if (missing.size === 0) return null;
    return { ...stored, missing, received, patient };
  }

  private async aboutPatient(
    tenant: Tenant,
    { reading, patientId, origin, received: ordered, recordedOrder }: WholeReport,
  ): Promise<Pick<WholeFacts, 'received' | 'patient' | 'routed'>> {
    const { subject } = reading.report.content;
    const record = patientId === null ? null : await this.records.read<Patient>(tenant, 'Patient', patientId);
    const order = ordered ?? (await this.orders.fromRecords(tenant, recordedOrder));
    const isOfPatient = order !== null && isNamed(order, record);
    // A report that moved to its right patient was ordered for another one, unless it moved between wounds of the same.
    const received = reading.report.replaces === null || (isOfPatient && record !== null) ? order : null;
    const receivedPid = isOfPatient && received !== null ? received.pid : '';
    return {
      received,
      patient: { receivedPid, record, identifier: subject.patient },
      routed: { origin, authorities: authoritiesOf(isOfPatient ? order.pid : '', record, subject.patient) },
    };
  }
}

/** Whether the order's PID names this patient, by a number of one patient alone; true where there is no record to compare. */
function isNamed({ pid }: ReceivedOrder, record: Patient | null): boolean {
  if (pid === '') return false;
  if (record === null) return true;
  const values = new Set(identifyingNumbers(record.identifier ?? []).map(({ value }) => value));
  return idsOfPid(pid).some((value) => values.has(value));
}
