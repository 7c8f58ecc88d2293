import { Module } from '@nestjs/common';
import { KeysController } from './keys.controller.js';
import { OrganizationsController } from './organizations.controller.js';
import { TenancyDesks } from './tenancy-desk.js';

/** The admin API. Needs TenancyService (CoreModule) and the guards' parts (IdentityModule), both global. */
@Module({ controllers: [OrganizationsController, KeysController], providers: [TenancyDesks] })
export class AdminModule {}
