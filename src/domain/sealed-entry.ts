import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { AuditEntry, ChainLink } from './audit-chain.ts';
import { mapTexts, replacePeople } from './said.ts';

/**
 * What the record keeps of an entry: where a text names somebody, a mark stands for it, and the text itself is sealed under a
 * key of its owner. The chain covers the seals, so it holds although a key is destroyed, and with it what it opened.
 */
export interface SealedEntry extends AuditEntry {
  sealed?: readonly Seal[];
  /** The hash of an entry of 1.6, before 1.7 sealed it. */
  was?: string;
}

/** The texts of one owner, a JSON array: 12 bytes of nonce, AES-256-GCM, 16 bytes of tag, in base64url. Empty where they were erased before. */
interface Seal {
  /**
   * `user/<id>`: of a user of the account. `words/<id>`: of this entry, which is about nobody, or about several people; no name of a
   * user is among them. `entry/<id>`: likewise, by versions up to 1.7, with names.
   */
  of: string;
  data: string;
}

/** An entry of which the texts to seal are known. Its owners have to get their keys. */
interface EntryDraft {
  entry: SealedEntry;
  parts: readonly { owner: string; texts: readonly string[] }[];
}

/** An entry as its readers have it. `openings`: for each seal, what opens it; null where it was erased. */
interface OpenedEntry {
  entry: AuditEntry;
  openings: readonly (Opening | null)[];
}

/** The key that opens one seal and nothing else, in base64, and the texts in it. */
interface Opening {
  key: string;
  texts: readonly string[];
}

/** A link with what its text says, as far as nobody in it was erased. */
export interface RecordedLink extends ChainLink, OpenedEntry {}

const [nonceLength, tagLength] = [12, 16];
/** Private characters: a text from outside that has them loses them. */
const [openMark, closeMark] = ['\uE000', '\uE001'];
const marks = /\uE000(\d+)\.(\d+)\uE001/g;
/** A name as `domain/said.ts` marks it. */
const markedName = /\u2068([^\u2068\u2069]*)\u2069/g;
const isolates = /([\u2068\u2069])/;

const ofWords = 'words/';

export const erasedName = 'an erased person';
export const erasedText = 'erased';
/** “Delete the user Rosa” becomes “delete an erased person”. */
const nounBeforeErased = new RegExp(`the user (?=\\u2068${erasedName}\\u2069)`, 'g');
/** Of what was changed in the store: `/quiz-admin audit verify` says where. */
const unreadableText = 'unreadable';
const unreadableEntry: AuditEntry = {
  at: 0,
  correlationId: unreadableText,
  operation: unreadableText,
  change: 'write an entry that can’t be read any more',
  action: 'failed',
  through: unreadableText,
};

export function ownerOf(userId: string): string {
  return `user/${userId}`;
}

/** The users whom an entry is about. */
function usersOf({ targets = [] }: AuditEntry): string[] {
  return [...new Set(targets.flatMap(({ kind, id }) => (kind === 'user' ? [id] : [])))];
}

/**
 * Puts marks where an entry names people or tells what was entered: their names belong to them; the other texts to the one
 * person whom the entry is about, and otherwise to the entry.
 */
export function draftEntry(original: AuditEntry, newId: () => string): EntryDraft {
  const entry = mapTexts(original, (text) => text.replaceAll(/[\uE000\uE001]/g, '\uFFFD'));
  const parts: { owner: string; texts: string[] }[] = [];
  const things = new Set((entry.targets ?? []).flatMap(({ kind, name }) => (kind === 'user' ? [] : [name])));
  const [first, ...others] = usersOf(entry);
  let owner = first !== undefined && others.length === 0 ? ownerOf(first) : undefined;
  const ownerOfRest = () => (owner ??= `${ofWords}${newId()}`);

  function markOf(partOwner: string, text: string): string {
    let part = parts.findIndex((other) => other.owner === partOwner);
    if (part === -1) part = parts.push({ owner: partOwner, texts: [] }) - 1;
    const { texts } = parts[part]!;
    const known = texts.indexOf(text);
    return `${openMark}${part}.${known === -1 ? texts.push(text) - 1 : known}${closeMark}`;
  }
  const markOfRest = (text: string) => (text === '' ? '' : markOf(ownerOfRest(), text));
  const markOfName = (userId: string, name: string) => markOf(ownerOf(userId), name);
  const sealed = (text: string) =>
    text
      .split(isolates)
      .map((piece, index) => (index % 2 === 0 ? replacePeople(piece, markOfName, markOfRest) : piece))
      .join('');

  const { targets, change, details, message, notMade } = entry;
  return {
    parts,
    entry: {
      ...entry,
      ...(targets && {
        targets: targets.map((target) =>
          target.kind === 'user' ? { ...target, name: markOf(ownerOf(target.id), target.name) } : target,
        ),
      }),
      ...(change !== undefined && {
        change: change.replaceAll(markedName, (whole, name: string) =>
          things.has(name) ? whole : `\u2068${sealed(name)}\u2069`,
        ),
      }),
      ...(details && { details: details.map(({ label, value }) => ({ label, value: sealed(value) })) }),
      ...(message !== undefined && { message: sealed(message) }),
      ...(notMade && { notMade: notMade.map(sealed) }),
    },
  };
}

/** @param keys by owner; without one, the texts are erased */
export function sealEntry({ entry, parts }: EntryDraft, keys: ReadonlyMap<string, Buffer>): SealedEntry {
  if (parts.length === 0) return entry;
  return {
    ...entry,
    sealed: parts.map(({ owner, texts }) => {
      const key = keys.get(owner);
      return { of: owner, data: key === undefined ? '' : sealTexts(texts, key) };
    }),
  };
}

/** The owners of what is sealed in the text of a link. */
export function ownersIn(text: string): string[] {
  return sealsIn(text).map(({ of }) => of);
}

/** Of an entry: its users, its request, and the owners of what is in it beside names; where versions up to 1.7 wrote it, with names. */
export function wordsOf(text: string): {
  users: string[];
  request?: string | undefined;
  words: string[];
  mixed: string[];
} {
  const kept = keptIn(text);
  const owners = ownersIn(text);
  return {
    users: kept ? usersOf(kept) : [],
    request: kept?.request,
    words: owners.filter((owner) => owner.startsWith(ofWords)),
    mixed: owners.filter((owner) => owner.startsWith('entry/')),
  };
}

/** Reads the text of a link. @param keys by owner; without one, the texts are erased */
export function openEntry(text: string, keys: ReadonlyMap<string, Buffer>): OpenedEntry {
  const kept = keptIn(text);
  if (kept === undefined) return { entry: unreadableEntry, openings: [] };
  const { sealed: _sealed, was: _was, ...entry } = kept;
  const seals = sealsIn(text);
  const openings = seals.map((seal) => openSeal(seal, keys.get(seal.of)));
  const read = (part: number, index: number) => {
    const opening = openings[part];
    if (opening) return opening.texts[index] ?? '';
    const { of = '', data = '' } = seals[part] ?? {};
    if (keys.has(of) && data !== '') return unreadableText;
    return index === 0 && of.startsWith('user/') ? erasedName : erasedText;
  };
  return {
    entry: mapTexts(entry, (one) =>
      one
        .replaceAll(marks, (_mark, part: string, index: string) => read(Number(part), Number(index)))
        .replaceAll(nounBeforeErased, ''),
    ),
    openings,
  };
}

/** Undefined for a text that was changed in the store, and is no entry any more. */
function keptIn(text: string): SealedEntry | undefined {
  try {
    const kept = JSON.parse(text) as SealedEntry;
    return typeof kept.operation === 'string' ? kept : undefined;
  } catch {
    return undefined;
  }
}

function sealsIn(text: string): readonly Seal[] {
  return keptIn(text)?.sealed ?? [];
}

function sealTexts(texts: readonly string[], key: Buffer): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', keyOfSeal(key, nonce), nonce);
  const sealed = [cipher.update(JSON.stringify(texts), 'utf8'), cipher.final()];
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Null without a key, and where the seal was changed. */
function openSeal({ data }: Seal, ownersKey: Buffer | undefined): Opening | null {
  if (ownersKey === undefined || data === '') return null;
  try {
    const bytes = Buffer.from(data, 'base64url');
    const key = keyOfSeal(ownersKey, bytes);
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength));
    decipher.setAuthTag(bytes.subarray(-tagLength));
    const text = Buffer.concat([decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()]);
    return { key: key.toString('base64'), texts: JSON.parse(text.toString()) as string[] };
  } catch {
    return null;
  }
}

/** Each seal has a key of its own, which opens nothing else. */
function keyOfSeal(ownersKey: Buffer, sealed: Buffer): Buffer {
  return createHmac('sha256', ownersKey).update(sealed.subarray(0, nonceLength)).digest();
}
