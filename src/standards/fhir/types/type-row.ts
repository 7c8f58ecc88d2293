import type { Scope } from '../../../core/tenancy/api-key.js';

/** R4 restful-interaction; operations such as `$analyze` say their scope themselves. */
export type TypeInteraction = ReadInteraction | WriteInteraction;
export type WriteInteraction = 'create' | 'update' | 'patch' | 'delete';
export type ReadInteraction = 'read' | 'vread' | 'history' | 'search';

interface CommonColumns {
  /**
   * The place of the resources: the store of resources, the bytes of attachments, the trail of accesses, or the files of our
   * own definitions.
   */
  readonly origin: 'store' | 'bytes' | 'trail' | 'definitions';
  /** Keys that read all of the tenant's. A key that may write the type reads what it wrote itself. `apart`: by routes of its own alone. */
  readonly readers: 'analysis:read' | 'every-key' | 'apart';
  /** If-None-Exist on a create, and a PUT, PATCH or DELETE to criteria. */
  readonly conditional: boolean;
  /** True: core makes something of the resource, by the intake of the type (intake/intakes.ts). false: it is kept as it is. */
  readonly intake: boolean;
  /** Place among the resources that a transaction creates; null: after all others. */
  readonly transaction: TransactionPlace | null;
  /** The element with the subject; null: none, or the Patient itself. */
  readonly subject: 'patient' | 'subject' | 'for' | null;
  /**
   * The fate of a resource when its patient is merged into another: it gets a version with the new subject, before or after the
   * reports are projected anew; or it stays.
   */
  readonly merge: 'moves' | 'projected' | 'moves-after-reports' | 'stays';
  /** True: no two resources of a tenant share an identifier, so that a photo, an order or a message that names a number means one record. */
  readonly joinedByIdentifier: boolean;
  /** `photo`: a trace finds it by its own id and lists its versions with the photo; `id`: by its own id alone; null: not traced. */
  readonly trace: 'photo' | 'id' | null;
  /** True: a key that wrote such a resource may see the photo of the same id. */
  readonly showsPhoto: boolean;
}

/** Ranks start with 1; lower ones come first. */
interface TransactionPlace {
  /** The order in which resources are bound to records of core, since one is bound to another: see ResourceIntake.bind. null: last. */
  readonly bindRank: number | null;
  /** The order in which what follows from them happens: an order before the photo that it names. */
  readonly settleRank: number;
}

/** All that the door does with a type of resource. */
export interface TypeRow extends CommonColumns {
  readonly interactions: readonly TypeInteraction[];
  /** The scope that creates, updates, patches and deletes; null: only the service itself writes the type. */
  readonly writers: Scope | null;
}

/** A row as it is declared: one with a write interaction names the scope that grants it. */
export type DeclaredRow = CommonColumns &
  (
    | { readonly interactions: readonly ReadInteraction[]; readonly writers: null }
    | { readonly interactions: readonly TypeInteraction[]; readonly writers: Scope }
  );
