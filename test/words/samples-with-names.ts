import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Area } from './collect.ts';
import type { Sample } from './sample.ts';

const renamedFiles = ['test/words/samples/**/*.ts', 'test/support/builders/*.ts', 'src/sandbox/workspace/people.ts'];

/**
 * The samples again, from a copy of the sources in which people, quizzes and groups have other names.
 *
 * @param names by the name in the samples
 */
export async function samplesWithNames(
  names: Readonly<Record<string, string>>,
): Promise<{ areas: Area[]; remove: () => void }> {
  const copy = mkdtempSync(join(tmpdir(), 'invigilator-names-'));
  for (const name of ['src', 'test/words', 'test/support', 'package.json'])
    cpSync(name, join(copy, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  for (const path of globSync(renamedFiles))
    writeFileSync(join(copy, path), withNames(readFileSync(path, 'utf8'), names));
  const areas = await Promise.all(
    globSync('test/words/samples/*.ts')
      .toSorted()
      .map(async (path) => {
        const url = pathToFileURL(join(copy, path)).href;
        const { samples } = (await import(/* @vite-ignore */ url)) as { samples: readonly Sample[] };
        return { name: path, path, samples };
      }),
  );
  return { areas, remove: () => rmSync(copy, { recursive: true, force: true }) };
}

function withNames(source: string, names: Readonly<Record<string, string>>): string {
  return Object.entries(names).reduce(
    (text, [name, other]) => text.replaceAll(new RegExp(String.raw`(?<![\w-])${name}(?!\w)`, 'g'), other),
    source,
  );
}
