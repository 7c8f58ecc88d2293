import { Global, Module } from '@nestjs/common';
import { bind, from } from '../platform/bind.js';
import { Settings } from '../platform/config/settings.js';
import { AddressGuard, networksOf } from '../platform/http-client/address-guard.js';
import { EhrCaller, type EhrCallRules } from './ehr-caller.js';

const TIMEOUT_MS = 10_000;
/** A CapabilityStatement of a large EHR has about 1 MiB. */
const LIMIT_BYTES = 8 * 1024 * 1024;

const SERVICES = [bind(EhrCaller, from(Settings, callRules))];

/** What everything about EHRs calls them by. Global, as a door, an exit and the admin API do. */
@Global()
@Module({ providers: SERVICES, exports: SERVICES.map(({ provide }) => provide) })
export class EhrsModule {}

function callRules({ ehrs }: Settings): EhrCallRules {
  return { guard: new AddressGuard(networksOf(ehrs.networks)), timeoutMs: TIMEOUT_MS, limitBytes: LIMIT_BYTES };
}
