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

/** What was said of each column of the shape, in their order. */
export function keptChoices({ places }: FileShape, choices: Choices): Choice[] {
  return places.map((place) => choices.get(place) ?? 'none');
}

/** Reads what `keptChoices` made; undefined where another version made it. */
export function restoredChoices({ places }: FileShape, kept: readonly string[]): Choices | undefined {
  const known = kept.every((choice) => isChoice(choice));
  return known && kept.length === places.length
    ? new Map(places.map((place, at) => [place, kept[at] as Choice] as const))
    : undefined;
}

export function isChoice(text: string): text is Choice {
  return text === 'none' || choosable.some((column) => column === text);
}
