import { Module } from '@nestjs/common';
import { ImageInspector } from '../../core/images/image-inspector.js';
import { PictureRenderer } from '../../core/analysis/picture-renderer.js';
import { bind, from } from '../../platform/bind.js';
import { ConcurrencyLimit } from '../../platform/turns/concurrency-limit.js';
import { Settings } from '../../platform/config/settings.js';
import { lockDownDecoders } from './decoder-lockdown.js';
import { SharpImageInspector } from './sharp-image.inspector.js';
import { SharpPictureRenderer } from './sharp-picture.renderer.js';

/** Photos decoded at once in one gateway process; a 50 megapixel one may take 200 MB while it is read. */
const DECODINGS_AT_ONCE = 2;

const maxPixels = from(Settings, ({ images }) => images.maxPixels);

/** Binds ImageInspector and PictureRenderer, and shuts every decoder that is not needed. */
@Module({
  providers: [
    { provide: ConcurrencyLimit, useFactory: () => new ConcurrencyLimit(DECODINGS_AT_ONCE) },
    { ...bind(SharpImageInspector, maxPixels, ConcurrencyLimit), provide: ImageInspector },
    { ...bind(SharpPictureRenderer, maxPixels, ConcurrencyLimit), provide: PictureRenderer },
  ],
  exports: [ImageInspector, PictureRenderer],
})
export class ImagingModule {
  constructor() {
    lockDownDecoders();
  }
}
