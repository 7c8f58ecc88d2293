import sharp from 'sharp';

const READABLE = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'];

/**
 * Leaves only the JPEG, PNG and WebP decoders open in this process: by default libvips also reads SVG, GIF, TIFF, AVIF and more
 * (GHSA-f88m-g3jw-g9cj came through those). To be called before the first picture is decoded; calling it again changes nothing.
 */
export function lockDownDecoders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: READABLE });
  // Pictures differ every time, so the cache only holds memory; one thread each, as several pictures are read at once.
  sharp.cache(false);
  sharp.concurrency(1);
}
