import { Injectable } from '@nestjs/common';
import { RemoteImageRepository, type DueFetch } from '../../core/remote-images/remote-image.repository.js';
import type { Transaction, TenantTransaction } from '../../core/ports/unit-of-work.js';
import type { Environment } from '../../core/tenancy/tenant.js';
import { SystemStatements } from '../../platform/database/statements.js';
import { statementsOf } from '../../platform/database/unit-of-work.js';

/** Host and port of an https address, in SQL as in the program. */
function host(column: string): string {
  return `lower(substring(${column} from '^[A-Za-z]+://([^/?#]*)'))`;
}

function hostOf(url: string): string {
  return (/^[A-Za-z]+:\/\/([^/?#]*)/.exec(url)?.[1] ?? '').toLowerCase();
}

const INSERT = `insert into remote_images (image_id, organization_id, environment, url, next_try_at) values ($1, $2, $3, $4, sutura_now())`;
/** 30 s, then four times as long with each try. Longer than a fetch may take. */
const TAKE_DUE = `with running (organization_id, host) as (select * from unnest($4::uuid[], $5::text[])),
  ranked as (
    select image_id, next_try_at,
      row_number() over (partition by organization_id, ${host('url')} order by next_try_at) + (select count(*) from running where running.organization_id = waiting.organization_id and running.host = ${host('waiting.url')}) as of_host,
      row_number() over (partition by organization_id order by next_try_at) + (select count(*) from running where running.organization_id = waiting.organization_id) as of_organization
    from remote_images waiting where given_up_at is null and next_try_at <= (select sutura_now())),
  due as (
    select image_id from remote_images where given_up_at is null and next_try_at <= (select sutura_now())
      and image_id in (select image_id from ranked where of_host <= $2 and of_organization <= $3) order by next_try_at limit $1 for update skip locked)
  update remote_images remote set tries = tries + 1, next_try_at = sutura_now() + interval '30 seconds' * power(4, least(tries, 6))
    from due where remote.image_id = due.image_id
    returning remote.image_id as "imageId", organization_id as "organizationId", environment, url, tries`;

const NOTE_FAULT = 'update remote_images set fault = $2 where image_id = $1';
/** Makes it never due again, and removes its address, which may name a patient. */
const GIVE_UP = `update remote_images set url = '', fault = $2, given_up_at = sutura_now(), next_try_at = 'infinity' where image_id = $1`;

interface DueRow {
  readonly imageId: string;
  readonly organizationId: string;
  readonly environment: Environment;
  readonly url: string;
  readonly tries: number;
}

@Injectable()
export class SqlRemoteImageRepository extends RemoteImageRepository {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async insert(transaction: TenantTransaction, imageId: string, url: string): Promise<void> {
    const { organizationId, environment } = transaction.tenant;
    await statementsOf(transaction).run(INSERT, [imageId, organizationId, environment, url]);
  }

  async takeDue(
    limit: number,
    slots: { readonly host: number; readonly organization: number },
    running: readonly DueFetch[],
  ): Promise<DueFetch[]> {
    const values = [
      limit,
      slots.host,
      slots.organization,
      running.map(({ tenant }) => tenant.organizationId),
      running.map(({ url }) => hostOf(url)),
    ];
    const { rows } = await this.statements.run<DueRow>(TAKE_DUE, values);
    return rows.map(({ imageId, url, tries, organizationId, environment }) => ({
      imageId,
      url,
      tries,
      tenant: { organizationId, environment },
    }));
  }

  async noteFault(imageId: string, fault: string): Promise<void> {
    await this.statements.run(NOTE_FAULT, [imageId, fault]);
  }

  async giveUp(transaction: Transaction, imageId: string, fault: string): Promise<void> {
    await statementsOf(transaction).run(GIVE_UP, [imageId, fault]);
  }

  async remove(transaction: Transaction, imageId: string): Promise<void> {
    await statementsOf(transaction).run('delete from remote_images where image_id = $1', [imageId]);
  }
}
