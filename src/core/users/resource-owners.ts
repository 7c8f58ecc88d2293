/** What belongs to one organization and has an id of its own in addresses of the admin API. */
export const OWNED_KINDS = [
  'key',
  'client',
  'listener',
  'destination',
  'message',
  'delivery',
  'endpoint',
  'webhook',
] as const;
export type OwnedKind = (typeof OWNED_KINDS)[number];

/** Whose something is, so that a user's role there can be asked for. */
export abstract class ResourceOwners {
  /** The id of the organization; null where there is no such thing. */
  abstract ownerOf(kind: OwnedKind, id: string): Promise<string | null>;
}
