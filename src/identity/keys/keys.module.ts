import { Module } from '@nestjs/common';
import { KeyMint } from '../../core/organizations/organization.repository.js';
import { RandomKeyMint } from './random-key.mint.js';

/** Provides the port KeyMint. Apart from IdentityModule, so that core's services can be made without the guards. */
@Module({ providers: [{ provide: KeyMint, useClass: RandomKeyMint }], exports: [KeyMint] })
export class KeysModule {}
