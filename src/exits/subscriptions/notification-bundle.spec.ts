import type { Basic, Bundle, DiagnosticReport, Extension, Observation, Parameters } from '@medplum/fhirtypes';
import { ProfileLibrary } from '../../standards/fhir/profiles/profile-library.js';
import { R4Definitions } from '../../standards/fhir/definitions/r4-definitions.js';
import { ResourceValidator } from '../../standards/fhir/validation/resource-validator.js';
import {
  PAYLOAD_CONTENTS,
  toNotification,
  type NotificationFacts,
  type PayloadContent,
  type SubscriptionEvent,
} from './notification-bundle.js';
import { FILTER_PARAMETERS, SUBSCRIPTION_TOPICS } from './subscription-topics.js';

const definitions = new R4Definitions();
const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));
const BASE = 'https://sutura.example/fhir';
const TOPIC = SUBSCRIPTION_TOPICS[0]?.url ?? '';
const STAMP = {
  bundleId: '0199d0a1-4a00-7b10-8a01-00000000b001',
  statusId: '0199d0a1-4a00-7b10-8a01-00000000b002',
  timestamp: new Date('2026-03-01T10:00:01Z'),
};
const REPORT: DiagnosticReport = {
  resourceType: 'DiagnosticReport',
  id: 'r1',
  status: 'final',
  code: { text: 'Wound assessment' },
  subject: { reference: 'Patient/p1' },
};
const AREA: Observation = {
  resourceType: 'Observation',
  id: 'r1-area',
  meta: { versionId: '1' },
  status: 'final',
  code: { text: 'Area' },
};
const EVENT: SubscriptionEvent = {
  number: 7,
  occurredAt: new Date('2026-03-01T10:00:00Z'),
  focus: 'DiagnosticReport/r1',
  isFirstVersion: true,
  resource: REPORT,
  included: [AREA],
};

function notified(content: PayloadContent, changes: Partial<NotificationFacts> = {}): Bundle {
  const facts: NotificationFacts = {
    subscriptionId: 's1',
    base: BASE,
    topic: TOPIC,
    content,
    status: 'active',
    type: 'event-notification',
    eventsSinceStart: 7,
    events: [EVENT],
    error: null,
    ...changes,
  };
  return toNotification(facts, STAMP);
}

const HANDSHAKE = { type: 'handshake', status: 'requested', eventsSinceStart: 0, events: [] } as const;

function statusOf(bundle: Bundle): NonNullable<Parameters['parameter']> {
  const first = bundle.entry?.[0]?.resource;
  return first?.resourceType === 'Parameters' ? (first.parameter ?? []) : [];
}

function namesOf(bundle: Bundle): readonly string[] {
  return statusOf(bundle).map(({ name }) => name);
}

const focusOf = (bundle: Bundle): unknown => statusOf(bundle).flatMap(({ part }) => part ?? [])[2]?.valueReference;

describe('a notification (cases of Inferno’s subscriptions_r5_backport_r4_server)', () => {
  it.each(PAYLOAD_CONTENTS)(
    'subscriptions_r4_server_notification_conformance: %s is a history of valid R4',
    (content) => {
      const told = notified(content);
      // The profiles of the guide are not ours to check, which the validator says.
      expect(validator.validate(told).issues.filter(({ severity }) => severity !== 'information')).toEqual([]);
      expect(told).toMatchObject({ type: 'history', timestamp: '2026-03-01T10:00:01.000Z' });
      for (const { request, response } of told.entry ?? []) {
        expect(request?.method).toMatch(/^(GET|POST|PUT)$/);
        expect(response?.status).toMatch(/^20[01]$/);
      }
      expect(told.entry?.[0]?.request?.url).toBe(`${BASE}/Subscription/s1/$status`);
      expect(statusOf(told)).toEqual(
        expect.arrayContaining([
          { name: 'subscription', valueReference: { reference: `${BASE}/Subscription/s1` } },
          { name: 'status', valueCode: 'active' },
          { name: 'type', valueCode: 'event-notification' },
          { name: 'events-since-subscription-start', valueString: '7' },
        ]),
      );
    },
  );

  it('subscriptions_r4_server_empty_conformance: has the event’s number, no focus, no topic and no further entry', () => {
    const told = notified('empty');
    expect(told.entry).toHaveLength(1);
    expect(namesOf(told)).not.toContain('topic');
    expect(statusOf(told).find(({ name }) => name === 'notification-event')?.part).toEqual([
      { name: 'event-number', valueString: '7' },
      { name: 'timestamp', valueInstant: '2026-03-01T10:00:00.000Z' },
    ]);
    expect(JSON.stringify(told)).not.toContain('r1');
  });

  it('subscriptions_r4_server_id_only_conformance: has the topic, the focus, and entries without the resource', () => {
    const told = notified('id-only');
    expect(statusOf(told)).toContainEqual({ name: 'topic', valueCanonical: TOPIC });
    expect(focusOf(told)).toEqual({ reference: `${BASE}/DiagnosticReport/r1` });
    expect(told.entry?.slice(1)).toEqual([
      {
        fullUrl: `${BASE}/DiagnosticReport/r1`,
        request: { method: 'POST', url: 'DiagnosticReport' },
        response: { status: '201' },
      },
    ]);
    expect(JSON.stringify(told)).not.toContain('Patient/p1');
  });

  it('subscriptions_r4_server_full_resource_conformance: has the topic, the focus, the resource and what its shape includes', () => {
    const told = notified('full-resource', { events: [{ ...EVENT, isFirstVersion: false }] });
    expect(statusOf(told)).toContainEqual({ name: 'topic', valueCanonical: TOPIC });
    expect(focusOf(told)).toEqual({ reference: `${BASE}/DiagnosticReport/r1` });
    expect(told.entry?.slice(1)).toEqual([
      {
        fullUrl: `${BASE}/DiagnosticReport/r1`,
        resource: REPORT,
        request: { method: 'PUT', url: 'DiagnosticReport/r1' },
        response: { status: '200' },
      },
      {
        fullUrl: `${BASE}/Observation/r1-area`,
        resource: AREA,
        request: { method: 'POST', url: 'Observation' },
        response: { status: '201' },
      },
    ]);
    expect(statusOf(told).flatMap(({ part }) => part ?? [])).toContainEqual({
      name: 'additional-context',
      valueReference: { reference: `${BASE}/Observation/r1-area` },
    });
  });

  it.each(PAYLOAD_CONTENTS)('subscriptions_r4_server_handshake_conformance: %s begins at event 0', (content) => {
    const told = notified(content, HANDSHAKE);
    expect(validator.validate(told).issues.filter(({ severity }) => severity !== 'information')).toEqual([]);
    expect(told.entry).toHaveLength(1);
    expect(namesOf(told)).not.toContain('notification-event');
    expect(statusOf(told)).toEqual(
      expect.arrayContaining([
        { name: 'status', valueCode: 'requested' },
        { name: 'type', valueCode: 'handshake' },
        { name: 'events-since-subscription-start', valueString: '0' },
      ]),
    );
  });

  it('subscriptions_r4_server_heartbeat_conformance: a heartbeat says how many events there were, and none of them', () => {
    const told = notified('id-only', { type: 'heartbeat', events: [] });
    expect(told.entry).toHaveLength(1);
    expect(statusOf(told)).toContainEqual({ name: 'events-since-subscription-start', valueString: '7' });
    expect(namesOf(told)).not.toContain('notification-event');
  });

  it('names each resource once where it changed twice, and keeps both events', () => {
    const amended = { ...EVENT, number: 8, isFirstVersion: false };
    const told = notified('id-only', { events: [EVENT, amended], eventsSinceStart: 8 });
    expect(validator.validate(told).issues.filter(({ severity }) => severity !== 'information')).toEqual([]);
    expect(namesOf(told).filter((name) => name === 'notification-event')).toHaveLength(2);
    expect(told.entry?.map(({ request }) => request?.method)).toEqual(['GET', 'PUT']);
  });

  it('tells of a resource that is gone without it', () => {
    const told = notified('full-resource', { events: [{ ...EVENT, resource: null }] });
    expect(told.entry?.[1]).not.toHaveProperty('resource');
    expect(focusOf(told)).toEqual({ reference: `${BASE}/DiagnosticReport/r1` });
  });

  it('says in words why the subscription is in error', () => {
    const told = notified('empty', { status: 'error', error: 'The endpoint answered 500 for five days.' });
    expect(statusOf(told)).toContainEqual({
      name: 'error',
      valueCodeableConcept: { text: 'The endpoint answered 500 for five days.' },
    });
  });
});

describe('the published topics', () => {
  const published = new ProfileLibrary(definitions).resources('Basic') as Basic[];
  const said = ({ extension = [] }: Basic, name: string) => extension.filter(({ url }) => url.endsWith(`.${name}`));
  const parts = (extensions: readonly Extension[], name: string) =>
    extensions.flatMap(({ extension = [] }) => extension.filter(({ url }) => url === name));

  it('are those that can be subscribed to, with their type, their filters and what goes with whole resources', () => {
    const topics = published.map((topic) => ({
      url: said(topic, 'url')[0]!.valueUri,
      title: said(topic, 'title')[0]!.valueString,
      resourceType: parts(said(topic, 'resourceTrigger'), 'resource')[0]!.valueUri!.split('/').at(-1),
      includes: parts(said(topic, 'notificationShape'), 'include').map(({ valueString }) => valueString!.split(':')[1]),
    }));
    expect(topics).toEqual(expect.arrayContaining([...SUBSCRIPTION_TOPICS]));
    expect(topics).toHaveLength(SUBSCRIPTION_TOPICS.length);
    for (const topic of published)
      expect(parts(said(topic, 'canFilterBy'), 'filterParameter').map(({ valueString }) => valueString)).toEqual([
        ...FILTER_PARAMETERS,
      ]);
  });
});
