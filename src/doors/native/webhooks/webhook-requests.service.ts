import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../core/audit/audit-trail.js';
import type { AuditAction } from '../../../core/audit/access.js';
import { UnitOfWork } from '../../../core/ports/unit-of-work.js';
import { SuturaError } from '../../../core/errors/sutura-error.js';
import { hasScope, type Caller } from '../../../core/tenancy/api-key.js';
import { emptyAnswer, jsonAnswer, type HttpAnswer } from '../../../platform/http/http-answer.js';
import { PublicAddress } from '../../../platform/http/public-address.js';
import { WebhookService, type DeliveryAct, type Webhook, type WebhookSettings } from '../../../exits/webhooks/index.js';
import { accessTo } from '../audit/native-access.js';
import { readPage, wholeList } from '../paging/page.js';
import { seenPath } from '../route/paths.js';
import { toDeliveryDetailView, toDeliveryView, toWebhookView, toWebhookWithSecretView } from './webhook-view.mapper.js';
import type {
  DeliveryQuery,
  WebhookChange,
  WebhookReplay,
  WebhookRequest,
  WebhookRotation,
} from './webhooks.schema.js';

/** Webhooks and their deliveries as HTTP answers. Changes are written into the audit trail. */
@Injectable()
export class WebhookRequestsService {
  constructor(
    private readonly webhooks: WebhookService,
    private readonly trail: AuditTrail,
    private readonly unitOfWork: UnitOfWork,
    private readonly address: PublicAddress,
  ) {}

  async create(caller: Caller, request: WebhookRequest): Promise<HttpAnswer> {
    const { url, types, content, signatures } = request;
    requireReader(caller, content);
    const webhook = await this.webhooks.create(caller, { url, types, content, schemes: signatures });
    await this.record(caller, 'C', webhook.id);
    const location = seenPath(this.address.url, `/api/v1/webhooks/${webhook.id}`);
    return jsonAnswer(201, toWebhookWithSecretView(webhook), { location, 'cache-control': 'no-store' });
  }

  async list(caller: Caller): Promise<HttpAnswer> {
    const webhooks = await this.webhooks.register.ofTenant(caller);
    return jsonAnswer(200, wholeList(webhooks.map(toWebhookView), 'webhooks'));
  }

  async read(caller: Caller, id: string): Promise<HttpAnswer> {
    return jsonAnswer(200, toWebhookView(await this.webhooks.register.find(caller, id)));
  }

  /** `auth.scope` where the webhook is, or becomes, one that says more than its caller may read, or what it said so would go elsewhere. */
  async change(caller: Caller, id: string, { url, types, content, signatures }: WebhookChange): Promise<HttpAnswer> {
    const present = await this.webhooks.register.find(caller, id);
    const goesElsewhere = url !== undefined && present.toldFull;
    requireReader(caller, goesElsewhere ? 'full' : (content ?? present.content));
    const changes: Partial<WebhookSettings> = {
      ...(url === undefined ? {} : { url }),
      ...(types === undefined ? {} : { types }),
      ...(content === undefined ? {} : { content }),
      ...(signatures === undefined ? {} : { schemes: signatures }),
    };
    return this.changed(caller, id, 'change', () => this.webhooks.change(caller, id, changes));
  }

  async delete(caller: Caller, id: string): Promise<HttpAnswer> {
    await this.webhooks.delete(caller, id);
    await this.record(caller, 'D', id);
    return emptyAnswer(204);
  }

  async rotate(caller: Caller, id: string, { overlapS }: WebhookRotation): Promise<HttpAnswer> {
    const webhook = await this.webhooks.register.rotate(caller, id, overlapS);
    await this.record(caller, 'U', id, 'rotate');
    return jsonAnswer(200, toWebhookWithSecretView(webhook), { 'cache-control': 'no-store' });
  }

  async test(caller: Caller, id: string): Promise<HttpAnswer> {
    return jsonAnswer(200, await this.webhooks.test(caller, id));
  }

  pause(caller: Caller, id: string): Promise<HttpAnswer> {
    return this.changed(caller, id, 'pause', () => this.webhooks.register.pause(caller, id));
  }

  resume(caller: Caller, id: string): Promise<HttpAnswer> {
    return this.changed(caller, id, 'resume', () => this.webhooks.register.resume(caller, id));
  }

  async deliveries(caller: Caller, id: string, query: DeliveryQuery): Promise<HttpAnswer> {
    await this.webhooks.register.find(caller, id);
    const { items, nextCursor } = await readPage(query, (limit, after) =>
      this.webhooks.log.list(caller, id, query.state ?? null, limit, after),
    );
    const shown = items.map(toDeliveryView);
    return jsonAnswer(200, { deliveries: shown, items: shown, nextCursor });
  }

  async delivery(caller: Caller, id: string, deliveryId: string): Promise<HttpAnswer> {
    const { toldFull } = await this.webhooks.register.find(caller, id);
    requireReader(caller, toldFull ? 'full' : 'ids');
    const { record, body, attempts } = await this.webhooks.log.find(caller, id, deliveryId);
    return jsonAnswer(200, toDeliveryDetailView(record, body, attempts));
  }

  async act(what: DeliveryAct, caller: Caller, id: string, deliveryId: string): Promise<HttpAnswer> {
    await this.webhooks.act(what, caller, id, deliveryId, caller.keyId);
    await this.record(caller, 'U', id, what);
    return emptyAnswer(what === 'replay' ? 202 : 204);
  }

  async replayAll(caller: Caller, id: string, { since, until }: WebhookReplay): Promise<HttpAnswer> {
    const end = until === undefined ? null : new Date(until);
    const replayed = await this.webhooks.replayAll(caller, id, caller.keyId, new Date(since), end);
    await this.record(caller, 'U', id, 'replay');
    return jsonAnswer(202, { replayed });
  }

  private async changed(caller: Caller, id: string, what: string, change: () => Promise<Webhook>): Promise<HttpAnswer> {
    const webhook = await change();
    await this.record(caller, 'U', id, what);
    return jsonAnswer(200, toWebhookView(webhook));
  }

  private async record(caller: Caller, action: AuditAction, id: string, what?: string): Promise<void> {
    await this.unitOfWork.inTenant(caller, (transaction) =>
      this.trail.record(transaction, caller, accessTo(action, `Endpoint/${id}`, {}, what)),
    );
  }
}

/** `auth.scope`: full events are only for keys that may read the data. */
function requireReader(caller: Caller, content: Webhook['content']): void {
  if (content === 'ids' || hasScope(caller, 'analysis:read')) return;
  throw new SuturaError('auth.scope', {
    detail:
      'Events with their content say what "analysis:read" shows, which the key lacks. Use a key that has it, or "content": "ids".',
  });
}
