import { identifiersOf, textAt, type Fields, type Resource } from './json.js';

/** One state of a resource in the chart, in the order in which the EHR took it. */
export interface Filed {
  /** 1 for the first that was taken since the start, over all types. */
  readonly sequence: number;
  readonly interaction: 'create' | 'update';
  /** As it was sent, before the EHR dropped or set anything. */
  readonly sent: Resource;
  /** As it is kept and read. */
  readonly kept: Resource;
}

interface Row {
  readonly versions: Resource[];
}

/** What the EHR holds: people and visits that it had, and what was filed since. */
export class Chart {
  private rows = new Map<string, Row>();
  private taken: Filed[] = [];
  private counter = 0;

  constructor(private readonly now: () => number) {}

  /** Puts a resource there that the EHR had before anybody filed anything. */
  seed(resource: Fields & { readonly resourceType: string; readonly id?: string }): string {
    const id = resource.id ?? this.nextId(resource.resourceType);
    this.rows.set(`${resource.resourceType}/${id}`, { versions: [this.stamped(resource, id, 1)] });
    return id;
  }

  create(sent: Resource, kept: Resource = sent, id = this.nextId(sent.resourceType)): Resource {
    const stamped = this.stamped(kept, id, 1);
    this.rows.set(`${sent.resourceType}/${id}`, { versions: [stamped] });
    this.taken.push({ sequence: this.taken.length + 1, interaction: 'create', sent, kept: stamped });
    return stamped;
  }

  update(id: string, sent: Resource, kept: Resource = sent): Resource {
    const row = this.rows.get(`${sent.resourceType}/${id}`)!;
    const stamped = this.stamped(kept, id, row.versions.length + 1);
    row.versions.push(stamped);
    this.taken.push({ sequence: this.taken.length + 1, interaction: 'update', sent, kept: stamped });
    return stamped;
  }

  /** A change by the EHR itself, such as the mark on a document that another one replaced. */
  amend(reference: string, fields: Fields): void {
    const row = this.rows.get(reference)!;
    const current = row.versions.at(-1)!;
    row.versions.push(this.stamped({ ...current, ...fields }, textAt(current, 'id')!, row.versions.length + 1));
  }

  /** Takes a patient, visit or other seeded resource away, as a merge in the EHR does. */
  drop(reference: string): void {
    this.rows.delete(reference);
  }

  current(reference: string): Resource | undefined {
    return this.rows.get(reference)?.versions.at(-1);
  }

  version(reference: string, versionId: string): Resource | undefined {
    return this.rows.get(reference)?.versions.find((one) => textAt(one, 'meta', 'versionId') === versionId);
  }

  history(reference: string): readonly Resource[] {
    return this.rows.get(reference)?.versions ?? [];
  }

  ofType(type: string): readonly Resource[] {
    return [...this.rows.entries()]
      .filter(([reference]) => reference.startsWith(`${type}/`))
      .map(([, { versions }]) => versions.at(-1)!);
  }

  /** By one business identifier; an empty system asks for identifiers without one. */
  identified(type: string, system: string | undefined, value: string): readonly Resource[] {
    return this.ofType(type).filter((one) =>
      identifiersOf(one).some(
        (identifier) => identifier.value === value && (system === undefined || identifier.system === system),
      ),
    );
  }

  /** Everything that was filed, in order. */
  get filed(): readonly Filed[] {
    return this.taken;
  }

  /** Does the work wholly or not at all. */
  atomically<Result>(work: () => Result): Result {
    const before = new Map<string, Row>(
      [...this.rows].map(([key, { versions }]) => [key, { versions: [...versions] }]),
    );
    const takenBefore = [...this.taken];
    try {
      return work();
    } catch (fault) {
      this.rows = before;
      this.taken = takenBefore;
      throw fault;
    }
  }

  /** Ids are unlike those of other types and start anew with each EHR, so that a failure comes again. */
  nextId(type: string): string {
    this.counter += 1;
    return `${type.slice(0, 3).toLowerCase()}-${this.counter}`;
  }

  private stamped(resource: Fields & { readonly resourceType: string }, id: string, version: number): Resource {
    const { meta, ...rest } = resource;
    const stated = typeof meta === 'object' && meta !== null ? meta : {};
    const lastUpdated = new Date(this.now()).toISOString();
    return { ...rest, id, meta: { ...stated, versionId: String(version), lastUpdated } };
  }
}
