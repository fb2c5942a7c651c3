import { globSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sample } from './sample.ts';

/** The samples of one file. */
export interface Area {
  /** The file's name, without its ending. */
  name: string;
  path: string;
  samples: readonly Sample[];
}

/** Imports every file of `samples`, in the order of their names. */
export async function collectSamples(): Promise<Area[]> {
  const paths = globSync('test/words/samples/*.ts').toSorted();
  return Promise.all(
    paths.map(async (path) => {
      const { samples } = (await import(pathToFileURL(resolve(path)).href)) as { samples: readonly Sample[] };
      return { name: basename(path, '.ts'), path, samples };
    }),
  );
}
