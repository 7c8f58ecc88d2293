import { Global, Module } from '@nestjs/common';
import { Outbox } from '../core/domain-events/outbox.js';
import { HeldItems } from '../core/held/held-items.js';
import { UnknownAuthorities } from '../core/held/unknown-authorities.js';
import { AuthorityRepository } from '../core/patients/authority.repository.js';
import { AuthorityService } from '../core/patients/authorities.service.js';
import { JoinedAuthorities, PatientJoins } from '../core/patients/joined-authorities.js';
import { LearnedAuthorities } from '../core/patients/learned-authorities.js';
import { Clock } from '../core/ports/clock.js';
import { Digest } from '../core/ports/digest.js';
import { IdSource } from '../core/ports/id-source.js';
import { UnitOfWork } from '../core/ports/unit-of-work.js';
import { FhirRecordsModule } from '../doors/fhir/fhir-records.module.js';
import { AuthorityJoins } from '../doors/fhir/records/authority-joins.js';
import { bind } from '../platform/bind.js';
import { CoreModule } from './core.module.js';

const PORTS = { authorities: AuthorityRepository, unitOfWork: UnitOfWork, ids: IdSource, clock: Clock };
const PROVIDERS = [
  { provide: PatientJoins, useClass: AuthorityJoins },
  bind(JoinedAuthorities, AuthorityRepository, PatientJoins, UnitOfWork),
  bind(LearnedAuthorities, { ...PORTS, joins: PatientJoins }, JoinedAuthorities),
  bind(
    UnknownAuthorities,
    {
      authorities: AuthorityRepository,
      items: HeldItems,
      joins: PatientJoins,
      outbox: Outbox,
      ids: IdSource,
      digest: Digest,
      unitOfWork: UnitOfWork,
    },
    JoinedAuthorities,
  ),
  bind(AuthorityService, PORTS, JoinedAuthorities, UnknownAuthorities),
];

/** Binds the table of authorities to the records that it joins. Global, as several doors ask for it. */
@Global()
@Module({
  imports: [CoreModule, FhirRecordsModule],
  providers: PROVIDERS,
  exports: [LearnedAuthorities, UnknownAuthorities, AuthorityService],
})
export class AuthoritiesModule {}
