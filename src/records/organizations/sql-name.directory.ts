import { Injectable } from '@nestjs/common';
import { NameDirectory, Names, type NamedThing } from '../../core/organizations/name-directory.js';
import { isCanonicalUuid, SystemStatements } from '../../platform/database/statements.js';

/** How a row of each table is called. An id is in one of them at most. */
const NAMES: Readonly<Record<string, string>> = {
  hl7_listeners: 'name',
  hl7_destinations: 'name',
  webhooks: 'url',
  fhir_subscriptions: 'url',
  ehrs: 'name',
  oauth_clients: 'name',
  api_keys: `prefix || '…' || last_four`,
};
const OF_TABLES = Object.entries(NAMES).map(
  ([table, name]) => `select id, organization_id as "organizationId", ${name} as name from ${table} where id = any($1)`,
);
/** Once for each organization that they have or had a role in: others are not told who they are. */
const OF_USERS = `select person.id, held.organization_id, coalesce(nullif(person.display_name, ''), person.name) from users person
    join (select user_id, organization_id from user_roles union select user_id, organization_id from former_user_roles) held on held.user_id = person.id
  where person.id = any($1)`;
const NAMED = [
  'select id, id as "organizationId", name from organizations where id = any($1)',
  ...OF_TABLES,
  OF_USERS,
].join('\n  union all ');

const NUMBERED = `select distinct on (patient_id) patient_id as id, organization_id as "organizationId", value as name
  from patient_identifiers where patient_id = any($1) order by patient_id, place`;

/** Each table by its primary key. */
@Injectable()
export class SqlNameDirectory extends NameDirectory {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  namesOf(ids: Iterable<string>): Promise<Names> {
    return this.read(NAMED, ids);
  }

  patientNumbers(patientIds: Iterable<string>): Promise<Names> {
    return this.read(NUMBERED, patientIds);
  }

  private async read(statement: string, ids: Iterable<string>): Promise<Names> {
    const known = [...new Set(ids)].filter(isCanonicalUuid);
    return new Names(known.length === 0 ? [] : (await this.statements.run<NamedThing>(statement, [known])).rows);
  }
}
