import type { Bundle, BundleEntry, BundleLink, OperationOutcomeIssue } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import { AuditReader, type AuditPage, type AuditQuestion } from '../../../core/audit/audit-reader.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { IdSource } from '../../../core/ports/id-source.js';
import { hasScope, type Caller } from '../../../core/tenancy/api-key.js';
import { isAllowed, type Right } from '../../../core/tenancy/system-scopes.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { readAuditSearch, type AuditSearch } from '../audit/audit-event-question.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import { idOfRow, toAuditEvent } from '../audit/to-audit-event.js';
import { queryWithForm } from './body-reading.js';
import type { FhirAddress } from './fhir-address.js';
import type { FhirExchange } from './fhir-exchange.js';

/**
 * AuditEvent: rows of the caller's own trail, for an organization's data protection officer. They are not stored resources: no history, include, export or `$everything` returns one. Each access to the trail is recorded in it.
 */
@Injectable()
export class AuditEventRoutes {
  constructor(
    private readonly reader: AuditReader,
    private readonly calls: AuditedCalls,
    private readonly ids: IdSource,
    private readonly site: PublicAddress,
  ) {}

  /** `auth.scope`, `fhir.not_found`, `fhir.search`. */
  answer(exchange: FhirExchange, address: FhirAddress & { readonly type: string }): Promise<HttpAnswer> {
    return address.kind === 'instance' ? this.read(exchange, address.id) : this.search(exchange);
  }

  private async read(exchange: FhirExchange, id: string): Promise<HttpAnswer> {
    permitTrail(exchange.caller, 'r');
    const row = idOfRow(id);
    if (row === null) throw new SuturaError('fhir.not_found');
    const event = await this.calls.run(exchange, async (call) => {
      const criteria = [{ kind: 'row' as const, ids: [row] }];
      const { records } = await this.reader.find(call.transaction, {
        criteria,
        newestFirst: true,
        limit: 1,
        after: null,
      });
      if (records[0] === undefined) throw new SuturaError('fhir.not_found');
      await this.calls.record(call, 'read', { references: [`AuditEvent/${id}`] });
      return toAuditEvent(records[0], this.site.url);
    });
    return { status: 200, headers: exchange.form.headers, body: exchange.form.textOf(event) };
  }

  private async search(exchange: FhirExchange): Promise<HttpAnswer> {
    permitTrail(exchange.caller, 's');
    const query = await queryWithForm(exchange);
    const search = readAuditSearch(query, exchange.base);
    const page = await this.calls.run(exchange, async (call) => {
      const found = await this.reader.find(call.transaction, search.question);
      await this.calls.record(call, 'search-type', {
        query: `AuditEvent?${query.toString()}`,
        patients: search.patients,
      });
      return found;
    });
    const bundle = this.searchset(exchange, query, search, page);
    return { status: 200, headers: exchange.form.headers, body: exchange.form.textOf(bundle) };
  }

  /** Without a total: to count a trail of years takes longer than to show it. */
  private searchset(
    { base }: FhirExchange,
    query: URLSearchParams,
    { next, question }: AuditSearch,
    { records, end, archivedUpTo }: AuditPage,
  ): Bundle {
    const linkTo = (relation: string, text: string): BundleLink => ({
      relation,
      url: `${base}/AuditEvent${text === '' ? '' : `?${text}`}`,
    });
    const entry: BundleEntry[] = records.map((record) => {
      const resource = toAuditEvent(record, this.site.url);
      return { fullUrl: `${base}/AuditEvent/${resource.id}`, resource, search: { mode: 'match' as const } };
    });
    if (archivedUpTo !== null && reaches(question, archivedUpTo)) entry.push(archivedOutcome(archivedUpTo));
    return {
      resourceType: 'Bundle',
      id: this.ids.next(),
      type: 'searchset',
      link: [linkTo('self', query.toString()), ...(end === null ? [] : [linkTo('next', next(end))])],
      ...(entry.length === 0 ? {} : { entry }),
    };
  }
}

/** True if rows of then would be among the answers. */
function reaches({ criteria }: AuditQuestion, then: Date): boolean {
  return criteria.every(
    (criterion) => criterion.kind !== 'recorded' || criterion.intervals.some(({ low }) => low === null || low <= then),
  );
}

/** An answer without older rows must not look like one that has them all. */
function archivedOutcome(upTo: Date): BundleEntry {
  const text = `Rows up to ${upTo.toISOString()} lie in archives and are not among these. The operator gives them out: "audit archives".`;
  const issue: OperationOutcomeIssue[] = [{ severity: 'information', code: 'incomplete', details: { text } }];
  return { resource: { resourceType: 'OperationOutcome', issue }, search: { mode: 'outcome' } };
}

/** `auth.scope`. Keys need audit:read; tokens a right of `system/AuditEvent`, which `system/*` has not. */
function permitTrail(caller: Caller, right: Right): void {
  const isPermitted =
    caller.grants === undefined ? hasScope(caller, 'audit:read') : isAllowed(caller.grants, 'AuditEvent', right);
  if (isPermitted) return;
  const lacks =
    caller.grants === undefined
      ? 'The key lacks the scope "audit:read". Use a key that has it.'
      : `The token lacks the scope "system/AuditEvent.${right}", which "system/*" does not include. Ask for one that has it.`;
  throw new SuturaError('auth.scope', { detail: lacks });
}
