import { Global, Module } from '@nestjs/common';
import { EhrPatients } from '../core/ehrs/ehr-patients.js';
import { EhrRegister } from '../core/ehrs/ehr.register.js';
import { EhrRegistry } from '../core/ehrs/ehr-registry.js';
import { PublishedKeyStore } from '../core/ehrs/published-key.store.js';
import { PushCounts } from '../core/ehrs/push-counts.js';
import { PushRules } from '../core/ehrs/push-rules.js';
import { AuthorityDirectory } from '../core/patients/authority-table.js';
import { PatientRepository } from '../core/patients/patient.repository.js';
import { Clock } from '../core/ports/clock.js';
import { IdSource } from '../core/ports/id-source.js';
import { EhrCaller, EhrKeySets, EhrTrial, PublishedKeys, PushNeeds, type EhrCallRules } from '../ehrs/index.js';
import { DialectNeeds, DialectRules, SqlPushCounts } from '../exits/ehr/index.js';
import { bind, from } from '../platform/bind.js';
import { Settings } from '../platform/config/settings.js';
import { AddressGuard, networksOf } from '../platform/http-client/address-guard.js';
import { Logger } from '../platform/logging/logger.js';

const TIMEOUT_MS = 10_000;
/** A CapabilityStatement of a large EHR has about 1 MiB. */
const LIMIT_BYTES = 8 * 1024 * 1024;

const SERVICES = [
  bind(EhrCaller, from(Settings, callRules)),
  bind(EhrKeySets, EhrCaller, Clock, Logger),
  { provide: PushNeeds, useClass: DialectNeeds },
  { provide: PushRules, useClass: DialectRules },
  { provide: PushCounts, useClass: SqlPushCounts },
  bind(EhrTrial, EhrCaller, EhrKeySets, PushNeeds, PublishedKeys),
  bind(PublishedKeys, PublishedKeyStore, Clock, IdSource),
  bind(EhrRegistry, { ehrs: EhrRegister, ids: IdSource, clock: Clock, addresses: EhrCaller, pushRules: PushRules }),
  bind(EhrPatients, { ehrs: EhrRegister, patients: PatientRepository, authorities: AuthorityDirectory }),
];

/** What everything about EHRs works with. Global, as a door, an exit and the admin API do. */
@Global()
@Module({ providers: SERVICES, exports: SERVICES.map(({ provide }) => provide) })
export class EhrsModule {}

function callRules({ ehrs }: Settings): EhrCallRules {
  return { guard: new AddressGuard(networksOf(ehrs.networks)), timeoutMs: TIMEOUT_MS, limitBytes: LIMIT_BYTES };
}
