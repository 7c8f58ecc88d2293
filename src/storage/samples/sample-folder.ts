import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SamplePhotos, type SampleSet } from '../../core/images/sample-photos.js';

/** The folder `samples` beside the program. Read when it is first asked for: a service that nobody tests against pays nothing. */
export class SampleFolder extends SamplePhotos {
  private known: SampleSet | undefined;

  constructor(private readonly findFolder: () => string) {
    super();
  }

  collection(): SampleSet {
    this.known ??= JSON.parse(readFileSync(join(this.findFolder(), 'samples.json'), 'utf8')) as SampleSet;
    return this.known;
  }

  async bytesOf(name: string): Promise<Uint8Array | null> {
    // By the list alone, so that no text of a caller becomes a path.
    const sample = this.collection().samples.find((one) => one.name === name);
    return sample === undefined ? null : readFile(join(this.findFolder(), `${sample.name}.jpg`));
  }
}
