import type { Patient, Resource } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import {
  NOTHING_CAME,
  type HeldAction,
  type HeldActor,
  type HeldCount,
  type HeldItem,
  type HeldReason,
  type HeldResolution,
} from '../../../core/held/held-item.js';
import { HeldSource, type HeldPage } from '../../../core/held/held-source.js';
import { UnitOfWork, type SystemTransaction, type TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { tenantOf, type Tenant } from '../../../core/tenancy/tenant.js';
import { AwaitedPatients, type AwaitingResource } from '../../../standards/fhir/store/awaited-patients.js';
import { ResourceStore, type ResourceTarget } from '../../../standards/fhir/store/resource-store.js';
import { SERVED_TYPES } from '../../../standards/fhir/types/served-types.js';
import { AwaitingResources } from '../intake/awaiting-resources.js';
import { targetOf } from '../interactions/reference-walk.js';
import { subjectElement, withSubject } from '../interactions/stated-subject.js';

const REASON = 'patient_unknown';
/** Types that can be entered in error by their status. */
const DISCARDED: readonly string[] = ['Media', 'DocumentReference', 'Observation', 'ServiceRequest', 'Encounter'];
const WAITS_FOR =
  'The patient by the number that its sender states: it goes on by itself once they come by any door. Or name the patient it belongs to.';

/** FHIR resources whose patient is not known here, for the list of what waits for a person. */
@Injectable()
export class HeldPatients extends HeldSource {
  readonly reasons: readonly HeldReason[] = [REASON];

  constructor(
    private readonly awaited: AwaitedPatients,
    private readonly resources: AwaitingResources,
    private readonly store: ResourceStore,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  async open(transaction: TenantTransaction, { olderThanS, after, limit }: HeldPage): Promise<readonly HeldItem[]> {
    const cursor = after === null ? null : cursorOf(after.since, after.id);
    const rows = await this.awaited.page(transaction, { after: cursor, olderThanS, limit });
    return rows.map((row) => toItem(transaction.tenant, row));
  }

  async find(transaction: TenantTransaction, id: string): Promise<HeldItem | null> {
    const target = targetIn(id);
    const row = target === null ? null : await this.awaited.find(transaction, target);
    return row === null ? null : toItem(transaction.tenant, row);
  }

  async count(transaction: SystemTransaction): Promise<readonly HeldCount[]> {
    return (await this.awaited.count(transaction)).map((row) => ({ ...row, reason: REASON }));
  }

  /** `link`: it is of the patient `to`. `discard`: it was entered in error, and its analysis is cancelled. */
  resolve(tenant: Tenant, { id }: HeldItem, { action, to }: HeldResolution, _actor: HeldActor): Promise<void> {
    const target = targetIn(id)!;
    return this.unitOfWork.inTenant(tenant, async (transaction) => {
      const change = action === 'discard' ? discarded : await this.linkTo(transaction, to);
      if (!(await this.resources.sendAgain(transaction, target, change))) throw new SuturaError('held.not_found');
    });
  }

  private async linkTo(transaction: TenantTransaction, to = ''): Promise<(resource: Resource) => Resource> {
    const named = targetOf(to);
    const patient = named?.type === 'Patient' ? await this.store.find<Patient>(transaction, 'Patient', named.id) : null;
    if (patient === null)
      throw new SuturaError('request.invalid', {
        errors: [{ pointer: '/to', detail: 'names no patient; send Patient/ and the id of one who is known' }],
      });
    return (resource) => withSubject(resource, patient.resource.id!);
  }
}

function toItem(tenant: Tenant, { type, id, since }: AwaitingResource): HeldItem {
  const isPhoto = type === 'Media' || type === 'DocumentReference';
  const actions: HeldAction[] = DISCARDED.includes(type) ? ['link', 'discard'] : ['link'];
  return {
    ...tenantOf(tenant),
    id: `${REASON}.${type.toLowerCase()}.${id}`,
    reason: REASON,
    since,
    door: 'fhir',
    came: {
      ...NOTHING_CAME,
      resources: [`${type}/${id}`],
      imageIds: isPhoto ? [id] : [],
      orders: type === 'ServiceRequest' ? [id] : [],
    },
    waitsFor: WAITS_FOR,
    actions,
  };
}

/** Ids are in lower case, and so are the types in them. */
function targetIn(heldId: string): ResourceTarget | null {
  const [reason, said, id = '', ...rest] = heldId.split('.');
  const type = SERVED_TYPES.find((one) => one.toLowerCase() === said && subjectElement(one) !== null);
  return reason === REASON && rest.length === 0 && type !== undefined && id !== '' ? { type, id } : null;
}

/** What other reasons have before or behind it at the same moment stands there by the words of their ids. */
function cursorOf(since: Date, heldId: string): { since: Date; type: string; id: string } {
  const target = targetIn(heldId);
  if (target !== null) return { since, ...target };
  return heldId < `${REASON}.` ? { since, type: '', id: '' } : { since, type: '~', id: '' };
}

function discarded(resource: Resource): Resource {
  return { ...resource, status: 'entered-in-error' } as Resource;
}
