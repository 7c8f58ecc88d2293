import type { Bundle, Resource } from '@medplum/fhirtypes';
import { Injectable } from '@nestjs/common';
import type { HttpAnswer } from '../../../platform/http/http-answer.js';
import { mediaTypeOf, namedTypeOf } from '../../../platform/http/unread-bodies.js';
import { AuditedCalls } from '../audit/audited-calls.js';
import type { AuditedInteraction } from '../audit/fhir-audit.js';
import { HeldBundles, putBundle } from '../bundle/held-bundles.js';
import { addressedAs, createdAnswer } from '../interactions/answers.js';
import { isStored, type FhirAnswer, type FhirCall } from '../call/fhir-call.js';
import { PresentedAnswer } from '../intake/presented-answer.js';
import { IntakeDirectory } from '../interactions/resource-intake.js';
import { criteriaIn } from '../interactions/choosing-criteria.js';
import { IF_NONE_EXIST } from '../interactions/criteria-match.js';
import { mayRead, permit } from '../interactions/interaction-check.js';
import { rowOf } from '../../../standards/fhir/types/served-types.js';
import { performCreate } from '../interactions/perform-create.js';
import { performPut } from '../interactions/perform-put.js';
import type { PutRequest, ResourceChoice } from '../interactions/put-request.js';
import { ResourceInteractions } from '../interactions/resource-interactions.js';
import { subsetAnswer } from '../search/results/subset-answer.js';
import { performDelete, performPatch } from '../interactions/perform-change.js';
import type { Submission } from '../interactions/resource-writing.js';
import { renderAnswer } from './answer-rendering.js';
import { queryWithForm, readSent } from './body-reading.js';
import type { FhirAddress } from './fhir-address.js';
import type { FhirExchange } from './fhir-exchange.js';
import { GroupedCreates } from './grouped-creates.js';
import { requireBodyType } from './negotiation.js';

/** The routes of a type and of its instances: each one transaction, with its line in the audit trail. */
@Injectable()
export class ResourceRoutes {
  constructor(
    private readonly interactions: ResourceInteractions,
    private readonly grouped: GroupedCreates,
    private readonly intakes: IntakeDirectory,
    private readonly calls: AuditedCalls,
    private readonly presented: PresentedAnswer,
    private readonly held: HeldBundles,
  ) {}

  async search(exchange: FhirExchange, type: string): Promise<HttpAnswer> {
    permit(exchange.caller, type, 'search');
    const parameters = await queryWithForm(exchange);
    const answer = await this.calls.run(exchange, async (call) => {
      const found = await this.interactions.reading.search(call, type, parameters, exchange.preferences.strict);
      await this.record(call, 'search-type', { type }, found, parameters.toString());
      return found;
    });
    const shown = await this.shown(exchange, answer);
    return withApplied(shown, exchange.preferences.strict ? 'handling=strict' : null);
  }

  async read(exchange: FhirExchange, type: string, id: string): Promise<HttpAnswer> {
    const answer = await this.calls.run(exchange, async (call) => {
      const found = await this.interactions.reading.read(call, type, id, exchange.conditions);
      await this.record(call, 'read', { type, id }, found);
      return exchange.query.get('_inline') === 'true' ? this.inlined(call, found) : found;
    });
    return this.shown(exchange, subsetAnswer(answer, type, exchange.query));
  }

  async readVersion(exchange: FhirExchange, type: string, id: string, version: string): Promise<HttpAnswer> {
    const answer = await this.calls.run(exchange, async (call) => {
      const found = await this.interactions.reading.readVersion(call, type, id, version);
      await this.record(call, 'vread', { type, id }, found);
      return found;
    });
    return this.shown(exchange, answer);
  }

  async history(exchange: FhirExchange, type: string, id: string): Promise<HttpAnswer> {
    const answer = await this.calls.run(exchange, async (call) => {
      const found = await this.interactions.reading.histories.ofInstance(call, type, id, exchange.query);
      await this.record(call, 'history-instance', { type, id }, found);
      return found;
    });
    return this.shown(exchange, answer);
  }

  /** The history of a type; null: of all of them. */
  async changes(exchange: FhirExchange, type: string | null): Promise<HttpAnswer> {
    const answer = await this.calls.run(exchange, async (call) => {
      const found = await (type === null
        ? this.interactions.reading.histories.ofSystem(call, exchange.query)
        : this.interactions.reading.histories.ofType(call, type, exchange.query));
      await this.calls.record(call, type === null ? 'history-system' : 'history-type', {
        resources: [found.body as Resource],
        query: `${type === null ? '' : `${type}/`}_history?${exchange.query.toString()}`,
      });
      return found;
    });
    return this.shown(exchange, answer);
  }

  async create(exchange: FhirExchange, type: string): Promise<HttpAnswer> {
    permit(exchange.caller, type, 'create');
    requireBodyType(namedTypeOf(exchange.request), 'resource');
    return this.createFrom(
      exchange,
      type,
      await this.interactions.writing.submit(exchange.caller, type, await readSent(exchange)),
    );
  }

  /** The part of a create behind its body. Undoes staged uploads if the create fails. */
  async createFrom(exchange: FhirExchange, type: string, submission: Submission): Promise<HttpAnswer> {
    const { conditions, caller, base, requestId } = exchange;
    const { ifNoneExist: written } = conditions;
    const ifNoneExist = written === undefined ? undefined : criteriaIn(written, type, base, IF_NONE_EXIST);
    if (ifNoneExist === undefined && this.interactions.writing.standsAlone(submission)) {
      const created = await this.grouped.create({ caller, base, requestId, submission });
      return this.written(exchange, createdAnswer(created), 'location');
    }
    let used = false;
    try {
      const answer = await this.calls.run(exchange, async (call) => {
        const created = await performCreate(this.interactions, call, submission, ifNoneExist);
        await this.record(call, 'create', { type }, created);
        return created;
      });
      used = answer.status === 201;
      return this.written(exchange, answer, 'location');
    } finally {
      if (!used) await submission.prepared.discard?.();
    }
  }

  /** Updates the resource with this id, or the one that the criteria match; creates it where there is none. */
  async update(exchange: FhirExchange, type: string, target: ResourceChoice): Promise<HttpAnswer> {
    const { caller, conditions } = exchange;
    permit(caller, type, 'update');
    requireBodyType(namedTypeOf(exchange.request), 'resource');
    const put = { type, target, body: await readSent(exchange), conditions };
    const done = await this.held.orHold(caller, putBundle(put), () => this.put(exchange, put));
    if (!('resourceType' in done))
      return this.written(exchange, done, done.status === 201 ? 'location' : 'content-location');
    return this.writtenElsewhere(exchange, type, done);
  }

  private put(exchange: FhirExchange, put: PutRequest): Promise<FhirAnswer> {
    const { type, target } = put;
    return performPut(this.interactions, exchange.caller, put, (work) =>
      this.calls.run(exchange, async (call) => {
        const written = await work(call);
        await this.record(
          call,
          written.status === 201 ? 'create' : 'update',
          target.kind === 'id' ? { type, id: target.id } : { type },
          written,
        );
        return written;
      }),
    );
  }

  /** The address names the record that was to be changed; what was made of it may be another person's. */
  private async writtenElsewhere(exchange: FhirExchange, type: string, done: Bundle): Promise<HttpAnswer> {
    const answer = await this.heldChange(exchange, type, done);
    const elsewhere = { ...exchange, address: null };
    return this.written(elsewhere, answer, answer.status === 201 ? 'location' : 'content-location');
  }

  /** A PUT or PATCH that was held and is done: the resource as it was written then. */
  private async heldChange(exchange: FhirExchange, type: string, { entry = [] }: Bundle): Promise<FhirAnswer> {
    const { status = '', location = '' } = entry[0]?.response ?? {};
    const [, id = '', , version = ''] = location.slice(location.lastIndexOf(`${type}/`)).split('/');
    const read = await this.calls.run(exchange, async (call) => {
      const found = await this.interactions.reading.readVersion(call, type, id, version);
      await this.record(call, 'vread', { type, id }, found);
      return found;
    });
    return { ...read, status: Number.parseInt(status, 10), location: `${type}/${id}/_history/${version}` };
  }

  async patch(exchange: FhirExchange, type: string, target: ResourceChoice): Promise<HttpAnswer> {
    permit(exchange.caller, type, 'patch');
    requireBodyType(namedTypeOf(exchange.request), 'patch');
    const patch = { mediaType: mediaTypeOf(namedTypeOf(exchange.request)), content: await readSent(exchange) };
    const { caller, conditions } = exchange;
    const asked = { type, target, patch, conditions };
    const done = await this.held.orHoldPatch(caller, asked, () =>
      this.calls.run(exchange, async (call) => {
        const updated = await performPatch(this.interactions, call, asked, conditions);
        await this.record(call, 'patch', target.kind === 'id' ? { type, id: target.id } : { type }, updated);
        return updated;
      }),
    );
    if (!('resourceType' in done)) return this.written(exchange, done, 'content-location');
    return this.writtenElsewhere(exchange, type, done);
  }

  /** Deletes the resource with this id, or the one that the criteria match. */
  async delete(exchange: FhirExchange, type: string, target: ResourceChoice): Promise<HttpAnswer> {
    permit(exchange.caller, type, 'delete');
    const answer = await this.calls.run(exchange, async (call) => {
      const deleted = await performDelete(this.interactions, call, type, target, exchange.conditions);
      await this.interactions.deleting.refuseReferred(call, [deleted]);
      await this.calls.record(call, 'delete', {
        resources: deleted.gone === undefined ? [] : [deleted.gone],
        references: target.kind === 'id' && deleted.gone === undefined ? [`${type}/${target.id}`] : [],
      });
      return deleted;
    });
    // A 204 has no body, an outcome that is preferred has one.
    const asked = exchange.preferences.return === 'OperationOutcome' ? { ...answer, status: 200 } : answer;
    return this.written(exchange, asked, 'content-location');
  }

  private async inlined(call: FhirCall, answer: FhirAnswer): Promise<FhirAnswer> {
    if (!isStored(answer.body)) return answer;
    const { resource } = answer.body;
    const inline = await this.intakes.of(resource.resourceType)?.inline(call, answer.body);
    return inline === undefined ? answer : { ...answer, body: { ...answer.body, resource: inline } };
  }

  /** Reads of conformance resources are not audited. */
  private record(
    call: FhirCall,
    interaction: AuditedInteraction,
    { type, id }: { type: string; id?: string },
    { body }: FhirAnswer,
    query?: string,
  ): Promise<void> {
    if (rowOf(type)?.origin === 'definitions') return Promise.resolve();
    const resources: readonly Resource[] = body === null ? [] : [isStored(body) ? body.resource : body];
    return this.calls.record(call, interaction, {
      resources,
      references: id === undefined || isStored(body) ? [] : [`${type}/${id}`],
      ...(query === undefined ? {} : { query }),
    });
  }

  private async shown({ base, form, address, caller, language }: FhirExchange, found: FhirAnswer): Promise<HttpAnswer> {
    const answer = await this.presented.state(caller, found, language);
    return renderAnswer(asAddressed(answer, address), { base, form, answerWith: null, locatedBy: 'content-location' });
  }

  /** A key that may write but not read gets only the headers. */
  private async written(
    { base, form, caller, preferences, address }: FhirExchange,
    written: FhirAnswer,
    locatedBy: 'location' | 'content-location',
  ): Promise<HttpAnswer> {
    const answer = asAddressed(written, address);
    const hidden = isStored(answer.body) && !mayRead(caller, answer.body.resource.resourceType, answer.body);
    const rendered = await renderAnswer(answer, {
      base,
      form,
      answerWith: hidden && preferences.return !== 'OperationOutcome' ? 'minimal' : preferences.return,
      locatedBy,
    });
    return withApplied(rendered, preferences.return === null ? null : `return=${preferences.return}`);
  }
}

/** RFC 7240 3: what was preferred and done. */
function withApplied(answer: HttpAnswer, applied: string | null): HttpAnswer {
  return applied === null ? answer : { ...answer, headers: { ...answer.headers, 'preference-applied': applied } };
}

/** The client's own id of an instance or version, where the address used one. */
function asAddressed(answer: FhirAnswer, address: FhirAddress | null): FhirAnswer {
  return address?.kind === 'instance' || address?.kind === 'version'
    ? addressedAs(answer, address.type, address.id)
    : answer;
}
