import type { ServiceRequest } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { JobPriority, JobSubject } from '../../../core/analysis/analysis-job.js';
import type { AnalysisOptions } from '../../../core/analysis/analysis-request.js';
import type { Wound } from '../../../core/followup/wound.js';
import type { Patient } from '../../../core/patients/patient.js';
import { ClinicalClock } from '../../../core/ports/clinical-clock.js';
import { ClinicalTime } from '../../../core/times/clinical-time.js';
import { PatientRepository } from '../../../core/patients/patient.repository.js';
import type { FhirCall } from '../call/fhir-call.js';
import { OrganizationZone } from '../search/organization-zone.js';
import { ClinicalFindings } from './clinical-findings.js';
import type { GivenFindings } from './merged-findings.js';
import { idOf, idsOf } from './local-reference.js';
import type { PhotoResource } from './photo-resource.js';
import { notFound, notPossible, refuseMerged } from '../../../standards/fhir/outcome/outcome-error.js';
import { WoundRecords } from './wound-records.js';
import { lateralityOf, siteOf } from './wound-terms.js';

/** The sources of an analysis. */
export interface AnalysisRequestSource {
  readonly photo: PhotoResource | null;
  readonly order: ServiceRequest | null;
  /** Free text besides that of the order and the photo. */
  readonly clinicalContext?: string | undefined;
  /** A BodyStructure, before that of the photo and the order. */
  readonly woundId?: string | null;
}

const MAX_CONTEXT = 4000;

/** Puts orders and photos in the words of core. */
@Injectable()
export class AnalysisRequestBuilder {
  constructor(
    private readonly patients: PatientRepository,
    private readonly wounds: WoundRecords,
    private readonly findings: ClinicalFindings,
    private readonly zones: OrganizationZone,
    private readonly clock: ClinicalClock,
  ) {}

  /** `fhir.business_rule` where photo, order and wound are not of one patient, or the text is too long. */
  async optionsOf(call: FhirCall, source: AnalysisRequestSource): Promise<AnalysisOptions> {
    const { photo, order } = source;
    const woundId = woundOf(source);
    const patient = await this.patientOf(call, source);
    const wound = woundId === null ? null : await this.woundOf(call, woundId, patient, order);
    const given = await this.findingsOf(call, source);
    const taken = ClinicalTime.read(photo?.takenAt);
    return {
      ...given,
      clinicalContext: contextOf(source),
      subject: subjectOf(source, patient, wound),
      capturedAt:
        taken?.orderedAt(await this.zones.of(call.transaction), await this.clock.now(call.transaction)) ?? null,
      capturedAsStated: taken?.text ?? null,
      priority: priorityOf(order),
      metadata: null,
      source: call.door ?? 'fhir',
    };
  }

  /** Current findings of clinicians for the photo. */
  async findingsOf(call: FhirCall, source: AnalysisRequestSource): Promise<GivenFindings> {
    if (source.photo === null) return { mmPerPixel: null, clinicianObservations: null };
    return this.findings.forPhoto(call, { ...source.photo, woundId: woundOf(source) });
  }

  private async patientOf({ transaction }: FhirCall, { photo, order }: AnalysisRequestSource): Promise<Patient | null> {
    const ordered = idOf(order?.subject, 'Patient');
    const taken = photo?.patientId ?? null;
    if (ordered !== null && taken !== null && ordered !== taken)
      throw notPossible('ServiceRequest.subject', 'The photo is another patient’s.');
    const id = taken ?? ordered;
    if (id === null) return null;
    const patient = await this.patients.find(transaction, id);
    const place = order === null ? 'Media.subject' : 'ServiceRequest.subject';
    if (patient === null) throw notFound(place, 'There is no such Patient.');
    refuseMerged(patient, place);
    return patient;
  }

  private async woundOf(
    call: FhirCall,
    woundId: string,
    patient: Patient | null,
    order: ServiceRequest | null,
  ): Promise<Wound> {
    const wound = await this.wounds.nameable(call, woundId);
    const place = order === null ? 'Media.extension' : 'ServiceRequest.supportingInfo';
    if (wound === null) throw notFound(place, 'There is no such BodyStructure.');
    if (patient !== null && wound.patientId !== patient.id) throw notPossible(place, 'The wound is another patient’s.');
    return wound;
  }
}

function woundOf({ woundId, photo, order }: AnalysisRequestSource): string | null {
  return woundId ?? photo?.woundId ?? idsOf(order?.supportingInfo, 'BodyStructure')[0] ?? null;
}

function subjectOf(
  { photo, order }: AnalysisRequestSource,
  patient: Patient | null,
  wound: Wound | null,
): JobSubject | null {
  const identifier =
    patient === null
      ? (wound?.patient ?? undefined)
      : (patient.identifiers.find(
          (one) => wound?.patient?.value === one.value && wound.patient.system === one.system,
        ) ?? patient.identifiers[0]);
  const bodySite = photo?.bodySite ?? siteOf(order?.bodySite?.[0]) ?? wound?.bodySite ?? undefined;
  const laterality = wound?.laterality ?? photo?.laterality ?? lateralityOf(order?.bodySite);
  const subject: JobSubject = {
    ...(identifier === undefined
      ? {}
      : { patientId: identifier.value, ...(identifier.system === '' ? {} : { patientSystem: identifier.system }) }),
    ...(wound === null || wound.woundId === null
      ? {}
      : { woundId: wound.woundId, ...(wound.woundIdSystem === '' ? {} : { woundIdSystem: wound.woundIdSystem }) }),
    ...(bodySite === undefined ? {} : { bodySite }),
    ...(laterality === undefined ? {} : { laterality }),
    ...(wound?.woundType === undefined || wound.woundType === null ? {} : { woundType: wound.woundType }),
    ...(photo === null || photo.region === null ? {} : { region: photo.region }),
  };
  return Object.keys(subject).length === 0 ? null : subject;
}

function contextOf({ photo, order, clinicalContext }: AnalysisRequestSource): string | null {
  const reasons = (order?.reasonCode ?? []).flatMap(({ text, coding }) => text ?? coding?.[0]?.display ?? []);
  const notes = (order?.note ?? []).flatMap(({ text }) => text ?? []);
  const lines = [
    ...(clinicalContext === undefined ? [] : [clinicalContext]),
    ...reasons,
    ...notes,
    ...(photo?.notes ?? []),
  ];
  const text = [...new Set(lines)].join('\n');
  if ([...text].length > MAX_CONTEXT)
    throw notPossible(
      order === null ? 'Media.note' : 'ServiceRequest.note',
      `Notes and reasons together have at most ${MAX_CONTEXT} characters.`,
    );
  return text === '' ? null : text;
}

function priorityOf(order: ServiceRequest | null): JobPriority {
  return order?.priority === undefined || order.priority === 'routine' ? 'routine' : 'stat';
}
