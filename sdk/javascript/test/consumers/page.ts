// The package in a bundled program with the types of the DOM alone. Compiled, never run.
import { SuturaClient } from '@sutura/sdk';

const { signal } = new AbortController();
const client = new SuturaClient({ fetch, logger: console });

export const jobs = [
  client.analyzeImage({ file: new Blob([]), signal }),
  client.analyzeImage({ file: new File([], 'photo.jpg') }),
  client.analyzeImage({ file: new Blob([]).stream() }),
];

export const shown: Promise<Blob> = client.downloadReport('r', { format: 'pdf' }).then((bytes) => new Blob([bytes]));
