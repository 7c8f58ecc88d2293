import type { Subscription } from '@medplum/fhirtypes';
import { OutcomeError, type OutcomeIssue } from '../../standards/fhir/outcome/outcome-error.js';
import { ProfileLibrary } from '../../standards/fhir/profiles/profile-library.js';
import { R4Definitions } from '../../standards/fhir/definitions/r4-definitions.js';
import { ResourceValidator } from '../../standards/fhir/validation/resource-validator.js';
import { readSubscription, type SubscriptionRequest } from './subscription-request.js';
import { BACKPORT_DEFINITIONS, SUBSCRIPTION_TOPICS } from './subscription-topics.js';

const definitions = new R4Definitions();
const validator = new ResourceValidator(definitions, new ProfileLibrary(definitions));
const SERVER = { base: 'https://sutura.example/fhir', now: new Date('2026-03-01T10:00:00Z') };
const [REPORTS, ANALYSES] = SUBSCRIPTION_TOPICS.map(({ url }) => url);

/** A Subscription by the guide; `channel` and the rest are laid over it. */
function byGuide(changes: Record<string, unknown> = {}, channel: Record<string, unknown> = {}): Subscription {
  return {
    resourceType: 'Subscription',
    meta: { profile: [`${BACKPORT_DEFINITIONS}/backport-subscription`] },
    status: 'requested',
    reason: 'Reports for the ward',
    criteria: REPORTS,
    channel: {
      type: 'rest-hook',
      endpoint: 'https://ehr.example/told',
      payload: 'application/fhir+json',
      ...channel,
    },
    ...changes,
  } as Subscription;
}

function content(code: string): Record<string, unknown> {
  return { _payload: { extension: [{ url: `${BACKPORT_DEFINITIONS}/backport-payload-content`, valueCode: code }] } };
}

function withDocuments(code: string): Record<string, unknown> {
  const url = 'https://sutura.dev/fhir/StructureDefinition/subscription-documents';
  const { _payload } = content(code) as { _payload: { extension: object[] } };
  return { _payload: { extension: [..._payload.extension, { url, valueBoolean: true }] } };
}

function filteredBy(text: string): Record<string, unknown> {
  return { _criteria: { extension: [{ url: `${BACKPORT_DEFINITIONS}/backport-filter-criteria`, valueString: text }] } };
}

function timed(name: string, value: number): Record<string, unknown> {
  return { extension: [{ url: `${BACKPORT_DEFINITIONS}/${name}`, valueUnsignedInt: value }] };
}

/** The issues of a refusal. */
function issuesOf(sent: Subscription): readonly OutcomeIssue[] {
  // What is refused here has to be R4, or validation would have refused it before.
  expect(validator.validate(sent).issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  try {
    readSubscription(sent, SERVER);
  } catch (error) {
    if (error instanceof OutcomeError && error.code === 'fhir.business_rule') return error.issues;
    throw error;
  }
  return [];
}

/** The elements that a refusal names. */
function refusedAt(sent: Subscription): readonly string[] {
  return issuesOf(sent).map(({ expression }) => expression);
}

const read = (sent: Subscription): SubscriptionRequest => readSubscription(sent, SERVER);

describe('a Subscription that cannot be served is refused, and the element named', () => {
  it.each<[string, Subscription, string]>([
    ['topic: one of somebody else', byGuide({ criteria: 'https://other.example/topic' }), 'Subscription.criteria'],
    ['topic: a search of another type', byGuide({ criteria: 'Patient?name=a' }), 'Subscription.criteria'],
    ['channel_type: websocket', byGuide({}, { type: 'websocket' }), 'Subscription.channel.type'],
    [
      'documents without their reports',
      byGuide({}, withDocuments('id-only')),
      'Subscription.channel.payload.extension',
    ],
    [
      'channel_type: one of an extension',
      byGuide(
        {},
        { _type: { extension: [{ url: `${BACKPORT_DEFINITIONS}/backport-channel-type`, valueCode: 'zulip' }] } },
      ),
      'Subscription.channel.type',
    ],
    ['channel_endpoint: none', byGuide({}, { endpoint: undefined }), 'Subscription.channel.endpoint'],
    ['channel_endpoint: a file', byGuide({}, { endpoint: 'file:///etc/passwd' }), 'Subscription.channel.endpoint'],
    [
      'channel_endpoint: a password',
      byGuide({}, { endpoint: 'https://a:b@ehr.example/' }),
      'Subscription.channel.endpoint',
    ],
    ['payload_type: text', byGuide({}, { payload: 'text/plain' }), 'Subscription.channel.payload'],
    ['payload_type: none', byGuide({}, { payload: undefined }), 'Subscription.channel.payload'],
    ['channel_payload_combo: unknown content', byGuide({}, content('some')), 'Subscription.channel.payload.extension'],
    [
      'channel_payload_combo: whole resources without TLS',
      byGuide({}, { endpoint: 'http://ehr.example/told', ...content('full-resource') }),
      'Subscription.channel.endpoint',
    ],
    ['filter: unknown', byGuide(filteredBy('DiagnosticReport?issued=gt2026')), 'Subscription.criteria.extension[0]'],
    [
      'filter: a modifier',
      byGuide(filteredBy('DiagnosticReport?status:not=final')),
      'Subscription.criteria.extension[0]',
    ],
    ['filter: another type', byGuide(filteredBy('Task?status=failed')), 'Subscription.criteria.extension[0]'],
    ['filter: a chain', byGuide({ criteria: 'DiagnosticReport?patient.name=a' }), 'Subscription.criteria'],
    [
      'cross_version_extension',
      byGuide({
        extension: [
          { url: 'http://hl7.org/fhir/5.0/StructureDefinition/extension-Subscription.topic', valueUri: REPORTS },
        ],
      }),
      'Subscription.extension[0]',
    ],
    [
      'cross_version_extension, beside a primitive',
      byGuide(
        {},
        {
          _endpoint: {
            extension: [
              { url: 'http://hl7.org/fhir/5.0/StructureDefinition/extension-Subscription.endpoint', valueString: 'x' },
            ],
          },
        },
      ),
      'Subscription.channel.endpoint.extension[0]',
    ],
    ['a header of two lines', byGuide({}, { header: ['X-A: b\r\nHost: c'] }), 'Subscription.channel.header[0]'],
    ...[
      'Cookie',
      'X-Forwarded-For',
      'forwarded',
      'X-Real-IP',
      'Metadata-Flavor',
      'X-Original-URL',
      'Remote-User',
      'X-Amzn-Oidc-Identity',
      'X-Goog-Authenticated-User-Email',
      'X-Auth-Request-User',
      'Fastly-Client-IP',
      'X-Forwarded',
      'X_Forwarded_For',
      'X_Real-IP',
      'Remote_User',
      'X-Scope-OrgID',
      'Impersonate-User',
      'Tailscale-User-Login',
      'X-Pomerium-Jwt-Assertion',
      'X-Authentik-Username',
      'X-Vouch-User',
      'X-Client-Cert-DN',
    ].map((name): [string, Subscription, string] => [
      `a header that only a browser or a proxy writes: ${name}`,
      byGuide({}, { header: [`${name}: x`] }),
      'Subscription.channel.header[0]',
    ]),
    ...[
      'Host',
      'Connection',
      'Transfer-Encoding',
      'Upgrade',
      'HTTP2-Settings',
      'Proxy-Authorization',
      'X-Sutura-User',
    ].map((name): [string, Subscription, string] => [
      `a header of the connection, or of this service: ${name}`,
      byGuide({}, { header: [`${name}: x`] }),
      'Subscription.channel.header[0]',
    ]),
    [
      'a header of the service',
      byGuide({}, { header: ['A: b', 'Webhook-Signature: v1,x'] }),
      'Subscription.channel.header[1]',
    ],
    ['a heartbeat every second', byGuide({}, timed('backport-heartbeat-period', 1)), 'Subscription.channel.extension'],
    ['an end that has passed', byGuide({ end: '2026-03-01T09:59:59Z' }), 'Subscription.end'],
  ])('%s', (_, sent, place) => {
    expect(refusedAt(sent)).toEqual([place]);
  });

  it('names all elements at once, and repeats nothing of what was sent', () => {
    const sent = byGuide({ criteria: 'https://other.example/secret-topic' }, { type: 'email', payload: 'text/secret' });
    expect(refusedAt(sent)).toEqual([
      'Subscription.criteria',
      'Subscription.channel.type',
      'Subscription.channel.payload',
    ]);
    expect(JSON.stringify(issuesOf(sent))).not.toContain('secret');
  });
});

describe('a Subscription that is served', () => {
  it('is told ids of every report, without heartbeats, if it says no more than the topic', () => {
    expect(read(byGuide())).toEqual({
      topic: SUBSCRIPTION_TOPICS[0],
      filters: [],
      channel: {
        endpoint: 'https://ehr.example/told',
        content: 'id-only',
        withDocuments: false,
        headers: [],
        heartbeatS: null,
        timeoutS: 20,
        maxCount: 1,
      },
      endsAt: null,
      isOff: false,
    });
  });

  it('filters by patient, status and code, all of which have to hold', () => {
    const text = `DiagnosticReport?patient=${SERVER.base}/Patient/p1,p2&status=final,amended&code=http://loinc.org|39135-9,|own,any`;
    expect(read(byGuide(filteredBy(text))).filters).toEqual([
      { by: 'patient', any: ['p1', 'p2'] },
      { by: 'status', any: ['final', 'amended'] },
      {
        by: 'code',
        any: [
          { system: 'http://loinc.org', code: '39135-9' },
          { system: null, code: 'own' },
          { system: undefined, code: 'any' },
        ],
      },
    ]);
  });

  it('takes a search as the topic of its type, and the resource as the payload', () => {
    const { topic, filters, channel } = read(byGuide({ criteria: 'Task?status=failed&subject=Patient/p1' }));
    expect(topic.url).toBe(ANALYSES);
    expect(filters).toEqual([
      { by: 'status', any: ['failed'] },
      { by: 'patient', any: ['p1'] },
    ]);
    expect(channel.content).toBe('full-resource');
    expect(read(byGuide({ criteria: 'Task' }, { payload: undefined })).channel.content).toBe('empty');
  });

  it('keeps what it asks of the channel', () => {
    const channel = {
      header: ['Authorization: Bearer abc'],
      ...timed('backport-heartbeat-period', 60),
      ...content('empty'),
    };
    expect(read(byGuide({}, channel)).channel).toMatchObject({
      content: 'empty',
      headers: ['Authorization: Bearer abc'],
      heartbeatS: 60,
    });
  });

  it('is turned off by its owner, even after its end', () => {
    expect(read(byGuide({ status: 'off', end: '2026-03-01T09:00:00Z' })).isOff).toBe(true);
  });
});

it('asks for documents where it says so, and not otherwise', () => {
  const asked = ['full-resource', 'id-only'].map((code) => read(byGuide({}, content(code))).channel.withDocuments);
  expect([...asked, read(byGuide({}, withDocuments('full-resource'))).channel.withDocuments]).toEqual([
    false,
    false,
    true,
  ]);
});
