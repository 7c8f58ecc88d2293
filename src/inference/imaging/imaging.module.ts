import { Module } from '@nestjs/common';
import { ImageInspector } from '../../core/ports/image-inspector.js';
import { OverlayRenderer } from '../../core/ports/overlay-renderer.js';
import { Settings } from '../../platform/config/settings.js';
import { DecodeGate } from './decode-gate.js';
import { lockDownDecoders } from './decoder-lockdown.js';
import { SharpImageInspector } from './sharp-image.inspector.js';
import { SharpOverlayRenderer } from './sharp-overlay.renderer.js';

/** Photos decoded at once in one gateway process; a 50 megapixel one may take 200 MB while it is read. */
const DECODINGS_AT_ONCE = 2;

/** Binds ImageInspector and OverlayRenderer, and shuts every decoder that is not needed. */
@Module({
  providers: [
    { provide: DecodeGate, useFactory: () => new DecodeGate(DECODINGS_AT_ONCE) },
    {
      provide: ImageInspector,
      inject: [Settings, DecodeGate],
      useFactory: (settings: Settings, gate: DecodeGate) =>
        new SharpImageInspector(settings.environment.SUTURA_MAX_IMAGE_PIXELS, gate),
    },
    {
      provide: OverlayRenderer,
      inject: [Settings, DecodeGate],
      useFactory: (settings: Settings, gate: DecodeGate) =>
        new SharpOverlayRenderer(settings.environment.SUTURA_MAX_IMAGE_PIXELS, gate),
    },
  ],
  exports: [ImageInspector, OverlayRenderer],
})
export class ImagingModule {
  constructor() {
    lockDownDecoders();
  }
}
