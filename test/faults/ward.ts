import type { Bundle, Task } from '@medplum/fhirtypes';
import { runCommand } from '../support/command-line.js';
import { queryDatabase } from '../support/database-query.js';
import { eventually } from '../support/eventually.js';
import type { Gateway } from '../support/gateway.js';
import { fieldOf, orderMessage, type Hl7Hospital } from '../support/hl7-hospital.js';
import { drawWoundPhoto } from '../support/wound-photo.js';
import { verify, type VerifyRules } from './verify.js';

/** A ward that sends photos over REST and orders over HL7 v2, one after another, for as long as it is let. */
export class Ward {
  /** Ids of jobs, and numbers of orders, in the order in which they were acknowledged. */
  readonly jobs: string[] = [];
  readonly orders: string[] = [];
  private goesOn = true;
  private work: Promise<unknown> = Promise.resolve();

  constructor(private readonly hospital: Hl7Hospital) {}

  begin(): void {
    this.work = Promise.allSettled([this.sendPhotos(), this.sendOrders()]);
  }

  async end(): Promise<void> {
    this.goesOn = false;
    await this.work;
  }

  /** Waits until so many more of both were acknowledged. */
  async hasSent(morePhotos: number, moreOrders: number): Promise<void> {
    const [photos, orders] = [this.jobs.length + morePhotos, this.orders.length + moreOrders];
    const isThere = () => this.jobs.length >= photos && this.orders.length >= orders;
    await eventually('photos and orders are acknowledged', isThere, 60_000, 50);
  }

  private async sendPhotos(): Promise<void> {
    const { client } = this.hospital;
    for (let seed = 1; this.goesOn; seed += 1) {
      const imageId = await client.uploadPhoto(await drawWoundPhoto({ seed }));
      this.jobs.push((await client.startJob({ imageId })).id as string);
    }
  }

  private async sendOrders(): Promise<void> {
    for (let number = 1; this.goesOn; number += 1) {
      const order = `ORD-${number}`;
      const photo = await drawWoundPhoto({ seed: 1000 + number });
      const answer = await this.hospital.send(orderMessage({ order, photo, wound: `W-${number}` }));
      if (answer !== null && fieldOf(answer, 'MSA', 1) === 'AA') this.orders.push(order);
    }
  }
}

/** What a ward had an answer to before the moment that one came back to. */
export interface Acknowledged {
  readonly jobs: readonly string[];
  readonly orders: readonly string[];
}

/** Everything that is checked after a way back, but what was acknowledged later. */
export interface WayBack {
  readonly gateway: Gateway;
  readonly hospital: Hl7Hospital;
  readonly before: Acknowledged;
  /** When the gateway was started again. */
  readonly began: Date;
  /** Settings of the command line. */
  readonly env: Readonly<Record<string, string>>;
  readonly rules?: VerifyRules;
}

/**
 * All that was acknowledged is there and ends, what was unfinished is finished, no object is missing, the audit chain is
 * whole, and everything else holds that the service promises.
 */
export async function expectCameBack({ gateway, hospital, before, began, env, rules }: WayBack): Promise<void> {
  const here = hospital.at(gateway);
  const jobs = await jobsOf(gateway);
  expect(before.jobs.filter((id) => !jobs.includes(id))).toEqual([]);
  const haveResults = () => before.orders.every((order) => here.resultsOf(order).length > 0);
  await eventually('orders that were acknowledged have their results', haveResults, 120_000, 200);
  for (const order of before.orders) {
    const { entry = [] } = await here.read<Bundle<Task>>(`Task?based-on:ServiceRequest.identifier=${order}`);
    expect([order, entry.length]).toEqual([order, 1]);
  }
  await eventually('messages and orders are carried out', () => nothingWaits(gateway), 60_000, 200);
  await verify(gateway, await jobsOf(gateway), { drainMs: 120_000, ...rules });
  const finished = await queryDatabase<{ jobs: number }>(
    gateway.databaseUrl,
    'select count(*)::int as jobs from analysis_jobs where completed_at > $1',
    [began],
  );
  expect(finished[0]!.jobs).toBeGreaterThan(0);
  for (const words of [
    ['audit', 'verify'],
    ['objects', 'verify'],
  ]) {
    const { code, out, err } = await runCommand(words, env);
    expect([words, code, out, err]).toEqual([words, 0, expect.any(String), '']);
  }
  await expectWholeMessages(gateway, hospital);
}

/** Results have their documents from the object store: each is shown as its receiver got it. */
async function expectWholeMessages(gateway: Gateway, { receiver }: Hl7Hospital): Promise<void> {
  const delivered = await queryDatabase<{ id: string }>(
    gateway.databaseUrl,
    `select id from hl7_outbox where state = 'delivered' and files is not null order by id limit 20`,
  );
  expect(delivered.length).toBeGreaterThan(0);
  const got = new Set(receiver.messages);
  for (const { id } of delivered) {
    const { body } = await gateway.admin('GET', `/hl7/messages/${id}`);
    expect([id, got.has((body as { readonly message: string }).message)]).toEqual([id, true]);
  }
}

/** Nothing from which another job may come. */
async function nothingWaits({ databaseUrl }: Gateway): Promise<boolean> {
  const [row] = await queryDatabase<{ waiting: number }>(
    databaseUrl,
    `select (select count(*) from hl7_inbound where state = 'received')::int
          + (select count(*) from analysis_requests where state = 'waiting')::int as waiting`,
  );
  return row!.waiting === 0;
}

export async function jobsOf({ databaseUrl }: Gateway): Promise<string[]> {
  const rows = await queryDatabase<{ id: string }>(databaseUrl, 'select id from analysis_jobs');
  return rows.map(({ id }) => id);
}
