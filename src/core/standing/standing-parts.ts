/** The parts of the service that its standing asks for. Published names. */
export const STANDING_PARTS = [
  'database',
  'receivers',
  'listeners',
  'certificates',
  'queue',
  'workers',
  'models',
  'disk',
  'backup',
  'parts',
  'audit',
  'messages',
  'held',
  'jobs',
  'quota',
] as const;
export type StandingPart = (typeof STANDING_PARTS)[number];

/** What may be wrong with them. Published names. */
export const STANDING_FAULTS = [
  'not_read',
  'receiver_unreachable',
  'receiver_silent',
  'receiver_refuses',
  'receiver_not_tried',
  'endpoint_disabled',
  'handshake_given_up',
  'endpoint_paused',
  'deliveries_parked',
  'listener_not_served',
  'listener_paused',
  'certificate_ends',
  'queue_stuck',
  'worker_dead',
  'model_missing',
  'disk_full',
  'backup_old',
  'part_failed',
  'audit_not_sealed',
  'audit_chain_broken',
  'database_read_only',
  'messages_refused',
  'messages_sealed',
  'items_held',
  'jobs_failed',
  'quota_used',
] as const;
export type StandingFault = (typeof STANDING_FAULTS)[number];

/**
 * `broken`: something does not work; `waiting`: it works, and something waits for a person or soon will not work; `unknown`: it was not looked at,
 * or gave no answer in time, or nothing proves that it works; `well`: looked at, with a proof. Published names.
 */
export const STANDING_STATES = ['broken', 'waiting', 'unknown', 'well'] as const;
export type StandingState = (typeof STANDING_STATES)[number];

/** Of the whole installation, shown to installation admins alone. */
export const INSTALLATION_PARTS: readonly StandingPart[] = ['disk', 'backup', 'parts', 'audit'];
