import { Module } from '@nestjs/common';
import { PublishedKeysController } from './published-keys.controller.js';

/** Serves the public keys. Needs PublishedKeys, which is global. */
@Module({ controllers: [PublishedKeysController] })
export class PublishedKeysModule {}
