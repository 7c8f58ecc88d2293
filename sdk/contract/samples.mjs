// The files of the cases: the smallest bytes that show their format to a client. The service would not accept them; clients only look at the head.
const JPEG_HEAD = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01]);
const PNG_HEAD = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d]);
const WEBP_HEAD = Buffer.from('RIFF\x00\x10\x00\x00WEBP', 'latin1');
const PDF_HEAD = Buffer.from('%PDF-1.7\n');

/** Bytes that repeat nowhere at the sizes used, so that a lost or doubled piece shows. */
function padded(head, sizeBytes) {
  const bytes = Buffer.alloc(sizeBytes);
  for (let at = 0, value = 1; at < sizeBytes; at += 4, value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0) bytes.writeUInt32LE(value, Math.min(at, sizeBytes - 4));
  head.copy(bytes);
  return bytes;
}

const SAMPLES = {
  jpeg: () => padded(JPEG_HEAD, 1000),
  png: () => padded(PNG_HEAD, 1500),
  webp: () => padded(WEBP_HEAD, 2000),
  pdf: () => padded(PDF_HEAD, 3000),
  /** More than any socket buffer takes at once. */
  'large-jpeg': () => padded(JPEG_HEAD, 6_000_000),
  text: () => Buffer.from('This is no photo.'),
  heic: () => Buffer.from('\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic', 'latin1'),
  empty: () => Buffer.alloc(0),
};

const made = new Map();

/** The bytes of a sample by name; null where there is none. */
export function sampleOf(name) {
  if (!Object.hasOwn(SAMPLES, name)) return null;
  if (!made.has(name)) made.set(name, SAMPLES[name]());
  return made.get(name);
}
