import type { WebhookReceiver } from '../../peers/webhook-receiver.js';
import { eventually } from '../../support/eventually.js';
import { NOBODY, type CommandGround, type CommandRow } from './command-row.js';

/** A ground with a receiver of webhooks; the rows make its webhook. */
export type DeliveryGround = CommandGround & {
  readonly organizationId: string;
  readonly receiver: WebhookReceiver;
  /** Analyses one more photo. */
  analyse(): Promise<unknown>;
  readonly made: { webhookId: string; deliveryId: string };
};

type Row = CommandRow<DeliveryGround>;

const unknown = (code: string, option = '--id'): Row['refused'] => ({
  call: () => [option, NOBODY],
  code: 1,
  says: code,
});
const onDelivery = ({ made }: DeliveryGround) => ['--id', made.deliveryId];
const onEndpoint = ({ made }: DeliveryGround) => ['--endpoint', made.webhookId];

const stateOf = async ({ gateway, made }: DeliveryGround): Promise<string> =>
  (await gateway.admin('GET', `/deliveries/${made.deliveryId}`)).body.state as string;
const webhooksOf = async ({ gateway, organizationId }: DeliveryGround): Promise<unknown> =>
  (await gateway.admin('GET', `/webhooks?organizationId=${organizationId}`)).body.items;

export const DELIVERY_COMMAND_ROWS: readonly Row[] = [
  {
    name: 'webhook create',
    call: ({ organizationId, receiver }) => [
      '--org',
      organizationId,
      '--env',
      'test',
      '--url',
      receiver.url,
      '--types',
      'report.ready',
      '--json',
    ],
    async effect(out, ground) {
      const { id, secret } = JSON.parse(out) as { id: string; secret: string };
      expect(secret).toMatch(/^whsec_/);
      ground.made.webhookId = id;
      expect(await webhooksOf(ground)).toMatchObject([{ id, types: ['report.ready'] }]);
    },
    refused: {
      call: ({ organizationId }) => ['--org', organizationId, '--env', 'test', '--url', 'https://10.1.2.3/x'],
      code: 1,
      says: 'webhook.url_refused',
    },
  },
  {
    name: 'webhook list',
    call: ({ organizationId }) => ['--org', organizationId],
    effect: (out, { made, receiver }) =>
      expect(out).toMatch(new RegExp(`^${made.webhookId} +test +${receiver.url} +report\\.ready +ids +active`, 'm')),
    refused: unknown('organization.not_found', '--org'),
  },
  {
    name: 'deliveries test',
    call: onEndpoint,
    effect(out, { receiver }) {
      expect(out).toBe('Reached: 204.\n');
      expect(receiver.types).toHaveLength(1);
    },
    refused: unknown('delivery.endpoint_not_found', '--endpoint'),
  },
  {
    name: 'deliveries pause',
    call: onEndpoint,
    effect: (out, { receiver }) => expect(out).toBe(`${receiver.url} is paused.\n`),
    refused: unknown('delivery.endpoint_not_found', '--endpoint'),
  },
  {
    name: 'deliveries list',
    async call(ground) {
      await ground.analyse();
      const path = `/deliveries?endpointId=${ground.made.webhookId}`;
      ground.made.deliveryId = await eventually('a delivery that waits', async () => {
        const { items } = (await ground.gateway.admin('GET', path)).body as { items: readonly { id: string }[] };
        return items[0]?.id;
      });
      return ['--org', ground.organizationId];
    },
    effect: (out, { made }) =>
      expect(out).toMatch(
        new RegExp(`^${made.deliveryId} +webhook +\\S+ +${made.webhookId} +report\\.ready +waiting +0`, 'm'),
      ),
    refused: { call: () => ['--state', 'burnt'], code: 2, says: '--state' },
  },
  {
    name: 'deliveries show',
    call: onDelivery,
    effect: (out) => expect(out).toMatch(/type +report\.ready\nstate +waiting\n[^]*"type":"report\.ready"/),
    refused: unknown('delivery.not_found'),
  },
  {
    name: 'deliveries park',
    call: onDelivery,
    async effect(out, ground) {
      expect(out).toBe(`Delivery ${ground.made.deliveryId} is parked.\n`);
      expect(await stateOf(ground)).toBe('parked');
    },
    refused: { call: onDelivery, code: 1, says: 'webhook.delivery_state', after: true },
  },
  {
    name: 'deliveries replay',
    call: onDelivery,
    async effect(out, ground) {
      expect(out).toBe(`Delivery ${ground.made.deliveryId} is on its way again.\n`);
      expect(await stateOf(ground)).toBe('waiting');
    },
    refused: {
      call: ({ made }) => ['--endpoint', made.webhookId],
      code: 2,
      says: '--since',
    },
  },
  {
    name: 'deliveries resume',
    call: onEndpoint,
    async effect(out, ground) {
      expect(out).toBe(`${ground.receiver.url} is active.\n`);
      await eventually('it is delivered', async () => (await stateOf(ground)) === 'delivered');
      expect(ground.receiver.types).toContain('report.ready');
    },
    refused: unknown('delivery.endpoint_not_found', '--endpoint'),
  },
  {
    name: 'deliveries discard',
    async call(ground) {
      const act = (path: string) => ground.admin('POST', `/deliveries/${path}`);
      await act(`endpoints/${ground.made.webhookId}/pause`);
      await act(`${ground.made.deliveryId}/replay`);
      await act(`${ground.made.deliveryId}/park`);
      return onDelivery(ground);
    },
    async effect(out, ground) {
      expect(out).toBe(`Delivery ${ground.made.deliveryId} is discarded.\n`);
      expect(await stateOf(ground)).toBe('discarded');
    },
    refused: unknown('delivery.not_found'),
  },
  {
    name: 'webhook delete',
    call: ({ made }) => ['--id', made.webhookId],
    async effect(out, ground) {
      expect(out).toBe(`Webhook ${ground.made.webhookId} is deleted.\n`);
      expect(await webhooksOf(ground)).toEqual([]);
    },
    refused: unknown('webhook.not_found'),
  },
];
