import type { Bundle, BundleEntry, Reference, Resource } from '@medplum/fhirtypes';
import type { NewOrderPhoto, OrderNumber, PatientJoin } from '../../../../standards/hl7v2/records/clinical-records.js';
import type { PatientIdentifier } from '../../../../core/patients/patient.js';
import type { Hl7Problem, ProblemPlace } from '../../../../standards/hl7v2/problems/hl7-problem.js';
import type { SeenFacility } from '../../../../core/patients/learned-authorities.js';
import type { InboundPlan, PlanAuthorities, PlanConflict, UnsureNumber } from './inbound-plan.js';
import { refused, warned, type ProblemCode } from '../../../../standards/hl7v2/problems/problem-catalogue.js';

/**
 * A resource of the plan: the reference that others use, and its index in the Bundle (null: it exists and is not
 * changed).
 */
export interface PlannedResource {
  readonly reference: string;
  readonly entry: number | null;
}

/** A plan under construction. Resources that several parts of a message mention are planned once. */
export class PlanDraft {
  private readonly entries: BundleEntry[] = [];
  private readonly places: (ProblemPlace | null)[] = [];
  private readonly problems: Hl7Problem[];
  private readonly known = new Map<string, PlannedResource>();
  private readonly joins: PatientJoin[] = [];
  private readonly waitingOrders: string[] = [];
  private readonly newPhotos: NewOrderPhoto[] = [];
  private readonly newOrders: OrderNumber[] = [];
  private readonly conflicts: PlanConflict[] = [];
  private readonly orders: InboundPlan['orders'][number][] = [];
  /** As patients' numbers state them. */
  readonly patientNamespaces = new Set<string>();
  private readonly forms = new Map<string, PlanAuthorities['forms'][number]>();
  private facility: SeenFacility | null = null;
  private unsure: UnsureNumber | null = null;
  private readonly awaited: (readonly PatientIdentifier[])[] = [];
  private readonly named: PatientIdentifier[] = [];
  /** The facility whose bare numbers nobody has assigned, with their system; null: the message has none. */
  unassigned: (SeenFacility & { readonly system: string }) | null = null;

  /** `problems`: those of the message before it is mapped. */
  constructor(problems: readonly Hl7Problem[] = []) {
    this.problems = [...problems];
  }

  /** Adds a new resource. `ifNoneExist`: the search that identifies it, so that two concurrent messages create one. */
  create(resource: Resource, place: ProblemPlace | null, ifNoneExist?: string): PlannedResource {
    // Identifiers within the Bundle, numbered so that the same message always makes the same plan.
    const fullUrl = `urn:uuid:00000000-0000-4000-8000-${String(this.entries.length + 1).padStart(12, '0')}`;
    const request = {
      method: 'POST' as const,
      url: resource.resourceType,
      ...(ifNoneExist === undefined ? {} : { ifNoneExist }),
    };
    return { reference: fullUrl, entry: this.push({ fullUrl, resource, request }, place) };
  }

  /** Adds the next version of an existing resource; refused later if it is changed concurrently. */
  change(resource: Resource, place: ProblemPlace | null): PlannedResource {
    const url = `${resource.resourceType}/${resource.id}`;
    const version = resource.meta?.versionId;
    const request = { method: 'PUT' as const, url, ...(version === undefined ? {} : { ifMatch: `W/"${version}"` }) };
    return { reference: url, entry: this.push({ resource, request }, place) };
  }

  /** The resource planned under this key, or else the one that `make` plans now. */
  async once(key: string, make: () => Promise<PlannedResource | null>): Promise<PlannedResource | null> {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const made = await make();
    if (made !== null) this.known.set(key, made);
    return made;
  }

  join(join: PatientJoin): void {
    this.joins.push(join);
  }

  /** Makes the plan valid only while this order waits for its photo. */
  awaitOrder(id: string): void {
    this.waitingOrders.push(id);
  }

  /** Makes the plan valid only while the order lacks this photo. */
  addPhoto(photo: NewOrderPhoto): void {
    this.newPhotos.push(photo);
  }

  /** Makes the plan valid only while no order has this number of its placer. */
  expectNoOrder(number: OrderNumber): void {
    this.newOrders.push(number);
  }

  order(order: InboundPlan['orders'][number]): void {
    this.orders.push(order);
  }

  seeForms(pair: PlanAuthorities['forms'][number]): void {
    const key = JSON.stringify([pair.one, pair.other]);
    if (!this.forms.has(key)) this.forms.set(key, pair);
  }

  seeFacility(facility: SeenFacility): void {
    this.facility = facility;
  }

  beUnsure(facility: SeenFacility & { readonly system: string }): void {
    this.unassigned = facility;
  }

  /** Nothing of the message is done until somebody has said whose its number is. */
  ask(number: UnsureNumber, place: ProblemPlace): void {
    this.unsure ??= number;
    this.refuse('authority.unknown', place);
  }

  /** Nobody has announced who has these numbers; nothing of the message is done until somebody has. The rest is planned as if, so that what refuses it shows at once. */
  awaitPatient(numbers: readonly PatientIdentifier[], place: ProblemPlace): void {
    this.awaited.push(numbers);
    this.warn('patient.unknown', place);
  }

  /** A patient who is known by these numbers or gets a record now, and did not have one when earlier messages came, perhaps. */
  namePatient(numbers: readonly PatientIdentifier[]): void {
    this.named.push(...numbers);
  }

  refuse(code: ProblemCode, place: ProblemPlace | null, text?: string): null {
    this.problems.push(refused(code, place, text));
    return null;
  }

  warn(code: ProblemCode, place: ProblemPlace | null, text?: string): null {
    this.problems.push(warned(code, place, text));
    return null;
  }

  /** A person whom the record knows otherwise; nothing of the message is done until somebody has decided. */
  conflict(conflict: PlanConflict, place: ProblemPlace): void {
    this.conflicts.push(conflict);
    this.refuse('patient.conflict', place);
  }

  get isRefused(): boolean {
    return this.problems.some(({ severity }) => severity === 'error');
  }

  /** The finished plan. A refused message has no plan but the orders that its response answers. */
  toPlan(): InboundPlan {
    // Errors first, since an acknowledgment names the first twenty. A field read by several parts is reported once.
    const distinct = [...new Map(this.problems.map((problem) => [JSON.stringify(problem), problem])).values()];
    const problems = distinct.sort(
      (first, second) => Number(first.severity === 'warning') - Number(second.severity === 'warning'),
    );
    if (this.isRefused)
      return {
        bundle: null,
        places: [],
        joins: [],
        waitingOrders: [],
        newPhotos: [],
        newOrders: [],
        conflicts: this.conflicts,
        authorities: this.authorities,
        unsure: this.unsure,
        awaited: this.awaited,
        named: this.named,
        problems,
        orders: this.orders.map((order) => ({ ...order, entry: null })),
      };
    const bundle: Bundle | null =
      this.entries.length === 0 ? null : { resourceType: 'Bundle', type: 'transaction', entry: this.entries };
    return {
      bundle,
      places: this.places,
      joins: this.joins,
      waitingOrders: this.waitingOrders,
      newPhotos: this.newPhotos,
      newOrders: this.newOrders,
      conflicts: [],
      authorities: this.authorities,
      awaited: this.awaited,
      named: this.named,
      problems,
      orders: this.orders,
    };
  }

  private get authorities(): PlanAuthorities {
    return { forms: [...this.forms.values()], facility: this.facility };
  }

  private push(entry: BundleEntry, place: ProblemPlace | null): number {
    this.places.push(place);
    return this.entries.push(entry) - 1;
  }
}

export function referenceTo({ reference }: PlannedResource): Reference<never> {
  return { reference } as Reference<never>;
}
