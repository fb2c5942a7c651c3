import { globSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, resolve, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HomeView, ModalView } from '@slack/types';
import { type Message, stepButtons, afterPress } from '../../src/slack/views/blocks/message.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { runStep } from '../../src/operations/page.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { TextInput } from '../../src/operations/text-input.ts';
import { tmpdir } from 'node:os';
import { plainSentence } from '../../src/domain/said.ts';

/** A sentence alone is in the form of `domain/said.ts`. */
type Shown = Message | ModalView | HomeView | string;

/** What the bot shows, by the situation as a noun phrase or a short clause: “A trainer closes a quiz”. */
export type Samples = Readonly<Record<string, Shown>>;

/** One of them, for `sentences.md`, in which a person reads all in a row. */
export interface Sample {
  when: string;
  shown: Shown;
}

/** The samples of one file. */
export interface Area {
  /** The file's name, without its ending. */
  name: string;
  samples: readonly Sample[];
}

/** Imports every file of `samples`, in the order of their names. @param root of the sources */
export async function collectSamples(root = '.'): Promise<Area[]> {
  const paths = globSync('test/words/samples/*.ts').toSorted();
  return Promise.all(
    paths.map(async (path) => {
      const url = pathToFileURL(resolve(root, path)).href;
      const { samples } = (await import(/* @vite-ignore */ url)) as { samples: Samples };
      const named = Object.entries(samples).map(([when, shown]) => ({ when, shown }));
      return { name: basename(path, '.ts'), samples: named };
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
  const areas = await collectSamples(copy);
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

/** A message after its reader pressed a button that takes the place of itself or of its row. */
export async function messageAfter(
  message: Message,
  { operation, input, opens }: { operation: Operation; input: TextInput; opens: 'row' | 'button' },
  context: Partial<OperationContext>,
): Promise<Message> {
  const values = Object.fromEntries(Object.entries(input).map(([name, [text = '']]) => [name, text]));
  const result = await operation.run(context as OperationContext, values);
  const [pressed] = stepButtons([{ ...runStep('', operation, input), opens }]);
  if (result.kind !== 'done' || result.isNoChange || !pressed) throw new Error('the answer was refused');
  return { ...message, blocks: afterPress(message.blocks, pressed, result, opens) };
}
