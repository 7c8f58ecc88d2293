import {
  type CallOptions,
  MalformedResponseError,
  type RawAnswer,
  type RequestOptions,
  type SuturaClient,
} from './index.js';
import type {
  CalibrationCard,
  CardSize,
  DeliveryFilter,
  Held,
  HeldDecision,
  HeldFilter,
  Model,
  SetupPage,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookTrial,
  WebhookInput,
  WebhookWithSecret,
} from './setup-types.js';

export type * from './setup-types.js';

const WEBHOOKS = '/api/v1/webhooks';
const HELD = '/api/v1/held';
const CARD = '/api/v1/calibration-card';

type OfWebhook = CallOptions & { webhookId: string };
type OfDelivery = OfWebhook & { deliveryId: string };

function segment(name: string, id: unknown): string {
  // An empty one would lead to another route.
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..')
    throw new TypeError(`${name} must be an id as the service gave it.`);
  return encodeURIComponent(id);
}

const webhookPath = (webhookId: string): string => `${WEBHOOKS}/${segment('webhookId', webhookId)}`;
const deliveryPath = ({ webhookId, deliveryId }: OfDelivery): string =>
  `${webhookPath(webhookId)}/deliveries/${segment('deliveryId', deliveryId)}`;
const heldPath = (heldId: string): string => `${HELD}/${segment('heldId', heldId)}`;

function malformed({ status, requestId }: RawAnswer): MalformedResponseError {
  return new MalformedResponseError(
    `The answer (${status}) is not what the service promises. Does the base URL lead to Sutura?`,
    { status, requestId },
  );
}

/** Sets up an organization by a client: webhooks, what waits for a person, models and calibration cards. */
export class SuturaSetup {
  readonly #client: SuturaClient;

  /**
   * @example
   * import { SuturaSetup } from '@sutura/sdk/setup';
   * const setup = new SuturaSetup(client);
   * console.log((await setup.listModels()).map(({ name, active }) => [name, active]));
   */
  constructor(client: SuturaClient) {
    this.#client = client;
  }

  /** Asks for a webhook. Its `secret` is shown this once. Not repeated where the service may have made it: see `listWebhooks`. Scope `webhooks:manage`. */
  async createWebhook({ signal, ...wish }: WebhookInput & CallOptions): Promise<WebhookWithSecret> {
    return this.#json('POST', WEBHOOKS, ['id', 'secret'], { json: wish, signal });
  }

  /** The webhooks of the organization. */
  async listWebhooks(options: CallOptions = {}): Promise<Webhook[]> {
    return (await this.#json<SetupPage<Webhook>>('GET', WEBHOOKS, ['items'], options)).items;
  }

  /** A webhook, and whether it is well. */
  async getWebhook({ webhookId, signal }: OfWebhook): Promise<Webhook> {
    return this.#json('GET', webhookPath(webhookId), ['id', 'state'], { signal });
  }

  /** Changes what is given. */
  async changeWebhook({ webhookId, signal, ...change }: OfWebhook & Partial<WebhookInput>): Promise<Webhook> {
    return this.#json('PATCH', webhookPath(webhookId), ['id', 'state'], { json: change, signal });
  }

  async deleteWebhook({ webhookId, signal }: OfWebhook): Promise<void> {
    await this.#client.request('DELETE', webhookPath(webhookId), { signal });
  }

  /** New keys; the old ones sign as well for `overlapS`, a day if absent. */
  async rotateWebhook({ webhookId, overlapS, signal }: OfWebhook & { overlapS?: number }): Promise<WebhookWithSecret> {
    const json = overlapS === undefined ? {} : { overlapS };
    return this.#json('POST', `${webhookPath(webhookId)}/rotate`, ['id', 'secret'], { json, signal });
  }

  /** Sends a `webhook.test` now. */
  async testWebhook({ webhookId, signal }: OfWebhook): Promise<WebhookTrial> {
    return this.#json('POST', `${webhookPath(webhookId)}/test`, ['delivered'], { signal });
  }

  /** Keeps events until `resumeWebhook`. */
  async pauseWebhook({ webhookId, signal }: OfWebhook): Promise<Webhook> {
    return this.#json('POST', `${webhookPath(webhookId)}/pause`, ['id', 'state'], { signal });
  }

  /** Delivers again, also where the service disabled it. */
  async resumeWebhook({ webhookId, signal }: OfWebhook): Promise<Webhook> {
    return this.#json('POST', `${webhookPath(webhookId)}/resume`, ['id', 'state'], { signal });
  }

  /** Sends the deliveries of a time again; how many. */
  async replayWebhook({ webhookId, signal, ...time }: OfWebhook & { since: string; until?: string }): Promise<number> {
    const path = `${webhookPath(webhookId)}/replay`;
    return (await this.#json<{ replayed: number }>('POST', path, ['replayed'], { json: time, signal })).replayed;
  }

  /** One page of deliveries, newest first. */
  async listWebhookDeliveries({
    webhookId,
    signal,
    ...query
  }: DeliveryFilter & { cursor?: string }): Promise<SetupPage<WebhookDelivery>> {
    return this.#json('GET', `${webhookPath(webhookId)}/deliveries`, ['items'], { query, signal });
  }

  /** All deliveries that the filter lets through. */
  iterateWebhookDeliveries(filter: DeliveryFilter): AsyncGenerator<WebhookDelivery, void, undefined> {
    return everyItem((cursor) => this.listWebhookDeliveries({ ...filter, ...cursor }));
  }

  /** A delivery with its body and every attempt. */
  async getWebhookDelivery({ signal, ...ids }: OfDelivery): Promise<WebhookDeliveryDetail> {
    return this.#json('GET', deliveryPath(ids), ['id', 'body', 'log'], { signal });
  }

  /** Sends a delivery again. */
  async replayWebhookDelivery({ signal, ...ids }: OfDelivery): Promise<void> {
    await this.#client.request('POST', `${deliveryPath(ids)}/replay`, { signal });
  }

  /** Lets a delivery that waits step aside. */
  async parkWebhookDelivery({ signal, ...ids }: OfDelivery): Promise<void> {
    await this.#client.request('POST', `${deliveryPath(ids)}/park`, { signal });
  }

  /** Gives a parked delivery up for good. */
  async discardWebhookDelivery({ signal, ...ids }: OfDelivery): Promise<void> {
    await this.#client.request('POST', `${deliveryPath(ids)}/discard`, { signal });
  }

  /** One page of what waits for a person, oldest first. Scope `analysis:review`. */
  async listHeld({ signal, ...query }: HeldFilter & { cursor?: string } = {}): Promise<SetupPage<Held>> {
    return this.#json('GET', HELD, ['items'], { query, signal });
  }

  /** All that waits and the filter lets through. */
  iterateHeld(filter: HeldFilter = {}): AsyncGenerator<Held, void, undefined> {
    return everyItem((cursor) => this.listHeld({ ...filter, ...cursor }));
  }

  /** One thing that waits. NotFoundError `held.not_found`, also once it was decided. */
  async getHeld({ heldId, signal }: CallOptions & { heldId: string }): Promise<Held> {
    return this.#json('GET', heldPath(heldId), ['id', 'reason'], { signal });
  }

  /** Decides about what waits, which is given as it waited. Not repeated where it may have been done: read what is there. */
  async resolveHeld({ heldId, signal, ...decision }: CallOptions & HeldDecision & { heldId: string }): Promise<Held> {
    return this.#json('POST', `${heldPath(heldId)}/resolve`, ['id', 'reason'], { json: decision, signal });
  }

  /** The models of the installation. */
  async listModels(options: CallOptions = {}): Promise<Model[]> {
    return (await this.#json<SetupPage<Model>>('GET', '/api/v1/models', ['items'], options)).items;
  }

  /** The sizes of card, with the corrections stored. */
  async listCalibrationCards(options: CallOptions = {}): Promise<CalibrationCard[]> {
    return (await this.#json<SetupPage<CalibrationCard>>('GET', CARD, ['items'], options)).items;
  }

  /** Stores the length of the check bar of a printed card. */
  async measureCalibrationCard({
    signal,
    ...json
  }: CallOptions & { size: CardSize; measuredBarMm: number }): Promise<CalibrationCard[]> {
    return (await this.#json<SetupPage<CalibrationCard>>('PUT', CARD, ['items'], { json, signal })).items;
  }

  /** Forgets the correction of one size, or of all. */
  async forgetCalibrationCard({ size, signal }: CallOptions & { size?: CardSize } = {}): Promise<void> {
    await this.#client.request('DELETE', CARD, { query: { size }, signal });
  }

  /** The card to print, a PDF. */
  async downloadCalibrationCard({ size, signal }: CallOptions & { size?: CardSize } = {}): Promise<Uint8Array> {
    const headers = { accept: 'application/pdf' };
    const answer = await this.#client.request('GET', `${CARD}.pdf`, { query: { size }, headers, signal });
    if (!/^application\/pdf\b/i.test(answer.headers['content-type'] ?? '')) throw malformed(answer);
    return answer.body;
  }

  async #json<Body>(method: string, path: string, needed: string[], options: RequestOptions): Promise<Body> {
    const answer = await this.#client.request(method, path, options);
    const value = answer.json<Record<string, unknown> | null>();
    const isWhole = (name: string): boolean =>
      name === 'items' ? Array.isArray(value?.items) : (value?.[name] ?? null) !== null;
    if (!needed.every(isWhole)) throw malformed(answer);
    return value as Body;
  }
}

async function* everyItem<Item>(
  fetchPage: (from: { cursor?: string }) => Promise<SetupPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | null | undefined;
  do {
    const page: SetupPage<Item> = await fetchPage(typeof cursor === 'string' ? { cursor } : {});
    yield* page.items;
    cursor = page.nextCursor;
  } while (typeof cursor === 'string');
}
