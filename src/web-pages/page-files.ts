import { join } from 'node:path';
import { readPageFile, type PageFile } from './page-file.js';

/** A name that the build makes: no folder, nothing hidden. */
const SAFE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,119}$/;

/** The built files of the pages (`dist/web`), each read with the first request for it. */
export class PageFiles {
  private readonly read = new Map<string, Promise<PageFile | null>>();

  constructor(private readonly root: string) {}

  /** A page or a file beside it; null: there is none of this name. */
  page(name: string): Promise<PageFile | null> {
    return this.find(name);
  }

  /** A script or a style sheet, whose name changes with its content; null: there is none of this name. */
  asset(name: string): Promise<PageFile | null> {
    return SAFE_NAME.test(name) ? this.find(join('assets', name)) : Promise.resolve(null);
  }

  /** What is not there is not remembered, so that names that somebody makes up take no memory. */
  private async find(path: string): Promise<PageFile | null> {
    const reading = this.read.get(path) ?? readPageFile(this.root, path);
    this.read.set(path, reading);
    try {
      const file = await reading;
      if (file === null) this.read.delete(path);
      return file;
    } catch (fault) {
      this.read.delete(path);
      throw fault;
    }
  }
}
