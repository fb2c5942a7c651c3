import { globSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, resolve, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Sample } from './sample.ts';
import { tmpdir } from 'node:os';
import { plainSentence } from '../../src/domain/said.ts';

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

/** A text that a person reads, with where it comes from. */
export interface Said {
  /** The sample file and the situation. */
  where: string;
  text: string;
  /** Whether Slack shows markup and mentions in it. */
  isMarkup: boolean;
  /** Whether only screen readers say it. */
  isHeard?: boolean;
}

/** Every text of every sample, as it is sent. Ids and values that nobody sees are left out. */
export function allSaid(areas: readonly Area[]): Said[] {
  return areas.flatMap(({ name, samples }) =>
    samples.flatMap(({ when, shown }) => {
      const where = `${name}: ${when}`;
      if (typeof shown === 'string') return [{ where, text: plainSentence(shown), isMarkup: false }];
      return [
        ...('text' in shown ? [{ where, text: shown.text, isMarkup: true }] : []),
        ...textsIn(shown).map((said) => ({ where, ...said })),
      ];
    }),
  );
}

const shownKeys = new Set(['caption', 'title', 'x_label', 'y_label', 'name', 'accessibility_label', 'alt_text']);

function textsIn(value: unknown): Omit<Said, 'where'>[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const text = 'text' in value && 'type' in value && typeof value.text === 'string' ? value.text : undefined;
  if (text !== undefined) return [{ text, isMarkup: 'type' in value && value.type === 'mrkdwn' }];
  return Object.entries(value).flatMap(([key, part]) =>
    shownKeys.has(key) && typeof part === 'string'
      ? [{ text: part, isMarkup: false, isHeard: key === 'accessibility_label' }]
      : textsIn(part),
  );
}
