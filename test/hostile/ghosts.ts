import { channelPrefixOf, idPartOf, markOf, personPrefixOf } from './cohort.ts';

/** No cohort has a number that is so much higher. It has as many digits: a name that is nearly right is one all the same. */
const nobodysFrom = 100;

const alphabets = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** An ID or token of the same form, which was never given. */
const neverGiven = (id: string): string => id.slice(0, -12) + id.slice(-12).replaceAll(/\w/g, turned);

/** Another character of the same kind. */
function turned(character: string): string {
  const alphabet = alphabets.find((some) => some.includes(character));
  if (alphabet === undefined) return character;
  return alphabet[(alphabet.indexOf(character) + alphabet.length / 2) % alphabet.length] ?? character;
}

/**
 * Replaces what is a cohort’s by what does not exist and looks the same.
 *
 * @param captured other IDs and tokens
 */
export function withGhosts(text: string, number: number, captured: readonly string[]): string {
  const of = [personPrefixOf, channelPrefixOf, idPartOf, markOf];
  let ghostly = text;
  for (const part of of) ghostly = ghostly.replaceAll(part(number), part(number + nobodysFrom));
  for (const id of captured) ghostly = ghostly.replaceAll(id, neverGiven(id));
  return ghostly;
}
