import type { SeededRandom as Chance } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');

/** The slips of a finger, at a place that chance picks. */
export const typos: Readonly<Record<string, (name: string, chance: Chance) => string>> = {
  'two letters swapped': (name, chance) => {
    const at = chance.between(0, name.length - 2);
    return name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2);
  },
  'a letter dropped': (name, chance) => {
    const at = chance.between(0, name.length - 1);
    return name.slice(0, at) + name.slice(at + 1);
  },
  'a letter doubled': (name, chance) => {
    const at = chance.between(0, name.length - 1);
    return name.slice(0, at + 1) + name.slice(at);
  },
  'a wrong letter': (name, chance) => {
    const at = chance.between(0, name.length - 1);
    return name.slice(0, at) + chance.pick(letters) + name.slice(at + 1);
  },
};
