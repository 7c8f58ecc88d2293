import type { Resource } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../core/tenancy/tenant.js';
import { UnitOfWork, type SystemTransaction } from '../../../core/ports/unit-of-work.js';
import type { Environment } from '../../../core/tenancy/tenant.js';
import { BackgroundPass } from '../../../platform/background-pass.js';
import { statementsOf } from '../../../platform/database/unit-of-work.js';
import { Settings } from '../../../platform/config/settings.js';
import { Logger } from '../../../platform/logging/logger.js';
import { INDEX_FORM } from '../search-index/rows/index-form.js';
import { ResourceIndexer } from '../search-index/rows/resource-indexer.js';
import { AssessmentPlaces, withPlace } from './assessment-places.js';
import { contentColumns, contentOf, UnreadableContent, type KeptContent } from './packed-content.js';
import { CLEAR_ROWS, indexStatement } from './write-statement.js';

/** Resources per transaction, and so the longest wait of a client that writes one of them. */
const TOGETHER = 20;
/** Pause between two transactions, so that requests have most of the processor. */
const PAUSE_MS = 20;

/** Resources written from here on have this form already. */
const BEGIN = `insert into fhir_index_passes (form, done_through, last_number) select $1, 0, coalesce(max(number), 0) from fhir_resources
  where not exists (select from fhir_index_passes where form >= $1) on conflict do nothing`;
const CLAIM = `select done_through::text as done, last_number::text as last from fhir_index_passes where form = $1 and done_through < last_number for update skip locked`;
/** A resource that a client is writing is skipped: its writer makes the rows, or is done before the next turn. */
const TAKE = `select r.number::text as number, r.organization_id, r.environment, r.type, r.id, r.version, r.last_updated, ${contentColumns('v')}
  from fhir_resources r join fhir_versions v on v.resource = r.number and v.version = r.version
  where r.number > $1::bigint and r.number <= $2::bigint and not r.is_deleted order by r.number limit ${TOGETHER} for no key update of r skip locked`;
const NUMBERS = `select r.number::text as number from fhir_resources r where r.number > $1::bigint and r.number <= $2::bigint and not r.is_deleted order by r.number limit ${TOGETHER}`;
const ADVANCE = 'update fhir_index_passes set done_through = $2::bigint where form = $1';

interface TakenRow extends KeptContent {
  readonly number: string;
  readonly organization_id: string;
  readonly environment: Environment;
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly last_updated: Date;
}

/**
 * Makes the index rows of resources from before this release anew, once for each form of the index, behind all other work. Until it is
 * done, searches by new parameters find only resources that were written since. Several processes take turns.
 */
@Injectable()
export class IndexRenewal extends BackgroundPass {
  protected readonly interruption = 'fhir.index_renewal_interrupted';

  constructor(
    private readonly indexer: ResourceIndexer,
    private readonly places: AssessmentPlaces,
    private readonly unitOfWork: UnitOfWork,
    settings: Settings,
    logger: Logger,
  ) {
    super(settings, logger);
  }

  protected async pass(advanced: (rows: number) => void): Promise<void> {
    await this.unitOfWork.inSystem((transaction) => statementsOf(transaction).run(BEGIN, [INDEX_FORM]));
    for (let isFirst = true; !this.isStopped; isFirst = false) {
      const renewed = await this.unitOfWork.inSystem((transaction) => this.renewSome(transaction));
      if (renewed === null) return;
      if (isFirst && renewed > 0) this.logger.info('fhir.index_renewing', { form: INDEX_FORM });
      advanced(renewed);
      await this.pause(PAUSE_MS);
    }
  }

  protected finished(indexed: number): void {
    if (indexed > 0) this.logger.info('fhir.index_renewed', { form: INDEX_FORM, indexed });
  }

  /** null: nothing is left, or another process is at work. */
  private async renewSome(transaction: SystemTransaction): Promise<number | null> {
    const statements = statementsOf(transaction);
    const [pass] = (await statements.run<{ done: string; last: string }>(CLAIM, [INDEX_FORM])).rows;
    if (pass === undefined) return null;
    const { rows: wanted } = await statements.run<{ number: string }>(NUMBERS, [pass.done, pass.last]);
    const { rows: taken } = await statements.run<TakenRow>(TAKE, [pass.done, pass.last]);
    // Only as far as nothing was left out.
    const through = wanted.findIndex(({ number }, at) => taken[at]?.number !== number);
    const renewed = through === -1 ? taken : taken.slice(0, through);
    for (const row of renewed) await this.renew(transaction, row);
    const done = through === -1 && wanted.length < TOGETHER ? pass.last : (renewed.at(-1)?.number ?? pass.done);
    await statements.run(ADVANCE, [INDEX_FORM, done]);
    return renewed.length;
  }

  private async renew(
    transaction: SystemTransaction,
    { organization_id: organizationId, environment, type, id, version, last_updated: lastUpdated, ...kept }: TakenRow,
  ): Promise<void> {
    const tenant = { organizationId, environment };
    const content = this.readable(kept, { type, id, version });
    if (content === null) return;
    const resource = await this.withKeptPlace(transaction, tenant, content);
    await statementsOf(transaction).run(CLEAR_ROWS, [organizationId, environment, type, id]);
    const { sql, values } = indexStatement(tenant, {
      resource,
      version,
      lastUpdated,
      author: null,
      rows: this.indexer.rowsOf(tenant, resource),
      unique: null,
    });
    await statementsOf(transaction).run(sql, values);
  }

  /** null: it cannot be read, and keeps the rows that it has, so that one damaged version does not keep all others from being found. */
  private readable(kept: KeptContent, version: Pick<TakenRow, 'type' | 'id' | 'version'>): Resource | null {
    try {
      return contentOf(kept);
    } catch (error) {
      if (!(error instanceof UnreadableContent)) throw error;
      this.logger.error('fhir.version_unreadable', version);
      return null;
    }
  }

  /** The place of a report in its series stands in the index alone. */
  private async withKeptPlace(transaction: SystemTransaction, tenant: Tenant, content: Resource): Promise<Resource> {
    if (content.resourceType !== 'DiagnosticReport') return content;
    const places = await this.places.of(transaction.about(tenant), [content.id!]);
    return withPlace(content, places.get(content.id!));
  }
}
