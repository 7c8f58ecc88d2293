import type { BodyStructure, Observation, Resource, ResourceType } from '@medplum/fhirtypes';
import { identifyingNumbers } from '../../../../core/patients/patient-numbers.js';
import type { Tenant } from '../../../../core/tenancy/tenant.js';
import type {
  FiledPhoto,
  NewOrderPhoto,
  PhotoOfPatient,
  RecordLookups,
  StatedFinding,
  WoundStanding,
} from '../../../../standards/hl7v2/records/clinical-records.js';
import { fileTypeOf } from '../../../../standards/hl7v2/er7/encapsulated-data.js';
import { keyOf, systemValueOf, type SystemValue } from '../reading/identifiers.js';
import type { Reading } from '../reading/message-reading.js';
import { sortRows } from '../reading/observation-rows.js';
import { sectionsOf, type OrderGroup } from '../reading/order-groups.js';
import { PlanDraft } from '../plan/plan-draft.js';
import { patientNumbersOf } from '../resources/patient.mapper.js';
import { woundNameOf, woundsOf } from '../resources/wound.mapper.js';
import { placerOf } from './read-order.js';

/**
 * A reading that has asked at once for the patients, orders and wounds whose numbers the message states, so that its plan does not wait for
 * one look-up after another.
 */
export function withPrefetchedLookups(reading: Reading): Reading {
  const records = new RememberedLookups(reading.records);
  // What is wrong with the message is said by its plan, once.
  const silentReading = { ...reading, draft: new PlanDraft() };
  const prefetch = (type: ResourceType, numbers: readonly SystemValue[]): void => {
    if (numbers.length > 0) records.prefetch(reading.source, type, numbers);
  };
  for (const { pid, groups } of sectionsOf(reading.message)) {
    if (pid !== null) prefetch('Patient', identifyingNumbers(patientNumbersOf(silentReading, pid)).map(systemValueOf));
    for (const group of groups) {
      const placer = placerOf(silentReading, group);
      prefetch('ServiceRequest', placer === null ? [] : [placer]);
      for (const name of woundNamesOf(silentReading, group)) prefetch('BodyStructure', [name]);
    }
  }
  return { ...reading, records };
}

function woundNamesOf(reading: Reading, group: OrderGroup): SystemValue[] {
  const rows = group.rows.filter(({ obx }) => fileTypeOf(obx, reading.message.delimiters) === null);
  return woundsOf(reading, group, sortRows(reading, rows)).all.flatMap(({ number }) =>
    number === null ? [] : woundNameOf(reading, number.value),
  );
}

/** Look-ups of one plan. The same one is made once. */
class RememberedLookups implements RecordLookups {
  private readonly found = new Map<string, Promise<Resource[]>>();

  constructor(private readonly records: RecordLookups) {}

  /** A fault is that of the plan that waits for the answer. */
  prefetch(tenant: Tenant, type: ResourceType, identifiers: readonly SystemValue[]): void {
    this.findByIdentifier(tenant, type, identifiers).catch(() => undefined);
  }

  findByIdentifier<T extends Resource>(
    tenant: Tenant,
    type: ResourceType,
    identifiers: readonly SystemValue[],
  ): Promise<T[]> {
    const key = [type, ...identifiers.map(keyOf)].join();
    const asked = this.found.get(key) ?? this.records.findByIdentifier<T>(tenant, type, identifiers);
    this.found.set(key, asked);
    return asked as Promise<T[]>;
  }

  read<T extends Resource>(tenant: Tenant, type: ResourceType, id: string): Promise<T | null> {
    return this.records.read<T>(tenant, type, id);
  }

  waitsForPhoto(tenant: Tenant, orderId: string): Promise<boolean> {
    return this.records.waitsForPhoto(tenant, orderId);
  }

  photoOfOrder(tenant: Tenant, photo: NewOrderPhoto): Promise<string | null> {
    return this.records.photoOfOrder(tenant, photo);
  }

  woundOf(tenant: Tenant, patient: string, number: SystemValue): Promise<BodyStructure | null> {
    return this.records.woundOf(tenant, patient, number);
  }

  standingOf(tenant: Tenant, woundId: string): Promise<WoundStanding | null> {
    return this.records.standingOf(tenant, woundId);
  }

  filedPhotos(tenant: Tenant, of: PhotoOfPatient): Promise<readonly FiledPhoto[]> {
    return this.records.filedPhotos(tenant, of);
  }

  findingsSince(tenant: Tenant, of: StatedFinding): Promise<readonly Observation[] | 'too_many'> {
    return this.records.findingsSince(tenant, of);
  }
}
