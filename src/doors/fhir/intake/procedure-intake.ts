import type { Procedure } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { SuturaError } from '../../../core/errors/sutura-error.js';
import { ClinicalEventService } from '../../../core/wounds/clinical-event.service.js';
import { notPossible } from '../../../standards/fhir/outcome/outcome-error.js';
import type { StoredResource } from '../../../standards/fhir/store/resource-store.js';
import type { FhirCall } from '../call/fhir-call.js';
import { ResourceIntake } from '../interactions/resource-intake.js';
import { OrganizationZone } from '../search/organization-zone.js';
import { typeOf, woundProcedure, woundsOf, type WoundProcedure } from './wound-procedure.js';

/**
 * A Procedure that names a wound is a clinical event of it, with the same id: stated once, and withdrawn by `entered-in-error` or by deleting it. Any
 * other is kept as it is.
 */
@Injectable()
export class ProcedureIntake extends ResourceIntake<Procedure> {
  readonly type = 'Procedure';

  constructor(
    private readonly events: ClinicalEventService,
    private readonly zones: OrganizationZone,
  ) {
    super();
  }

  /** Its id may be that of one that was deleted: what that said was withdrawn, and stays so. */
  override async admit(call: FhirCall, resource: Procedure): Promise<Procedure> {
    const stated = await this.check(call, resource);
    if (stated !== null && (await this.isKnown(call, resource))) throw statedOnce();
    return resource;
  }

  /** What it says of a wound, if anything. */
  private async check(call: FhirCall, resource: Procedure): Promise<WoundProcedure | null> {
    if (woundsOf(resource).length > 1)
      throw notPossible(
        'Procedure.extension',
        'Name one wound: what was done to several is a Procedure of each, since each begins anew by itself.',
      );
    const stated = await this.read(call, resource);
    if (stated !== null && stated.occurredAt === null)
      throw notPossible(
        'Procedure.performed[x]',
        'State the day, or the moment, on which it was done: the photos before and after it are compared by that.',
      );
    return stated;
  }

  override async amend(
    call: FhirCall,
    { resource: current, isDeletion }: StoredResource<Procedure>,
    next: Procedure,
  ): Promise<Procedure> {
    const [before, after] = [await this.read(call, current), await this.check(call, next)];
    if (after === null) return next;
    const isNewly = before === null || isDeletion === true;
    const changes = isNewly ? await this.isKnown(call, current) : JSON.stringify(before) !== JSON.stringify(after);
    if (changes) throw statedOnce();
    return next;
  }

  override async settle(call: FhirCall, { resource }: StoredResource<Procedure>): Promise<void> {
    const stated = await this.read(call, resource);
    if (stated !== null) await this.record(call, resource.id!, stated);
  }

  override async changed(
    call: FhirCall,
    before: StoredResource<Procedure>,
    after: StoredResource<Procedure>,
  ): Promise<void> {
    const was = before.isDeletion === true ? null : await this.read(call, before.resource);
    const is = await this.read(call, after.resource);
    if (was === null && is !== null) await this.record(call, after.resource.id!, is);
    if (was !== null && is === null) await this.withdraw(call, after.resource.id!, was);
  }

  override async deleted(call: FhirCall, { resource }: StoredResource<Procedure>): Promise<void> {
    const was = await this.read(call, resource);
    if (was !== null) await this.withdraw(call, resource.id!, was);
  }

  override advice(_call: FhirCall, { resource }: StoredResource<Procedure>): Promise<readonly string[]> {
    if (woundsOf(resource).length === 0)
      return Promise.resolve([
        'The Procedure is kept, and is no event of a wound: it names none by the extension procedure-targetBodyStructure.',
      ]);
    if (typeOf(resource.code?.coding ?? []) === null)
      return Promise.resolve([
        'The code is none of those that are known: it stands as another event of the wound, after which the area does not count anew.',
      ]);
    return Promise.resolve([]);
  }

  private async read({ transaction }: FhirCall, resource: Procedure): Promise<WoundProcedure | null> {
    return woundProcedure(resource, await this.zones.of(transaction));
  }

  /** Whether it was an event before, of whichever wound. */
  private isKnown({ transaction }: FhirCall, { id }: Procedure): Promise<boolean> {
    return this.events.isKnown(transaction, id!);
  }

  private async record({ transaction, caller }: FhirCall, id: string, stated: WoundProcedure): Promise<void> {
    const { woundId, occurredAt, ...event } = stated;
    await this.events.record(transaction, woundId, {
      ...event,
      id,
      occurredAt: occurredAt!,
      enteredBy: caller.person,
    });
  }

  private async withdraw({ transaction, caller }: FhirCall, id: string, { woundId }: WoundProcedure): Promise<void> {
    await this.events.withdraw(transaction, woundId, id, { note: null, by: null, enteredBy: caller.person });
  }
}

function statedOnce(): SuturaError {
  return notPossible(
    'Procedure',
    'What was done to a wound is stated once. Send this Procedure as entered-in-error, and the right one as another.',
  );
}
