import { Injectable } from '@nestjs/common';
import type { Resource } from '@medplum/fhirtypes';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import { ResourceStore } from '../../../standards/fhir/store/resource-store.js';
import type { FhirCall } from '../call/fhir-call.js';
import { ReferenceCheck } from './reference-check.js';
import { referencesOf } from './reference-walk.js';

/** Resolves clients' own ids in a request that opens its transactions itself: in its address, and in the references of its body. */
@Injectable()
export class ClientNames {
  constructor(
    private readonly store: ResourceStore,
    private readonly references: ReferenceCheck,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The ids here in place of the client's. Asks the database only where an id is named. */
  async localised<T extends Resource>(
    context: Omit<FhirCall, 'transaction'>,
    { type, id }: { readonly type: string | null; readonly id: string | null },
    input: T,
  ): Promise<{ id: string | null; input: T }> {
    if (id === null && referencesOf(input).length === 0) return { id, input };
    return this.unitOfWork.inTenant(context.caller, async (transaction) => {
      const named = type === null || id === null ? [] : [{ type, id }];
      const known = await this.store.resolve(transaction, named);
      return {
        id: known.get(`${type}/${id}`) ?? id,
        input: await this.references.localised({ ...context, transaction }, input),
      };
    });
  }
}
