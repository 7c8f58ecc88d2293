// The licences of what is shipped, with their texts: npm run notices -- [--out THIRD-PARTY-NOTICES]
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import licenceList from 'spdx-license-list/full.js';
import { MODEL_WEIGHTS } from './sbom/model-weights.mjs';
import { nativeParts } from './sbom/native-parts.mjs';
import { shippedPackages } from './sbom/shipped-packages.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LICENCE_FILE = /^(licen[cs]e|notice|copying|third.?party)/i;
const RULE = '-'.repeat(100);

const HEAD = `THIRD-PARTY NOTICES

Sutura is shipped with the software below, unchanged, and with model weights that began as those of others and were
changed by training. "npm run notices" wrote this file from package-lock.json and the installed packages; a test compares
the two. The first list has every npm package, those for other platforms included. The second has what is compiled into
their native files, as far as the packages say it, the third the weights. Then come the texts: those that the packages
bring, and of licences whose packages bring none the text of the SPDX License List; the copyright lines of those stand in
their sources. The weights: copyright (c) 2020, ML Illustrated.

ONNX Runtime brings no list of what is compiled into it: ThirdPartyNotices.txt of its release has that. DirectML and the
DirectX compiler, which its package holds for Windows, are under licences of Microsoft and of LLVM.

Libraries under the GNU Lesser General Public License (libvips and parts of it) are files of their own, which an
operator may replace; their source is that of the sharp-libvips release named here.

This product includes software developed by the OpenSSL Project for use in the OpenSSL Toolkit (https://www.openssl.org/).
It includes cryptographic software written by Eric Young (eay@cryptsoft.com).
`;

const USAGE = `Usage: npm run notices -- [--out FILE]

--out  the file to write; default: THIRD-PARTY-NOTICES.

Run it after npm ci, on Linux: packages for other systems do not say what is compiled into them.
`;

async function main() {
  const { values } = parseArgs({
    options: { out: { type: 'string', default: 'THIRD-PARTY-NOTICES' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) process.stdout.write(USAGE);
  else await writeFile(resolve(values.out), await notices());
}

async function notices() {
  const packages = uniqueByPurl(await shippedPackages(ROOT));
  const parts = await partsOf(packages.filter(({ installed }) => installed));
  const own = new Map();
  const standard = new Map();
  for (const entry of packages) {
    // What is installed for one platform alone would make another file on another: its main package has the same text.
    const texts = entry.installed && !entry.ofOnePlatform ? await licenceFiles(join(ROOT, entry.path)) : [];
    for (const text of texts) note(own, text, titleOf(entry));
    if (texts.length === 0) for (const id of licenceIds(entry.licence)) note(standard, id, titleOf(entry));
  }
  for (const part of [...parts, ...MODEL_WEIGHTS])
    for (const id of licenceIds(part.licence)) note(standard, id, titleOf(part));
  return [
    HEAD,
    `NPM PACKAGES\n\n${listed(packages)}\n`,
    `NATIVE PARTS\n\n${listed(parts)}\n`,
    `MODEL WEIGHTS\n\n${listed(MODEL_WEIGHTS)}\n`,
    ...[...own].map(([text, owners]) => section(owners, text)),
    ...[...standard].sort(byKey).map(([id, owners]) => section(owners, tidy(licenceList[id].licenseText))),
  ].join('\n');
}

function uniqueByPurl(packages) {
  return [...new Map(packages.map((entry) => [entry.purl, entry])).values()].sort((a, b) => byText(a.purl, b.purl));
}

async function partsOf(packages) {
  const parts = (await Promise.all(packages.map((entry) => nativeParts(ROOT, entry)))).flat();
  return [...new Map(parts.map((part) => [titleOf(part), part])).values()].sort((a, b) =>
    byText(titleOf(a), titleOf(b)),
  );
}

async function licenceFiles(folder) {
  const names = (await readdir(folder)).filter((name) => LICENCE_FILE.test(name)).sort();
  return Promise.all(names.map(async (name) => tidy(await readFile(join(folder, name), 'utf8'))));
}

/** The SPDX identifiers of an expression; words that are none need no text. */
function licenceIds(expression) {
  return expression.split(/\s+(?:AND|OR)\s+|[()]/).filter((id) => id in licenceList);
}

function listed(entries) {
  return entries.map((entry) => `${titleOf(entry)}: ${entry.licence}`).join('\n');
}

function titleOf({ name, version }) {
  return `${name} ${version}`;
}

function section(owners, text) {
  return `${RULE}\n${owners.join('\n')}\n\n${text}\n`;
}

function tidy(text) {
  return text
    .replaceAll('\r', '')
    .replace(/[ \t]+$/gm, '')
    .trim();
}

function note(lists, key, entry) {
  lists.set(key, [...(lists.get(key) ?? []), entry]);
}

function byKey([a], [b]) {
  return byText(a, b);
}

function byText(a, b) {
  return a < b ? -1 : Number(a > b);
}

await main().catch((fault) => {
  process.stderr.write(`No notices were written: ${fault.message}\n`);
  process.exitCode = 1;
});
