import type { ReceivedWebhook } from '../peers/webhook-receiver.js';
import { expectStatus, type Answer, type ApiClient } from './api-client.js';
import { eventually } from './eventually.js';

export const GUIDE = 'http://hl7.org/fhir/uv/subscriptions-backport';
export const BACKPORT = `${GUIDE}/StructureDefinition`;
export const TOPICS = 'https://sutura.dev/fhir/SubscriptionTopic';
const SECRET = 'https://sutura.dev/fhir/StructureDefinition/subscription-signing-secret';

/** A Subscription to reports, as a client sends it. */
export const subscriptionTo = (endpoint: string, more: object = {}, channel: object = {}) => ({
  resourceType: 'Subscription',
  status: 'requested',
  reason: 'Reports into the record',
  criteria: `${TOPICS}/wound-assessment-report`,
  channel: { type: 'rest-hook', endpoint, payload: 'application/fhir+json', ...channel },
  ...more,
});

export const content = (valueCode: string) => ({
  _payload: { extension: [{ url: `${BACKPORT}/backport-payload-content`, valueCode }] },
});

export const postSubscription = (client: ApiClient, json: object) =>
  client.request('POST', '/fhir/Subscription', { json });
export const createSubscription = async (client: ApiClient, json: object): Promise<Answer['body']> =>
  expectStatus(201, await postSubscription(client, json)).body;
export const readSubscription = async (client: ApiClient, id: string): Promise<Answer['body']> =>
  expectStatus(200, await client.request('GET', `/fhir/Subscription/${id}`)).body;
export const becomes = (client: ApiClient, id: string, status: string) =>
  eventually(`the Subscription to be ${status}`, async () => (await readSubscription(client, id)).status === status);

export const secretOf = (body: Answer['body']): string =>
  body.extension.find(({ url }: { url: string }) => url === SECRET).valueString;

/** Parameters of the status that a notification begins with. */
export const parametersOf = ({ event }: Pick<ReceivedWebhook, 'event'>) => event.entry[0].resource.parameter;
export const said = (received: Pick<ReceivedWebhook, 'event'>, name: string) =>
  parametersOf(received).find((one: { name: string }) => one.name === name);
/** Numbers of the events that a notification states, of `$events` as well. */
export const numbersOf = (received: Pick<ReceivedWebhook, 'event'>): string[] =>
  parametersOf(received)
    .filter(({ name }: { name: string }) => name === 'notification-event')
    .map(
      ({ part }: { part: { name: string; valueString: string }[] }) =>
        part.find(({ name }) => name === 'event-number')!.valueString,
    );
