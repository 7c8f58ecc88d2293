import { v7 } from 'uuid';
import { queryDatabase } from './database-query.js';

const INSERT = `insert into authority_proposals (id, organization_id, environment, one, other, pair, why, since)
  values ($1::uuid, $2, 'test', 'urn:oid:2.999.8', 'https://north.example/mrn', $1::uuid::text, 'together', now())`;

/** Two systems that somebody is to say of whether they are one; answers the proposal's id. */
export async function keepAuthorityProposal(databaseUrl: string, organizationId: string): Promise<string> {
  const id = v7();
  await queryDatabase(databaseUrl, INSERT, [id, organizationId]);
  return id;
}
