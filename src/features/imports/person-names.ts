/** A name as the service keeps it. */
export interface PersonName {
  first: string;
  last: string;
}

/** Before a name, without dots and hyphens. */
const titles = new Set(
  `dr prof professor professorin med rer nat phil jur hc habil dipling diplkfm mr mrs ms mx miss herr frau mme mlle monsieur madame
  sra srta dna dhr mevr mw dott dottssa sigra drs dra `.split(/\s+/),
);
/** Titles that are names as well, unless they end with a dot. */
const dottedTitles = new Set('m d mr fr hr mag ing lic arch rev hon sig sr avv inz mgr pan pani dipl ir st'.split(' '));
const generations = new Set(['jr', 'sr', 'ii', 'iii', 'iv', 'jun', 'sen']);
/** Behind a name. Two letters are a name as well: they need dots, or a comma before them. */
const degrees = new Set('phd mba msc bsc llm llb cpa esq dds meng beng dphil ma ba md rn pe'.split(' '));
/** With which a last name begins. */
const particles = new Set(
  `van von vom der den de da do dos das del della dello di du des ter ten te zu zum zur la le bin binti ibn al el`.split(
    /\s+/,
  ),
);

/**
 * Splits a whole name: “Dr. Anna Meier” is Anna Meier, “Smith, John, Jr.” is John Smith Jr. Behind a comma comes the first
 * name. Without one, a particle (van, de la) or capital letters begin the last name; of four words, two are last names;
 * otherwise the first word is the first name, as on the command line.
 *
 * @param order of a name without a comma
 */
export function splitName(whole: string, order: 'first last' | 'last first' = 'first last'): PersonName {
  const text = withoutBrackets(whole);
  const parts = text.split(',').map(tidy).filter(Boolean);
  const [before = '', ...after] = parts;
  const isBehind = (part: string) =>
    part.split(' ').every((word) => generations.has(bare(word)) || degrees.has(bare(word)));
  const behind = after.filter(isBehind).flatMap((part) => part.split(' '));
  const names = after.filter((part) => !isBehind(part));
  const generation = behind.filter((word) => generations.has(bare(word)));
  if (names.length === 0) {
    const { first, last } = splitWords(before.split(' '), order);
    return { first, last: tidy([last, ...generation].join(' ')) };
  }
  const given = withoutEnds(tidy(names.join(' ')).split(' '));
  const family = withoutEnds(before.split(' '));
  return {
    first: given.words.join(' '),
    last: tidy([...family.words, ...family.generation, ...given.generation, ...generation].join(' ')),
  };
}

/** The first and last name of two columns, without titles and degrees. */
export function tidyParts({ first, last }: PersonName): PersonName {
  const given = withoutEnds(tidy(first).split(' '));
  const [family = '', ...behind] = last.split(',').map(tidy);
  const ofFamily = withoutEnds(family.split(' '));
  const generation = behind.filter((part) => generations.has(bare(part)));
  const others = behind.filter((part) => !generations.has(bare(part)) && !degrees.has(bare(part)));
  return {
    first: given.words.join(' '),
    last: tidy(
      [
        [...ofFamily.words, ...ofFamily.generation, ...given.generation, ...generation].join(' '),
        ...others.map((part) => `, ${part}`),
      ].join(''),
    ),
  };
}

function splitWords(all: readonly string[], order: 'first last' | 'last first'): PersonName {
  const { words, generation, hadTitle } = withoutEnds(all);
  const named = (first: readonly string[], last: readonly string[]): PersonName => ({
    first: first.join(' '),
    last: [...last, ...generation].join(' '),
  });
  // “Herr Meier” has no first name.
  const isLast = hadTitle || generation.length > 0 || order === 'last first';
  if (words.length === 1) return isLast ? named([], words) : named(words, []);
  const capitals = words.filter(isInCapitals);
  if (capitals.length > 0 && capitals.length < words.length && isTogether(words.map(isInCapitals)))
    return named(
      words.filter((word) => !isInCapitals(word)),
      capitals,
    );
  if (order === 'last first') {
    const end = words.findIndex((word) => !particles.has(bare(word))) + 1;
    return named(words.slice(end), words.slice(0, end));
  }
  const particle = words.findIndex((word, at) => at > 0 && at < words.length - 1 && particles.has(bare(word)));
  const at = particle === -1 ? (words.length > 3 ? 2 : 1) : particle;
  return named(words.slice(0, at), words.slice(at));
}

/** The words of a name without titles before it and degrees behind it. A single word is always a name. */
function withoutEnds(all: readonly string[]): { words: string[]; generation: string[]; hadTitle: boolean } {
  const words = [...all];
  const generation: string[] = [];
  while (words.length > 1 && isTitle(words[0] ?? '')) words.shift();
  const hadTitle = words.length < all.length;
  while (words.length > 1) {
    const last = words.at(-1) ?? '';
    if (generations.has(bare(last))) generation.unshift(last);
    else if (!isDegree(last)) break;
    words.pop();
  }
  return { words, generation, hadTitle };
}

function isTitle(word: string): boolean {
  return titles.has(bare(word)) || (word.endsWith('.') && dottedTitles.has(bare(word))) || /^dipl[.-]/i.test(word);
}

function isDegree(word: string): boolean {
  return degrees.has(bare(word)) && (bare(word).length > 2 || word.includes('.'));
}

function isInCapitals(word: string): boolean {
  return /^(?=(?:.*\p{Lu}){3})[\p{Lu}\p{M}'’-]+$/u.test(word);
}

/** Whether what is true stands together, at the beginning or at the end. */
function isTogether(flags: readonly boolean[]): boolean {
  return flags.filter((flag, at) => at > 0 && flag !== flags[at - 1]).length === 1;
}

/** Nothing but what is in brackets stays as it is. */
function withoutBrackets(text: string): string {
  return tidy(text.replaceAll(/\([^()]*\)/g, ' ')) || tidy(text);
}

function bare(word: string): string {
  return word.toLowerCase().replaceAll(/[.-]/g, '');
}

function tidy(text: string): string {
  return text.replaceAll(/[ \u00A0]+/g, ' ').trim();
}
