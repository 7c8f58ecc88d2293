import { Injectable } from '@nestjs/common';
import type { Ehr } from '../../../core/ehrs/ehr.js';
import { Clock } from '../../../core/ports/clock.js';
import {
  askSmartConfiguration,
  EhrCaller,
  readSmartConfiguration,
  type SmartConfiguration,
} from '../../../ehrs/index.js';
import { orUnreachable } from './launch-fault.js';

const LIFE_MS = 5 * 60_000;
const MOST = 200;

interface Known {
  readonly read: Promise<SmartConfiguration>;
  readonly untilMs: number;
}

/** What EHRs publish of their authorization servers, kept for five minutes. What could not be read or relied on is asked for again. */
@Injectable()
export class SmartDiscovery {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly caller: EhrCaller,
    private readonly clock: Clock,
  ) {}

  /** `launch.unreachable`, `launch.answer`. */
  async of(ehr: Ehr): Promise<SmartConfiguration> {
    // A registration that was changed is asked anew: what it names decides what is relied on.
    const key = `${ehr.id} ${ehr.updatedAt.toISOString()}`;
    const nowMs = this.clock.now().getTime();
    const known = this.known.get(key);
    if (known !== undefined && nowMs < known.untilMs) return known.read;
    if (this.known.size >= MOST) this.known.clear();
    const asked: Known = { read: this.ask(ehr), untilMs: nowMs + LIFE_MS };
    this.known.set(key, asked);
    asked.read.catch(() => {
      if (this.known.get(key) === asked) this.known.delete(key);
    });
    return asked.read;
  }

  private async ask(ehr: Ehr): Promise<SmartConfiguration> {
    const answer = await askSmartConfiguration(this.caller, ehr).catch(orUnreachable);
    return readSmartConfiguration(ehr, answer);
  }
}
