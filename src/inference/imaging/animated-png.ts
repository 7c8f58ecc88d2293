const SIGNATURE_BYTES = 8;
/** Length and type before a chunk's data, checksum after it. */
const CHUNK_FRAME_BYTES = 12;

/**
 * True for a PNG with an animation control chunk before its pixels (W3C PNG 3rd edition, 11.3.6.1 acTL).
 * libvips reads only the first frame of such a file and does not tell.
 */
export function isAnimatedPng(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = SIGNATURE_BYTES;
  while (offset + CHUNK_FRAME_BYTES <= bytes.byteLength) {
    const type = String.fromCharCode(...bytes.subarray(offset + 4, offset + 8));
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
    offset += CHUNK_FRAME_BYTES + view.getUint32(offset);
  }
  return false;
}
