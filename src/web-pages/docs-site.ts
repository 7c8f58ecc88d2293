import { readPageFile, type PageFile } from './page-file.js';

/** No folder above, nothing hidden. */
const SAFE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,119}$/;
const HAS_TYPE = /\.[a-z]+$/;

/** The built pages of the docs (`dist/docs`). Each is read when it is asked for: they are few, and may be built again meanwhile. */
export class DocsSite {
  constructor(private readonly root: string) {}

  /** What stands at an address below `/docs/`; null: nothing does. `errors` is `errors.html`, a folder its `index.html`. */
  async find(address: string): Promise<PageFile | null> {
    const path = address === '' || address.endsWith('/') ? `${address}index.html` : address;
    const names = path.split('/');
    if (names.length > 8 || !names.every((name) => SAFE_NAME.test(name))) return null;
    return readPageFile(this.root, HAS_TYPE.test(path) ? path : `${path}.html`);
  }
}
