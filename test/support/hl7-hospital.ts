import { v7 } from 'uuid';
import { EhrReceiver } from '../peers/mllp-receiver.js';
import { EhrSender } from '../peers/mllp-sender.js';
import { ApiClient } from './api-client.js';
import { queryDatabase } from './database-query.js';
import { eventually } from './eventually.js';
import type { SharedGateway } from './gateway.js';

/** What an order says; what is not given is that of one patient with one wound. */
export interface OrderOptions {
  readonly order: string;
  readonly photo: Buffer;
  readonly mrn?: string;
  /** PID-7. */
  readonly birthDate?: string;
  /** In millimetres a pixel. */
  readonly mmPerPixel?: number;
  readonly wound?: string | null;
  /** Date of the photo, `20260315`. */
  readonly taken?: string;
  readonly control?: string;
  /** ORC-1. */
  readonly action?: string;
  /** `ORU`: the photo as a result of its own, that nobody has ordered here. */
  readonly kind?: 'OMG' | 'ORU';
  /** Further OBX, each from OBX-2 on. */
  readonly rows?: readonly string[];
  /** MSH-15 and MSH-16. */
  readonly mode?: readonly [accept: string, application: string];
}

const INSERT = (table: string): string =>
  `insert into ${table} (id, organization_id, environment, name, settings, created_at) values ($1, $2, 'test', $3, $4, now())`;

const NOTIFY = 'select pg_notify($1, $2)';

/** A hospital's system beside a gateway: a listener and a destination of its own, orders that it sends, results that it gets. */
export class Hl7Hospital {
  private constructor(
    private gateway: SharedGateway,
    readonly client: ApiClient,
    readonly receiver: EhrReceiver,
    private readonly listenerId: string,
    readonly organizationId: string,
  ) {}

  /** Over a running gateway with the role `hl7`. */
  static async open(gateway: SharedGateway, listener: object = {}, destination: object = {}): Promise<Hl7Hospital> {
    const organizationId = await gateway.createOrganization('enterprise');
    const { key } = await gateway.createKey(organizationId);
    const receiver = await EhrReceiver.start();
    const [listenerId, destinationId] = [v7(), v7()];
    const { databaseUrl } = gateway;
    await queryDatabase(databaseUrl, INSERT('hl7_listeners'), [
      listenerId,
      organizationId,
      'ward',
      { port: 0, timeZone: 'Europe/Berlin', ...listener },
    ]);
    await queryDatabase(databaseUrl, INSERT('hl7_destinations'), [
      destinationId,
      organizationId,
      'ward',
      { host: '127.0.0.1', port: receiver.port, ...destination },
    ]);
    for (const table of ['hl7_listeners', 'hl7_destinations'])
      await queryDatabase(databaseUrl, NOTIFY, ['sutura_hl7_changed', table]);
    return new Hl7Hospital(gateway, new ApiClient(gateway.baseUrl, key), receiver, listenerId, organizationId);
  }

  /** The same hospital at a gateway that was started again over the same database. */
  at(gateway: SharedGateway): Hl7Hospital {
    return new Hl7Hospital(
      gateway,
      this.client.at(gateway.baseUrl),
      this.receiver,
      this.listenerId,
      this.organizationId,
    );
  }

  /** A connection to the gateway's listener, once it is served. */
  async connect(): Promise<EhrSender> {
    const served = await eventually('the listener is served', () =>
      this.gateway.events('hl7.listening').findLast(({ listenerId }) => listenerId === this.listenerId),
    );
    return EhrSender.connect(Number(served['port']));
  }

  /** What one message is answered with; null: the connection ended without an answer, or could not be made. */
  async send(message: string): Promise<string | null> {
    const sender = await this.connect().catch(() => null);
    if (sender === null) return null;
    const answer = await sender.ask(message);
    await sender.destroy();
    return answer;
  }

  /** Results of an order that have come, resends included. */
  resultsOf(order: string): string[] {
    return this.receiver.messages.filter((message) => fieldOf(message, 'OBR', 2).startsWith(`${order}^`));
  }

  result(order: string, count = 1): Promise<string> {
    return eventually(`result ${count} of ${order}`, () => this.resultsOf(order)[count - 1]);
  }

  /** A FHIR answer once all that has happened to this organization is there: FHIR follows after the results. */
  async read<T>(path: string): Promise<T> {
    const open = 'select from outbox_events where organization_id = $1';
    await eventually(
      'no event waits',
      async () => (await queryDatabase(this.gateway.databaseUrl, open, [this.organizationId])).length === 0,
      60_000,
      100,
    );
    const answer = await this.client.request('GET', `/fhir/${path}`);
    if (answer.status !== 200)
      throw new Error(`${path}: ${answer.status} ${answer.bytes.toString('utf8').slice(0, 500)}`);
    return answer.body as T;
  }

  /** Whoever gets its port next is no receiver of its results. A database that is gone by now sends none. */
  async close(): Promise<void> {
    for (const table of ['hl7_listeners', 'hl7_destinations']) {
      const end = `update ${table} set deleted_at = now() where organization_id = $1`;
      await queryDatabase(this.gateway.databaseUrl, end, [this.organizationId])
        .then(() => queryDatabase(this.gateway.databaseUrl, NOTIFY, ['sutura_hl7_changed', table]))
        .catch(() => undefined);
    }
    await this.receiver.stop();
  }
}

/** An order with its photo inside, as the worked messages have them. */
export function orderMessage({
  order,
  photo,
  mrn = 'MRN-1',
  birthDate,
  mmPerPixel = 0.2,
  wound = 'W-1',
  taken = '20260315',
  control = order,
  kind = 'OMG',
  action = kind === 'OMG' ? 'NW' : 'RE',
  rows = [],
  mode = ['', ''],
}: OrderOptions): string {
  const number = `${order}^EHR^1.2.3.4.5.7^ISO`;
  return message([
    `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260316080000+0100||${kind === 'OMG' ? 'OMG^O19^OMG_O19' : 'ORU^R01^ORU_R01'}|${control}|T|2.5.1|||${mode.join('|')}|DEU|UNICODE UTF-8`,
    patientSegment(mrn, birthDate),
    'PV1|1|I|W3^301^1^HOSP||||||||||||||||V-90017^^^HOSP&1.2.3.4.5.10&ISO^VN',
    `ORC|${action}|${number}|||||||20260316075900+0100|||31^Pflege^Petra^^^^^^HOSP&1.2.3.4.5.9&ISO`,
    `OBR|1|${number}||39135-9^Wound assessment panel^LN|||${taken}094000+0100||||||Follow-up \\T\\ dressing|||31^Pflege^Petra^^^^^^HOSP&1.2.3.4.5.9&ISO${kind === 'OMG' ? '' : '||||||||NRS|F'}`,
    `OBX|1|ED|72170-4^Photographic image^LN|1|EHR^IM^JPEG^Base64^${photo.toString('base64')}||||||F|||${taken}094000+0100`,
    ...(wound === null ? [] : [`OBX|2|ST|wound-id^Wound number^99SUT|1|${wound}||||||F`]),
    `OBX|3|NM|pixel-spacing^Pixel spacing^99SUT|1|${mmPerPixel}|mm/{pixel}^mm per pixel^UCUM|||||F`,
    ...rows.map((row, index) => `OBX|${index + 4}|${row}`),
  ]);
}

/** A message without a photo: what is done with an order that was placed before. */
export function orderChange(order: string, action: string, control: string, mrn = 'MRN-1'): string {
  const number = `${order}^EHR^1.2.3.4.5.7^ISO`;
  return message([
    `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260316081000+0100||OMG^O19^OMG_O19|${control}|T|2.5.1|||||DEU|UNICODE UTF-8`,
    patientSegment(mrn),
    `ORC|${action}|${number}`,
    `OBR|1|${number}||39135-9^Wound assessment panel^LN`,
  ]);
}

export function mergeMessage(survivor: string, prior: string, control: string): string {
  return message([
    `MSH|^~\\&|EHR|HOSP|SUTURA|SUTURA|20260320120000+0100||ADT^A40^ADT_A39|${control}|T|2.5.1|||||DEU|UNICODE UTF-8`,
    'EVN|A40|20260320120000+0100',
    patientSegment(survivor),
    `MRG|${prior}^^^HOSP&1.2.3.4.5.6&ISO^MR`,
  ]);
}

function patientSegment(mrn: string, birthDate = '19510714'): string {
  return `PID|1||${mrn}^^^HOSP&1.2.3.4.5.6&ISO^MR||Beispiel^Änna^^^^^L||${birthDate}|F|||Am Stein 4&Am Stein&4^^Würzburg^^97080^DE^H`;
}

function message(segments: readonly string[]): string {
  return `${segments.join('\r')}\r`;
}

/** A field as it stands in the first segment of this name; MSH counts its separator as the first. */
export function fieldOf(text: string, name: string, position: number): string {
  const segment = text.split('\r').find((line) => line.startsWith(`${name}|`));
  return segment?.split('|')[name === 'MSH' ? position - 1 : position] ?? '';
}

/** OBX-5 of the rows with this code, in their order. */
export function valuesOf(text: string, code: string): string[] {
  return text.split('\r').flatMap((line) => {
    const fields = line.split('|');
    return fields[0] === 'OBX' && fields[3]?.split('^')[0] === code ? [fields[5] ?? ''] : [];
  });
}
