import { Injectable } from '@nestjs/common';
import type {
  DeliveryExit,
  DeliveryFilter,
  EndpointFilter,
  EndpointTrial,
  ExitDelivery,
  ExitEndpoint,
  FoundDelivery,
} from '../../core/deliveries/delivery-exit.js';
import { isSuturaError, SuturaError } from '../../core/errors/sutura-error.js';
import { EhrTrial } from '../../ehrs/index.js';
import { EhrControl } from './queue/ehr-queue.js';
import { EhrFilings, type FilingRecord } from './queue/ehr-filings.js';
import { PushRegister, type PushStanding } from './queue/push-register.js';
import type { Hold } from './settings/holds.js';

const HELD_BACK = 'It is held back by a person. What is made waits until it is resumed.';
const SWITCHED_OFF =
  'Its push is switched off or taken away. Corrections and withdrawals of what was filed wait until push is enabled again.';

/** Results for EHRs as operators see them. */
@Injectable()
export class EhrExit implements DeliveryExit {
  readonly name = 'ehr';

  constructor(
    private readonly register: PushRegister,
    private readonly filings: EhrFilings,
    private readonly control: EhrControl,
    private readonly trial: EhrTrial,
  ) {}

  async endpoint(id: string): Promise<ExitEndpoint | null> {
    const found = await this.register.find(id);
    return found === null ? null : this.endpointOf(found);
  }

  async endpoints({ organizationId, environment }: EndpointFilter): Promise<ExitEndpoint[]> {
    return (await this.register.anywhere())
      .filter(
        ({ ehr }) =>
          (organizationId === undefined || ehr.organizationId === organizationId) &&
          (environment === undefined || ehr.environment === environment),
      )
      .map((one) => this.endpointOf(one));
  }

  async named(id: string): Promise<ExitDelivery | null> {
    const record = await this.filings.find(id);
    return record === null ? null : this.shown(record);
  }

  /** Its body is ids alone, with what the EHR filed it as. */
  async find(id: string): Promise<FoundDelivery | null> {
    const record = await this.filings.find(id);
    if (record === null) return null;
    const { body, filed, log, acts } = record;
    return { delivery: this.shown(record), body: JSON.stringify({ ...body, filed }), log, acts };
  }

  async list(filter: DeliveryFilter, limit: number): Promise<ExitDelivery[]> {
    return (await this.filings.list(filter, limit)).map((record) => this.shown(record));
  }

  /** What was filed already is found there, and not filed twice. `ehr.superseded`, `ehr.delivery_state`, `ehr.not_found`. */
  replay({ id, state }: ExitDelivery, by: string): Promise<void> {
    return state === 'parked' ? this.control.requeue(id, by) : this.control.replay(id, by);
  }

  /** None that a person has to look for in the chart: asked for among many, it would be taken for looked for, and might be filed twice. */
  async requeue(delivery: ExitDelivery, by: string): Promise<string | null> {
    if (needsLook(delivery)) return delivery.fault;
    await this.control.requeueAsFound(delivery, by);
    return null;
  }

  /** Passed over: those that a newer version has taken the place of, and those that a person has to look for in the chart, one by one, before each is replayed. */
  async replayRange({ id }: ExitEndpoint, by: string, since: Date, until: Date | null): Promise<number> {
    let replayed = 0;
    for (const { id: deliveryId } of await this.filings.ended(id, since, until)) {
      // As it stands now: many were sent since the first was read.
      const record = await this.filings.find(deliveryId);
      if (record === null || needsLook(record)) continue;
      try {
        await this.replay(this.shown(record), by);
        replayed += 1;
      } catch (fault) {
        if (!isSuturaError(fault, 'ehr.superseded', 'ehr.delivery_state')) throw fault;
      }
    }
    return replayed;
  }

  /** `ehr.delivery_state`. */
  park({ id }: ExitDelivery, by: string): Promise<void> {
    return this.control.park(id, by);
  }

  /** `ehr.delivery_state`. */
  discard({ id }: ExitDelivery, by: string): Promise<void> {
    return this.control.discard(id, by);
  }

  pause({ id }: ExitEndpoint): Promise<void> {
    return this.register.pause(id);
  }

  resume({ id }: ExitEndpoint): Promise<void> {
    return this.register.resume(id);
  }

  async test({ id }: ExitEndpoint): Promise<EndpointTrial> {
    const found = await this.register.find(id);
    if (found === null) throw new SuturaError('ehr.not_found');
    const { findings } = await this.trial.run(found.ehr);
    const wrong = findings.filter(({ isTried, isWell }) => isTried && !isWell);
    const said = (wrong.length > 0 ? wrong : findings).map(({ says }) => says).join(' ');
    return { reached: wrong.every(({ about }) => about !== 'metadata'), said };
  }

  private endpointOf({ ehr, isPaused, isFiledIn }: PushStanding): ExitEndpoint {
    const { id, organizationId, environment, fhirBaseUrl } = ehr;
    const owned = { id, organizationId, environment, exit: this.name, address: fhirBaseUrl };
    if (!isPaused && isFiledIn) return { ...owned, state: 'active' };
    return { ...owned, state: 'paused', trouble: isFiledIn ? HELD_BACK : SWITCHED_OFF };
  }

  private shown({ body: _, filed: __, log: ___, acts: ____, ...delivery }: FilingRecord): ExitDelivery {
    return { exit: this.name, ...delivery };
  }
}

/** Replaying it says that somebody has looked. */
function needsLook({ state, fault }: Pick<ExitDelivery, 'state' | 'fault'>): boolean {
  const hold: Hold = 'ehr_outcome_unknown';
  return state === 'parked' && fault === hold;
}
