import { maskAddresses } from './mask-addresses.ts';
import { erasedName, erasedText } from './sealed-entry.ts';

/** A person who is to be erased from what the bot keeps. Their IDs stay: they name nobody without the account. */
export interface ErasedPerson {
  /** Of the quiz account, and of the platform. */
  ids: readonly string[];
  /** First and last names; also earlier ones. */
  names: readonly (readonly [first: string, last: string])[];
  /** User names and e-mail addresses. */
  addresses: readonly string[];
  /** Whether another user of the account has the same name: then the name alone does not tell who is meant. */
  hasNamesake: boolean;
}

/** Takes a person out of texts. */
export interface Eraser {
  /** Takes them out of a JSON text that is stored, or of any other. Gives the same text where nothing of them is in it. */
  rewrite(text: string): string;
  /** Whether texts that belong together are about them. */
  isAbout(texts: readonly string[]): boolean;
}

/** What people entered about a person, in something that is about this person alone. */
const ownWords = new Set(['reason', 'comment', 'because', 'note']);
/** By these, something says whom it is about. */
const idKeys = ['userId', 'user_id', 'personId', 'user'];
/** By these, something says who did it. */
const actorKeys = new Set(['by', 'ownerId', 'requesterId']);

/**
 * Addresses and full names are taken out wherever they are. What others can have, too, such as a first name or a masked address, is taken
 * out of what carries an ID of the person: an object, and what is in it, unless that is about somebody else.
 */
export function eraserOf({ ids, names, addresses, hasNamesake }: ErasedPerson): Eraser {
  const full = names.map((name) => name.filter((part) => part !== '').join(' '));
  const isTelling = (name: string) => name.includes(' ') && !hasNamesake;
  const mails = addresses.filter((address) => address.includes('@'));
  const masked = mails.map(maskAddresses);
  const everywhere = wordsOf([...mails, ...full.filter(isTelling)]);
  const own = wordsOf([...mails, ...full, ...names.flat(), ...addresses, ...masked]);
  const [mailWords, nameWords, maskedWords] = [wordsOf(mails), wordsOf(full), wordsOf(masked)];
  const known = new Set([...ids, ...mails.map((mail) => mail.toLowerCase())]);
  const isKnown = (text: unknown) => typeof text === 'string' && (known.has(text) || known.has(text.toLowerCase()));
  /** A mention as `operations/typed-text.ts` writes it; its name is the one that the person has on the platform. */
  const mention = new RegExp(`((?:^|[\\s,;])person:(?:${ids.map(RegExp.escape).join('|')})\\|)[^\\s,;|]+`, 'gu');
  const fullNames = new Set(full.map((name) => name.toLowerCase()));

  const withoutWords = (text: string, words: RegExp) =>
    text
      .replaceAll(mention, `$1${erasedText}`)
      .replaceAll(words, (word) => (fullNames.has(word.toLowerCase()) ? erasedName : erasedText));

  const isId = (value: unknown): boolean =>
    isKnown(value) || (Array.isArray(value) && value.length === 1 && isId(value[0]));

  /** A row of a file has the address beside the name. */
  const isOwnRow = (cells: readonly unknown[]) => cells.every((cell) => Object(cell) !== cell) && cells.some(isMail);

  const isMail = (value: unknown) => typeof value === 'string' && value.includes('@') && isKnown(value);

  function idsIn(fields: Readonly<Record<string, unknown>>): string[] {
    return [...idKeys, ...(fields['kind'] === 'user' ? ['id'] : [])].flatMap((key) => {
      const [id, ...others] = [fields[key]].flat();
      return typeof id === 'string' && others.length === 0 ? [id] : [];
    });
  }

  /** Whether it says by an ID that it is about them: a name in it is theirs, also one that is not known. */
  function saysId(fields: Readonly<Record<string, unknown>>): boolean {
    return idsIn(fields).some(isId);
  }

  function isOwn(fields: Readonly<Record<string, unknown>>, isInOwn: boolean): boolean {
    if (idsIn(fields).length > 0) return saysId(fields);
    const shown = [fields, fields['asked'], fields['preview']].map((one) => Object(one).targets as unknown);
    return (
      isInOwn ||
      Object.entries(fields).some(([key, part]) => !actorKeys.has(key) && isId(part)) ||
      shown.some(isAboutThemAlone)
    );
  }

  function isAboutThemAlone(targets: unknown): boolean {
    if (!Array.isArray(targets)) return false;
    const users = (targets as { kind?: unknown; id?: unknown }[]).filter((target) => target.kind === 'user');
    return users.length > 0 && users.every(({ id }) => known.has(String(id)));
  }

  function without(value: unknown, isInOwn: boolean): unknown {
    if (typeof value === 'string') return withoutWords(value, isInOwn ? own : everywhere);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((part) => without(part, isInOwn || isOwnRow(value)));
    const fields = value as Readonly<Record<string, unknown>>;
    const isHere = isOwn(fields, isInOwn);
    return Object.fromEntries(
      Object.entries(fields).map(([key, part]) => {
        const isOfThem = isHere || isKnown(key);
        if (isHere && key === 'name' && typeof part === 'string' && saysId(fields)) return [key, erasedName];
        const isEntered = ownWords.has(key) || (key === 'value' && 'label' in fields);
        if (isOfThem && isEntered) return [key, erasedIn(part)];
        return [withoutWords(key, everywhere), without(part, isOfThem)];
      }),
    );
  }

  return {
    rewrite(text) {
      if (text.search(own) === -1 && !ids.some((id) => text.includes(JSON.stringify(id)))) return text;
      const value = parsed(text);
      if (value === undefined) return withoutWords(text, everywhere);
      const rewritten = JSON.stringify(without(value, false));
      return rewritten === JSON.stringify(value) ? text : rewritten;
    },
    isAbout(texts) {
      const has = (words: RegExp) => texts.some((text) => text.search(words) !== -1);
      return has(mailWords) || (has(nameWords) && (full.some(isTelling) || has(maskedWords)));
    },
  };
}

/** Whole words, in any case, as a JSON text has them or any other. The longest come first. */
function wordsOf(words: readonly string[]): RegExp {
  const all = words.flatMap((word) => [word, JSON.stringify(word).slice(1, -1)]).filter((word) => word.trim() !== '');
  const patterns = [...new Set(all)].toSorted((one, other) => other.length - one.length).map(RegExp.escape);
  return patterns.length === 0
    ? /(?!)/gu
    : new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

/** What was entered, a text or several. */
function erasedIn(entered: unknown): unknown {
  if (typeof entered === 'string') return entered === '' ? '' : erasedText;
  return Array.isArray(entered) ? entered.map(erasedIn) : entered;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
