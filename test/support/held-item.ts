import { v7 } from 'uuid';
import { queryDatabase } from './database-query.js';

const NOTHING = { messageIds: [], resources: [], jobIds: [], imageIds: [], patientIds: [], orders: [] };

/** Something that waits for a person in the test environment, and that nothing stands behind; its id. */
export async function keepHeldItem(databaseUrl: string, organizationId: string): Promise<string> {
  const id = v7();
  await queryDatabase(
    databaseUrl,
    `insert into held_items (id, organization_id, environment, reason, door, came, waits_for, actions, since)
       values ($1, $2, 'test', 'identity_conflict', 'hl7v2', $3, 'Whether it is the person of the record.', '{same,another,discard}', date_trunc('milliseconds', now()))`,
    [id, organizationId, NOTHING],
  );
  return id;
}
