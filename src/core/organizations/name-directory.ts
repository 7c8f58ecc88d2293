/** A thing that an answer has by its id. */
export interface NamedThing {
  readonly id: string;
  /** Whose it is: of an organization itself, a user with a role there, or one of its things. */
  readonly organizationId: string;
  readonly name: string;
}

/** Names of the things that answers have by their ids. */
export class Names {
  private readonly known: ReadonlyMap<string, string>;

  constructor(things: readonly NamedThing[]) {
    this.known = new Map(things.map(({ id, organizationId, name }) => [keyOf(id, organizationId), name]));
  }

  /** As the organization knows it; null: nothing of that organization has the id, or there is no id. */
  nameOf(id: string | null, organizationId: string): string | null {
    return id === null ? null : (this.known.get(keyOf(id, organizationId)) ?? null);
  }

  organization(organizationId: string): string | null {
    return this.nameOf(organizationId, organizationId);
  }

  /** All names that these organizations know, by id. */
  within(organizationIds: readonly string[]): Record<string, string> {
    const own = new Set(organizationIds);
    return Object.fromEntries(
      [...this.known].flatMap(([key, name]) => {
        const [organizationId = '', id = ''] = key.split(' ');
        return own.has(organizationId) ? [[id, name]] : [];
      }),
    );
  }
}

const keyOf = (id: string, organizationId: string): string => `${organizationId} ${id}`;

/**
 * What people call organizations, listeners, destinations, webhooks, Subscriptions, EHRs, keys, clients and users; deleted ones, too, since
 * messages outlive them. An address stands for what has no name, and first and last letters for a key. Over all tenants: an answer
 * names what it holds anyway.
 */
export abstract class NameDirectory {
  /** One statement, however many ids there are; those of other things, and texts that are no ids, are passed over. */
  abstract namesOf(ids: Iterable<string>): Promise<Names>;
  /** The first number of each patient. For those alone who may see patients. */
  abstract patientNumbers(patientIds: Iterable<string>): Promise<Names>;
}
