import { createHash } from 'node:crypto';
import { markedPerson, replacePeople } from './said.ts';
import { erasedName, erasedText } from './sealed-entry.ts';

/**
 * What a text that is stored says of people, and what becomes of it when one of them is erased: by structure, never by words.
 *
 * | Text | Erasing |
 * |---|---|
 * | `free` | It names nobody, or by IDs alone, or it is what people wrote about others: it stays |
 * | `said` | A sentence or a list of names. In it, people are named with their IDs (`domain/said.ts`): the name goes |
 * | `name` | The name of the person whom the record is about: “an erased person” stands there from then on |
 * | `words` | What was entered about that person, or what else says something of them: it is emptied. Elsewhere it is as `said` |
 *
 * What a record is about, `[whose]` says; what is in it is about the same person, unless it says otherwise. A record about several
 * people is about nobody: of these, each one’s part is a record of its own.
 */
type Mark = 'free' | 'said' | 'name' | 'words';

/** The IDs of the one person whom a record is about; empty: it is about several, or nobody. Undefined: about whom what it is in is about. */
export const whose = Symbol('whose');
/** A record about the person is dropped. */
export const dropped = Symbol('dropped');
/** By what else the person is known whom a record is about: with a colon, by something that is theirs alone. */
export const alias = Symbol('alias');
/** The description of the values of a record with keys. */
export const each = Symbol('each');
/** The mark of a text that stands beside what says whose it is. */
export const text = Symbol('text');

/** Where a value stands: the key of the record (`plans:T1:1`, or the name of a queue), the record, and the places in it. */
export interface Standing {
  key: string;
  root: unknown;
  path: readonly (string | number)[];
}

type Ids = readonly (string | null | undefined)[];

interface Whose<Value> {
  [whose]?: (value: Value, standing: Standing) => Ids | undefined;
  [dropped]?: true;
  [alias]?: (value: Value, standing: Standing) => Ids;
}

/** Fields that hold IDs, or something else that is no person’s, by what they are called: they need no description. */
type OfNobody =
  | 'id'
  | 'by'
  | `${string}${'Id' | 'Ids' | 'By'}`
  | 'leads'
  | 'quiz'
  | 'ts'
  | 'timeZone'
  | 'operation'
  | 'quizName'
  | 'holidays'
  | 'code';

/** Whether a value can hold a text other than a few words of the program. */
type HasText<Value> = Value extends string
  ? string extends Value
    ? true
    : never
  : Value extends readonly (infer Item)[]
    ? HasText<Item>
    : Value extends object
      ? { [Key in Exclude<keyof Value, OfNobody>]-?: HasText<Value[Key]> }[Exclude<keyof Value, OfNobody>]
      : never;

type KeyOf<Value> = Value extends unknown ? keyof Value : never;
type At<Value, Key> = Value extends unknown ? (Key extends keyof Value ? Value[Key] : never) : never;
type Inside<Value> = Value extends readonly (infer Item)[] ? Inside<Item> : NonNullable<Value>;

type OfFields<Value> = Whose<Value> &
  (string extends KeyOf<Value>
    ? { [each]: Description<At<Value, string>> }
    : number extends KeyOf<Value>
      ? { [each]: Description<At<Value, number>> }
      : { [Key in Extract<KeyOf<Value>, OfNobody>]?: Description<At<Value, Key>> } & {
          [
            Key in Exclude<KeyOf<Value>, OfNobody> as [HasText<At<Value, Key>>] extends [never] ? never : Key
          ]-?: Description<At<Value, Key>>;
        });

/**
 * How a kind of record is described: a mark for a text, or for lists of it; for an object, each field that can hold text. The items of
 * a list are described as if there were one. With a field that nothing describes, it does not compile.
 */
export type Description<Value> =
  Inside<Value> extends string | number | boolean
    ? Mark | (Whose<string> & { [text]: Mark })
    : OfFields<Exclude<Inside<Value>, string>>;

/** A description of any type, as it is applied. */
export type AnyDescription = Mark | { [key: string | symbol]: unknown };

/** A text in the store. `key`: of a keyed value, with its namespace, or the name of its queue; otherwise empty. */
export interface StoredText {
  in: 'value' | 'state' | 'part' | 'entry';
  key: string;
}

/** Finds the description of a text; undefined for one that is `free` as a whole. `dropped`: it goes with whomever is erased. */
export type Describe = (place: StoredText, value: unknown) => AnyDescription | 'dropped' | undefined;

export type Eraser = ReturnType<typeof createEraser>;

/**
 * Takes a person out of the texts of the store, one after the other.
 *
 * @param ids of the account and the platform, and `addressId` of each address
 */
export function createEraser(ids: readonly string[], describe: Describe) {
  const known = new Set(ids);
  const stay = new Set(ids.filter((id) => !id.startsWith(addressMark)));
  /** By what else others are known, and their IDs. */
  const ofOthers = new Map<string, Set<string>>();
  const isKnown = (one: string | null | undefined) => isText(one) && known.has(one);

  function isAbout(value: unknown, { [whose]: idsOf }: Whose<unknown>, standing: Standing, isIn: boolean): boolean {
    return idsOf?.(value, standing)?.some(isKnown) ?? isIn;
  }

  function inText(written: string, mark: Mark, isTheirs: boolean): string {
    if (mark === 'free' || written === '' || stay.has(written)) return written;
    if (isTheirs && mark === 'name') return erasedName;
    if (isTheirs && mark === 'words') return erasedText;
    return replacePeople(written, (id, name) => {
      if (!known.has(id)) return markedPerson(id, name);
      return id.startsWith(addressMark) ? erasedName : markedPerson(id, erasedName);
    });
  }

  /** @returns undefined where it is dropped */
  function without(
    value: unknown,
    description: AnyDescription | undefined,
    isIn: boolean,
    standing: Standing,
  ): unknown {
    if (description === undefined || value === null || value === undefined) return value;
    const inside = (part: unknown, place: string | number, of: AnyDescription | undefined, isTheirs: boolean) =>
      without(part, of, isTheirs, { ...standing, path: [...standing.path, place] });
    if (typeof value === 'string') {
      if (typeof description === 'string') return inText(value, description, isIn);
      const mark = description[text] as Mark | undefined;
      const isTheirs = isAbout(value, description, standing, isIn);
      if (isTheirs && dropped in description) return undefined;
      return mark === undefined ? value : inText(value, mark, isTheirs);
    }
    if (Array.isArray(value))
      return value.flatMap((item: unknown, place) => {
        const left = inside(item, place, description, isIn);
        return left === undefined && item !== undefined ? [] : [left];
      });
    if (typeof value !== 'object' || typeof description === 'string') return value;
    const isTheirs = isAbout(value, description, standing, isIn);
    if (isTheirs && dropped in description) return undefined;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
        const of = (description[key] ?? description[each]) as AnyDescription | undefined;
        const left = inside(part, key, of, isTheirs);
        return left === undefined && part !== undefined ? [] : [[key, left]];
      }),
    );
  }

  function learnIn(value: unknown, description: AnyDescription | undefined, isIn: boolean, standing: Standing): void {
    if (typeof value !== 'object' || value === null || typeof description !== 'object') return;
    const isList = Array.isArray(value);
    const isTheirs = isList ? isIn : isAbout(value, description, standing, isIn);
    const about = description as Whose<unknown>;
    for (const one of (isList ? undefined : about[alias]?.(value, standing)) ?? [])
      if (one && isTheirs) known.add(one);
      else if (one && !one.includes(':'))
        ofOthers.set(
          one,
          new Set([...(ofOthers.get(one) ?? []), ...(about[whose]?.(value, standing) ?? [])].filter(isText)),
        );
    for (const [key, part] of Object.entries(value)) {
      const of = isList ? description : ((description[key] ?? description[each]) as AnyDescription | undefined);
      learnIn(part, of, isTheirs, { ...standing, path: [...standing.path, isList ? Number(key) : key] });
    }
  }

  return {
    /** Learns by what else the person is known. @returns whether it is something new */
    learn(place: StoredText, stored: string): boolean {
      const value = contentIn(stored);
      const description = describe(place, value.content);
      const before = known.size;
      if (description !== 'dropped')
        learnIn(value.content, description, false, { key: place.key, root: value.content, path: [] });
      return known.size > before;
    },
    /** The IDs that it learned and that records give to others, too: of which users. */
    shared: () =>
      [...known].flatMap((id) => {
        const userIds = ofOthers.get(id);
        return userIds === undefined || stay.has(id) ? [] : [{ id, userIds: [...userIds] }];
      }),
    /** The ID is somebody else’s now. */
    forget: (id: string) => known.delete(id),
    /** By what the person is known. */
    known: () => [...known],
    /** The text without the person: the same where nothing in it is about them. Undefined: it is to be deleted. */
    erase(place: StoredText, stored: string): string | undefined {
      const value = contentIn(stored);
      const description = describe(place, value.content);
      if (description === 'dropped') return undefined;
      const left = without(value.content, description, false, { key: place.key, root: value.content, path: [] });
      if (left === undefined && value.content !== undefined) return undefined;
      return JSON.stringify(left) === JSON.stringify(value.content) ? stored : value.with(left);
    },
  };
}

/** In place of an ID, where a record has an address alone: a hash of it. */
export function addressId(address: string): string | undefined {
  if (!address.includes('@')) return undefined;
  return `${addressMark}${createHash('sha256').update(address.trim().toLowerCase()).digest('base64url')}`;
}

const addressMark = 'address:';
const isText = (value: string | null | undefined): value is string => typeof value === 'string';

/** What a stored text is about: the stores keep some with what it belongs to. */
function contentIn(stored: string): { content: unknown; with: (content: unknown) => string } {
  const value = parsed(stored);
  for (const key of ['content', 'value'])
    if (typeof value === 'object' && value !== null && key in value) {
      const holder = value as Record<string, unknown>;
      return { content: holder[key], with: (content) => JSON.stringify({ ...holder, [key]: content }) };
    }
  return { content: value, with: JSON.stringify };
}

function parsed(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}
