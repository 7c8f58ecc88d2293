import type { Patient, ServiceRequest } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { knownBy } from '../../../core/patients/patient-numbers.js';
import type { ImageRecord } from '../../../core/images/image.js';
import { AnalysisRequestRepository } from '../../../core/ports/analysis-request.repository.js';
import { ImageRepository } from '../../../core/ports/image.repository.js';
import { JobRepository } from '../../../core/ports/job.repository.js';
import { ReportRepository } from '../../../core/ports/report.repository.js';
import { UnitOfWork, type Transaction, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { WoundRepository } from '../../../core/ports/wound.repository.js';
import type { ClinicalReport, ReportReading } from '../../../core/report/clinical-report.js';
import { ReportReader } from '../../../core/report/report-reading.js';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { ClinicalRecords } from '../../records/clinical-records.js';
import { ReceivedOrders, type ReceivedOrder } from '../../records/received-orders.js';
import type { Hl7Destination } from '../hl7-destination.js';
import { idsOfPid, type ResultPatient } from '../oru/patient-segment.js';
import { authoritiesOf, takenVersions, takes } from '../routing/routes.js';
import type { ResultOrigin } from '../routing/result-origin.js';
import { OutboundQueue } from '../outbox/outbound-queue.js';

const ORDER_PREFIX = 'ServiceRequest/';
/** HL7 table 0203. */
const PLACER_TYPE = 'PLAC';

/** Everything that the versions of one report are told from. */
export interface ReportFacts {
  readonly reading: ReportReading;
  /** Oldest first. */
  readonly versions: readonly ClinicalReport[];
  /** What each destination, by its id, has not been given yet; none without such a version. */
  readonly missing: ReadonlyMap<string, readonly ClinicalReport[]>;
  readonly patientId: string | null;
  readonly patient: ResultPatient;
  readonly received: ReceivedOrder | null;
  readonly origin: ResultOrigin;
  readonly analysedAt: Date | null;
  /** null where the photo was deleted. */
  readonly image: ImageRecord | null;
}

/** What an order said, in its own words, and where it came from. */
export interface ToldOrder {
  /** null: it did not come in by HL7 v2. */
  readonly received: ReceivedOrder | null;
  /** `ServiceRequest/id` of an order that came in by HL7 v2 and whose words no key opens; else null. */
  readonly sealedOrder: string | null;
  readonly origin: ResultOrigin;
}

interface Kept extends Omit<ReportFacts, 'patient'>, Pick<ToldOrder, 'sealedOrder'> {
  /** Destinations that were given an earlier version. */
  readonly told: ReadonlySet<string>;
}

/** Reads what a report's messages need. */
@Injectable()
export class ReportFactsReader {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reader: ReportReader,
    private readonly reports: ReportRepository,
    private readonly wounds: WoundRepository,
    private readonly jobs: JobRepository,
    private readonly images: ImageRepository,
    private readonly requests: AnalysisRequestRepository,
    private readonly receivedOrders: ReceivedOrders,
    private readonly records: ClinicalRecords,
    private readonly queue: OutboundQueue,
  ) {}

  /** null: there is no such report, or no destination lacks a version of it. */
  async read(tenant: Tenant, reportId: string, destinations: readonly Hl7Destination[]): Promise<ReportFacts | null> {
    const kept = await this.unitOfWork.inTenant(tenant, (transaction) =>
      this.readKept(transaction, reportId, destinations),
    );
    if (kept === null) return null;
    const { subject } = kept.reading.report.content;
    const record = kept.patientId === null ? null : await this.records.read<Patient>(tenant, 'Patient', kept.patientId);
    const told = kept.received ?? (await this.plainOrder(tenant, kept.sealedOrder));
    const isOfPatient = told !== null && isNamed(told, record);
    // A report that moved to its right patient was ordered for another one, unless it moved between wounds of the same.
    const received = kept.reading.report.replaces === null || (isOfPatient && record !== null) ? told : null;
    const routed = {
      origin: kept.origin,
      authorities: authoritiesOf(isOfPatient ? told.pid : '', record, subject.patient),
    };
    const missing = new Map(
      [...kept.missing].filter(
        ([id]) => kept.told.has(id) || takes(destinations.find((one) => one.id === id)!.settings.routes, routed),
      ),
    );
    if (missing.size === 0) return null;
    return {
      ...kept,
      missing,
      received,
      patient: {
        receivedPid: isOfPatient && received !== null ? received.pid : '',
        record,
        identifier: subject.patient,
      },
    };
  }

  private async readKept(
    transaction: TenantTransaction,
    reportId: string,
    destinations: readonly Hl7Destination[],
  ): Promise<Kept | null> {
    const reading = await this.reader.readIn(transaction, reportId);
    if (reading === null) return null;
    const versions = await this.reports.versions(transaction, reportId);
    const { missing, told } = await this.missingOf(transaction, versions, destinations);
    if (missing.size === 0) return null;
    const { report } = reading;
    const wound = await this.wounds.find(transaction, report.content.subject.woundRef);
    const job = await this.jobs.find(transaction, report.jobId);
    const image = await this.images.find(transaction, report.imageId);
    return {
      reading,
      versions,
      missing,
      told,
      patientId: wound?.patientId ?? null,
      ...(await this.orderOf(transaction, report.jobId)),
      analysedAt: job?.completedAt ?? null,
      image: image?.status === 'stored' ? image : null,
    };
  }

  /** What the order of an analysis said, and which door it came through. */
  async orderOf(transaction: TenantTransaction, analysisId: string): Promise<ToldOrder> {
    const request = await this.requests.find(transaction, analysisId);
    const found = await this.receivedOrders.find(transaction, { orderKey: request?.orderKey ?? null, analysisId });
    if (found !== null)
      return {
        received: found.received,
        sealedOrder: found.received === null ? (request?.orderKey ?? null) : null,
        origin: { door: 'hl7v2', listenerId: found.sourceId, facility: found.facility },
      };
    return {
      received: null,
      sealedOrder: null,
      origin: { door: request === null ? 'rest' : 'fhir', listenerId: null, facility: null },
    };
  }

  /** What the records know of an order whose own words no key opens: its number. null: nothing. */
  async plainOrder(tenant: Tenant, orderKey: string | null): Promise<ReceivedOrder | null> {
    const order =
      orderKey?.startsWith(ORDER_PREFIX) === true
        ? await this.records.read<ServiceRequest>(tenant, 'ServiceRequest', orderKey.slice(ORDER_PREFIX.length))
        : null;
    const placer = order?.identifier?.find(
      ({ type }) => type?.coding?.some(({ code }) => code === PLACER_TYPE) === true,
    );
    if (placer?.value === undefined) return null;
    return {
      placerSystem: placer.system ?? '',
      placerValue: placer.value,
      orc2: '',
      orc12: '',
      obr4: '',
      obr16: '',
      obr31: '',
      pid: '',
      pv1: '',
    };
  }

  /** From the time on that a destination was made: it is not flooded with what was before it. */
  private async missingOf(
    transaction: Transaction,
    versions: readonly ClinicalReport[],
    destinations: readonly Hl7Destination[],
  ): Promise<Pick<Kept, 'missing' | 'told'>> {
    const reportId = versions[0]?.id;
    const missing = new Map<string, ClinicalReport[]>();
    const told = new Set<string>();
    if (reportId === undefined) return { missing, told };
    for (const destination of destinations) {
      const last = await this.queue.lastVersion(transaction, destination.id, reportId);
      const wanted = toldTo(destination, versions).filter(
        ({ version, issuedAt }) => version > last && issuedAt >= destination.createdAt,
      );
      if (wanted.length > 0) missing.set(destination.id, wanted);
      if (last > 0) told.add(destination.id);
    }
    return { missing, told };
  }
}

/** The versions that a destination hears of: of the statuses that it takes; where only the patient's record was joined into another, those who sent the join know. */
export function toldTo(
  { settings }: Pick<Hl7Destination, 'settings'>,
  versions: readonly ClinicalReport[],
): readonly ClinicalReport[] {
  return takenVersions(
    settings.routes,
    settings.resendOnMerge ? versions : versions.filter(({ reason }) => reason !== 'moved'),
  );
}

/** Whether the order's PID is of this patient, by a number that is one patient's; true where no record could say otherwise. */
function isNamed({ pid }: ReceivedOrder, record: Patient | null): boolean {
  if (pid === '') return false;
  if (record === null) return true;
  const values = new Set(knownBy(record.identifier ?? []).map(({ value }) => value));
  return idsOfPid(pid).some((value) => values.has(value));
}
