import type { TenantTransaction } from '../../../core/ports/unit-of-work.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import type { ResourceTarget } from './resource-store.js';

const OWN = 'organization_id = $1 and record.environment = $2';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const REPORT = `select 'DiagnosticReport' as type, record.id::text as id from reports record`;
const JOB = `select 'Task' as type, record.id::text as id from analysis_jobs record where record.${OWN}`;
const REQUEST = `select 'Task' as type, record.id::text as id from analysis_requests record where record.${OWN}`;
const OF_PHOTO = [
  `${REPORT} where record.${OWN} and record.image_id = $3::uuid`,
  `${JOB} and record.image_id = $3::uuid`,
  `${REQUEST} and record.image_id = $3::uuid and record.state in ('waiting', 'held', 'started')`,
];

/** Reports and analyses that core made of the record behind a resource; their resources may be written a moment later. */
const STANDING: Readonly<Record<string, readonly string[]>> = {
  Patient: [
    `${REPORT} join wounds wound on wound.id = record.wound_id where record.${OWN} and wound.patient_id = $3::uuid`,
    `${JOB} and record.patient_id = $3::uuid`,
  ],
  BodyStructure: [`${REPORT} where record.${OWN} and record.wound_id = $3::uuid`],
  Media: OF_PHOTO,
  DocumentReference: OF_PHOTO,
  ServiceRequest: [
    `${REQUEST} and record.order_key = 'ServiceRequest/' || $3::uuid::text and record.state in ('waiting', 'held', 'started')`,
  ],
};

/** What stands on the record of core that a resource is, by the names that it has here: at most three, a report before an analysis. */
export async function standingOn(
  transaction: TenantTransaction,
  { type, id }: ResourceTarget,
): Promise<readonly ResourceTarget[]> {
  const parts = STANDING[type];
  if (parts === undefined || !UUID.test(id)) return [];
  const { organizationId, environment } = transaction.tenant;
  const { rows } = await statementsOf(transaction).run<ResourceTarget>(
    `select type, id from (${parts.map((part) => `(${part} limit 3)`).join(' union all ')}) standing order by type, id limit 3`,
    [organizationId, environment, id],
  );
  return rows;
}
