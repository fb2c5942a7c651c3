import { createHash } from 'node:crypto';
import { choosable, isOwnTitle, type Choice, type Choices } from './columns.ts';
import { isSecretTitle, plainTitle } from './title-words.ts';

/** What people have said that the columns of a file hold: a digest of its titles, and nothing that a cell has. */
export interface FileShape {
  /** Undefined for a file without titles. */
  digest: string | undefined;
  /** The places of its columns. The bot’s own columns and those with passwords are left out, as they are in its result. */
  places: readonly number[];
}

export function shapeOf(header: readonly string[]): FileShape {
  const places = [...header.keys()].filter(
    (place) => !isOwnTitle(header[place] ?? '') && !isSecretTitle(header[place] ?? ''),
  );
  const titles = places.map((place) => plainTitle(header[place] ?? ''));
  const digest = createHash('sha256').update(JSON.stringify(titles)).digest('hex');
  return { digest: titles.some((title) => title !== '') ? digest : undefined, places };
}

/** What was said of each column of the shape, in their order; an empty text of one that nobody was asked about. */
export function keptChoices({ places }: FileShape, choices: Choices): (Choice | '')[] {
  return places.map((place) => choices.get(place) ?? '');
}

/** Reads what `keptChoices` made; undefined where another version made it. */
export function restoredChoices({ places }: FileShape, kept: readonly string[]): Choices | undefined {
  if (kept.length !== places.length || !kept.every((choice) => choice === '' || isChoice(choice))) return undefined;
  return new Map(
    places.flatMap((place, at): [number, Choice][] => {
      const choice = kept[at] ?? '';
      return isChoice(choice) ? [[place, choice]] : [];
    }),
  );
}

export function isChoice(text: string): text is Choice {
  return text === 'none' || choosable.some((column) => column === text);
}
