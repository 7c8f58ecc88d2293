import { Module } from '@nestjs/common';
import { SamplePhotos } from '../../core/images/sample-photos.js';
import { dataFolder } from '../../platform/config/data-folder.js';
import { SampleFolder } from './sample-folder.js';

/** Binds SamplePhotos. */
@Module({
  providers: [{ provide: SamplePhotos, useFactory: () => new SampleFolder(() => dataFolder('samples')) }],
  exports: [SamplePhotos],
})
export class SamplesModule {}
