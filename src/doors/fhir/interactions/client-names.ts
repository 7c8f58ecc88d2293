import { Injectable } from '@nestjs/common';
import type { Resource, ResourceType } from '@medplum/fhirtypes';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import { isServerId } from '../../../standards/fhir/store/client-ids.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import type { FhirCall } from '../call/fhir-call.js';
import { ReferenceCheck } from './reference-check.js';
import { referencesOf, targetOf } from './reference-walk.js';

/** Resolves clients' own ids in a request that opens its transactions itself: in its address, and in the references of its body. */
@Injectable()
export class ClientNames {
  constructor(
    private readonly store: ResourceStore,
    private readonly references: ReferenceCheck,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The ids here in place of the client's. Asks the database only where there may be one. */
  async localised<T extends Resource>(
    context: Omit<FhirCall, 'transaction'>,
    { type, id }: { readonly type: string | null; readonly id: string | null },
    input: T,
  ): Promise<{ id: string | null; input: T }> {
    const isNamed = id !== null && !isServerId(id);
    if (!isNamed && referencesOf(input).every(({ reference }) => isServerId(targetOf(reference)?.id ?? '')))
      return { id, input };
    return this.unitOfWork.inTenant(context.caller, async (transaction) => {
      const stored = isNamed ? await this.store.find(transaction, type as ResourceType, id) : null;
      return {
        id: stored?.resource.id ?? id,
        input: await this.references.localised({ ...context, transaction }, input),
      };
    });
  }
}
