import { channelPrefixOf, idPartOf, markOf, personPrefixOf } from './cohort.ts';

/** No cohort has a number that is so much higher. */
const nobodysFrom = 9_000;

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

/** An answer without what differs from one delivery to the next. */
export function comparable(answer: string): string {
  return answer.replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{8}\b|\d+/g, '#');
}
