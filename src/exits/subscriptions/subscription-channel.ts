import type { Extension, SubscriptionChannel as ChannelElement } from '@medplum/fhirtypes';
import { profileUrl } from '../../reports/index.js';
import { error, type ResourceIssue } from '../../standards/fhir/validation/resource-issue.js';
import { PAYLOAD_CONTENTS, type PayloadContent } from './notification-bundle.js';
import { faultOfHeader } from './caller-headers.js';
import { BACKPORT_DEFINITIONS } from './subscription-topics.js';

/** Where and how notifications are sent. */
export interface SubscriptionChannel {
  readonly endpoint: string;
  readonly content: PayloadContent;
  /** The PDF of each report goes with it. */
  readonly withDocuments: boolean;
  /** `Name: value`, as they go out. Secret: an owner's token stands in them. */
  readonly headers: readonly string[];
  /** A heartbeat after so many seconds without a notification; null: none. */
  readonly heartbeatS: number | null;
  /** Time-out of an answer. */
  readonly timeoutS: number;
  /** Events of one notification at most. */
  readonly maxCount: number;
}

/** The forms in which notifications are sent. */
export const JSON_PAYLOAD = 'application/fhir+json';
export const XML_PAYLOAD = 'application/fhir+xml';
const PAYLOADS: readonly string[] = [JSON_PAYLOAD, XML_PAYLOAD];
/** On `payload`: documents are wanted, too. */
const DOCUMENTS = profileUrl('subscription-documents');
const DEFAULT_TIMEOUT_S = 20;
const LIMITS = {
  'backport-heartbeat-period': { least: 10, most: 86_400 },
  'backport-timeout': { least: 1, most: 60 },
  'backport-max-count': { least: 1, most: 100 },
} as const;
const MOST_HEADERS = 10;
const MOST_HEADER_CHARACTERS = 4096;
/** RFC 9110, 5.1 and 5.5: a token, and printable characters. */
const HEADER = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([\t\x20-\x7e]*)$/;
/** The channel as R4 and the guide write it: primitives may have extensions beside them. */
type SentChannel = ChannelElement & {
  readonly _type?: { readonly extension?: readonly Extension[] };
  readonly _payload?: { readonly extension?: readonly Extension[] };
};

/**
 * Reads `Subscription.channel`, and adds an issue for each element that is not supported. A classic subscription says how much it wants by
 * its payload: none is `empty`, one is the resource. The address guard is asked elsewhere, as it looks names up.
 */
export function readChannel(sent: SentChannel, isClassic: boolean, issues: ResourceIssue[]): SubscriptionChannel {
  if (sent.type !== 'rest-hook' || sent._type?.extension !== undefined)
    issues.push(error('not-supported', 'Subscription.channel.type', 'The one channel that is supported is rest-hook.'));
  const content = contentOf(sent, isClassic, issues);
  return {
    endpoint: endpointOf(sent, content, issues),
    content,
    withDocuments: documentsOf(sent, content, issues),
    headers: headersOf(sent.header ?? [], issues),
    heartbeatS: numberOf(sent, 'backport-heartbeat-period', issues),
    timeoutS: numberOf(sent, 'backport-timeout', issues) ?? DEFAULT_TIMEOUT_S,
    maxCount: numberOf(sent, 'backport-max-count', issues) ?? 1,
  };
}

function contentOf(sent: SentChannel, isClassic: boolean, issues: ResourceIssue[]): PayloadContent {
  if (sent.payload === undefined && !isClassic)
    issues.push(error('required', 'Subscription.channel.payload', `State the payload, ${PAYLOADS.join(' or ')}.`));
  else if (sent.payload !== undefined && !PAYLOADS.includes(sent.payload))
    issues.push(error('not-supported', 'Subscription.channel.payload', `The payload is ${PAYLOADS.join(' or ')}.`));
  const stated = sent._payload?.extension?.find(({ url }) => url === urlOf('backport-payload-content'));
  if (stated === undefined) {
    if (!isClassic) return 'id-only';
    return sent.payload === undefined ? 'empty' : 'full-resource';
  }
  const content = PAYLOAD_CONTENTS.find((known) => known === stated.valueCode);
  if (content === undefined)
    issues.push(
      error(
        'not-supported',
        'Subscription.channel.payload.extension',
        `The content of a rest-hook is ${PAYLOAD_CONTENTS.join(', ')}.`,
      ),
    );
  return content ?? 'id-only';
}

/** True where the PDF of each report shall go with it. */
export function asksForDocuments({ _payload }: SentChannel): boolean {
  return _payload?.extension?.find(({ url }) => url === DOCUMENTS)?.valueBoolean === true;
}

function documentsOf(sent: SentChannel, content: PayloadContent, issues: ResourceIssue[]): boolean {
  const asked = asksForDocuments(sent);
  if (asked && content !== 'full-resource')
    issues.push(
      error(
        'not-supported',
        'Subscription.channel.payload.extension',
        'Documents go with whole resources. Ask for the content full-resource, or leave them out.',
      ),
    );
  return asked;
}

function endpointOf({ endpoint }: SentChannel, content: PayloadContent, issues: ResourceIssue[]): string {
  const place = 'Subscription.channel.endpoint';
  const url = endpoint === undefined ? null : URL.parse(endpoint);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.hash === '';
  if (endpoint === undefined) issues.push(error('required', place, 'A rest-hook needs the address to post to.'));
  else if (!isPlain || !['https:', 'http:'].includes(url.protocol))
    issues.push(error('value', place, 'State an absolute https address without a password and without a fragment.'));
  else if (url.protocol === 'http:' && content === 'full-resource')
    issues.push(error('not-supported', place, 'Whole resources are sent over https only. Ask for id-only or empty.'));
  return endpoint ?? '';
}

function headersOf(sent: readonly string[], issues: ResourceIssue[]): readonly string[] {
  if (sent.length > MOST_HEADERS)
    issues.push(error('value', 'Subscription.channel.header', `At most ${MOST_HEADERS} headers are sent.`));
  sent.forEach((header, index) => {
    const place = `Subscription.channel.header[${index}]`;
    const name = header.length > MOST_HEADER_CHARACTERS ? undefined : HEADER.exec(header)?.[1];
    const fault = name === undefined ? 'A header is written as “Name: value”, in ASCII.' : faultOfHeader(name);
    if (fault !== null) issues.push(error('value', place, fault));
  });
  return sent;
}

function numberOf(sent: SentChannel, name: keyof typeof LIMITS, issues: ResourceIssue[]): number | null {
  const extension = sent.extension?.find(({ url }) => url === urlOf(name));
  if (extension === undefined) return null;
  const { least, most } = LIMITS[name];
  const value = extension.valueUnsignedInt ?? extension.valuePositiveInt;
  if (value !== undefined && value >= least && value <= most) return value;
  issues.push(error('value', 'Subscription.channel.extension', `${name} is a number from ${least} to ${most}.`));
  return null;
}

function urlOf(name: string): string {
  return `${BACKPORT_DEFINITIONS}/${name}`;
}
