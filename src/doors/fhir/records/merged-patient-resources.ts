import { Injectable } from '@nestjs/common';
import type { BodyStructure, Identifier, Provenance, Resource, ResourceType } from '@medplum/fhirtypes';
import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { WoundRepository } from '../../../core/followup/wound.repository.js';
import { Clock } from '../../../core/ports/clock.js';
import { IdSource } from '../../../core/ports/id-source.js';
import { INFORMANT } from '../../../reports/index.js';
import type { FhirCall } from '../call/fhir-call.js';
import { withReferences } from '../interactions/reference-walk.js';
import { ReportProjection } from '../projection/report-projection.js';
import { ResourceSearch } from '../search/resource-search.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import { typesWith } from '../../../standards/fhir/types/served-types.js';

/** The activity of a merge (ISO 21089). */
const MERGED = {
  system: 'http://terminology.hl7.org/CodeSystem/iso-21089-lifecycle',
  code: 'merge',
  display: 'Merge Record Lifecycle Event',
};

/** Resources per search. */
const PAGE = 200;

/** Gives a patient's resources another subject, each by a version of its own. */
@Injectable()
export class MergedPatientResources {
  constructor(
    private readonly searching: ResourceSearch,
    private readonly store: ResourceStore,
    private readonly wounds: WoundRepository,
    private readonly reports: ReportProjection,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /**
   * Runs after core has joined the rows, in the same transaction. `Type/id` of all that have a new version. Reports entered in error have none
   * in core, and stay with the record under which they were withdrawn.
   */
  async move(call: FhirCall, priorId: string, survivorId: string): Promise<string[]> {
    const moved = new Set<string>();
    for (const type of typesWith('merge', 'moves')) await this.moveType(call, type, priorId, survivorId, moved);
    await this.moveReports(call, priorId, moved);
    for (const type of typesWith('merge', 'moves-after-reports'))
      await this.moveType(call, type, priorId, survivorId, moved);
    return [...moved];
  }

  /** Writes the Provenance of a merge: `targets` are `Type/id` of everything that has a new version. */
  async record(call: FhirCall, priorId: string, targets: readonly string[]): Promise<void> {
    await this.store.insert<Provenance>(call.transaction, this.provenanceOf(call, priorId, targets), {
      kind: 'service',
    });
  }

  private async moveType(
    call: FhirCall,
    type: ResourceType,
    priorId: string,
    survivorId: string,
    moved: Set<string>,
  ): Promise<void> {
    const { transaction, caller } = call;
    const taken = type === 'BodyStructure' ? await this.woundNumbers(call, survivorId) : new Set<string>();
    for (;;) {
      const page = (await this.searching.match(call, type, `patient=Patient/${priorId}`, PAGE)).filter(
        ({ resource }) => !moved.has(addressOf(resource)),
      );
      if (page.length === 0) return;
      for (const { resource } of page) {
        const current = await this.store.findForUpdate(transaction, type, resource.id!);
        if (current === null) continue;
        const next = withReferences(current.resource, (reference) =>
          reference === `Patient/${priorId}` ? `Patient/${survivorId}` : reference,
        );
        await this.store.replace(transaction, current, await this.asItStands(transaction, next, taken), {
          kind: 'client',
          keyId: caller.keyId,
        });
        moved.add(addressOf(resource));
      }
    }
  }

  private async moveReports(call: FhirCall, priorId: string, moved: Set<string>): Promise<void> {
    const seen = new Set<string>();
    for (;;) {
      const page = (await this.searching.match(call, 'DiagnosticReport', `patient=Patient/${priorId}`, PAGE))
        .map(({ resource }) => resource.id!)
        .filter((id) => !seen.has(id));
      if (page.length === 0) return;
      const projected = await this.reports.project(call.transaction, page);
      for (const id of page) seen.add(id);
      for (const stored of projected)
        if (stored !== null)
          for (const address of [
            addressOf(stored.resource),
            ...(stored.resource.result ?? []).map(({ reference }) => reference!),
          ])
            moved.add(address);
    }
  }

  /** A wound whose number another wound of the survivor has is a part of that one, and known by its number no longer. */
  private async asItStands(
    transaction: TenantTransaction,
    resource: Resource,
    taken: ReadonlySet<string>,
  ): Promise<Resource> {
    if (resource.resourceType !== 'BodyStructure') return resource;
    const wound = await this.wounds.find(transaction, resource.id!);
    if (wound?.woundId === null && wound.mergedInto !== null) return outOfUse(resource);
    if (resource.identifier?.some((identifier) => taken.has(numberOf(identifier))) !== true) return resource;
    return {
      ...resource,
      identifier: resource.identifier.map((identifier) =>
        taken.has(numberOf(identifier)) ? old(identifier) : identifier,
      ),
    };
  }

  /** The numbers of the survivor's own wounds: a patient has each number once. */
  private async woundNumbers(call: FhirCall, survivorId: string): Promise<Set<string>> {
    const wounds = await this.searching.match(call, 'BodyStructure', `patient=Patient/${survivorId}`, PAGE);
    return new Set(
      wounds
        .flatMap(({ resource }) => (resource as BodyStructure).identifier ?? [])
        .filter(({ use }) => use !== 'old')
        .map(numberOf),
    );
  }

  private provenanceOf({ caller }: FhirCall, priorId: string, targets: readonly string[]): Provenance {
    const now = this.clock.now().toISOString();
    return {
      resourceType: 'Provenance',
      id: this.ids.next(),
      target: targets.map((reference) => ({ reference })),
      occurredDateTime: now,
      recorded: now,
      activity: { coding: [{ ...MERGED }] },
      agent: [{ type: { coding: [{ ...INFORMANT }] }, who: { reference: `Organization/${caller.organizationId}` } }],
      entity: [{ role: 'source', what: { reference: `Patient/${priorId}` } }],
    };
  }
}

function numberOf({ system = '', value = '' }: Identifier): string {
  return `${system}|${value}`;
}

function outOfUse(wound: BodyStructure): BodyStructure {
  return {
    ...wound,
    active: false,
    ...(wound.identifier === undefined ? {} : { identifier: wound.identifier.map(old) }),
  };
}

/** Keeps an identifier searchable, but no longer in use. */
function old(identifier: Identifier): Identifier {
  return { ...identifier, use: 'old' };
}

function addressOf({ resourceType, id }: Resource): string {
  return `${resourceType}/${id}`;
}
