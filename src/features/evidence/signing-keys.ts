import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import type { Keyv } from 'keyv';
import { readFile } from 'node:fs/promises';
import { InvigilatorError } from '../../domain/errors.ts';

/** The public half of a key that signs packs. Times are milliseconds since the epoch. */
export interface PublicKey {
  /** SHA-256 of the key, in hexadecimal digits. */
  fingerprint: string;
  /** Ed25519, as SPKI in DER, in base64. */
  publicKey: string;
  from: number;
  /** When another replaced it; undefined: it signs. */
  until?: number;
}

/** Signs with the present key. The private half does not leave it. */
export interface Signer {
  /** The present key, then those before it, the latest first. */
  keys: readonly [PublicKey, ...PublicKey[]];
  /** @returns the signature in base64 */
  sign: (bytes: Buffer) => string;
}

/** What the store holds. `privateKey`: PKCS 8 in DER, in base64. */
export interface StoredKeys {
  keys: readonly [PublicKey, ...PublicKey[]];
  privateKey: string;
}

/**
 * The keys that sign packs of evidence, shared by all instances. The first use makes one.
 *
 * @param deps.inTurn runs work on one instance at a time
 * @param deps.madeSince from this moment on, a key that is older is replaced, in milliseconds since the epoch; undefined: none is
 */
export function createSigningKeys(deps: {
  store: Pick<Keyv<StoredKeys>, 'get' | 'set'>;
  inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>;
  madeSince: number | undefined;
  now: () => number;
}): () => Promise<Signer> {
  const { store, madeSince = -Infinity, now } = deps;

  async function present(): Promise<StoredKeys | undefined> {
    const stored = await store.get('keys');
    const isReplaced = stored !== undefined && stored.keys[0].from < madeSince && madeSince <= now();
    return isReplaced ? undefined : stored;
  }

  async function makeUnlessMade(): Promise<StoredKeys> {
    const known = await present();
    if (known !== undefined) return known;
    const { keys: earlier = [] } = (await store.get('keys')) ?? {};
    const made = newKeys(earlier, now());
    await store.set('keys', made);
    return made;
  }

  return async () => {
    const { keys, privateKey } = (await present()) ?? (await deps.inTurn(makeUnlessMade));
    const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
    return { keys, sign: (bytes) => sign(null, bytes, key).toString('base64') };
  };
}

/** A new pair, whose private half replaces the one before. */
function newKeys(earlier: readonly PublicKey[], at: number): StoredKeys {
  const pair = generateKeyPairSync('ed25519');
  const der = pair.publicKey.export({ format: 'der', type: 'spki' });
  const fingerprint = createHash('sha256').update(der).digest('hex');
  return {
    keys: [
      { fingerprint, publicKey: der.toString('base64'), from: at },
      ...earlier.map((key) => ({ ...key, until: key.until ?? at })),
    ],
    privateKey: pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
}

/** Another instance has been making the key for longer than it takes. */
class KeyBusyError extends InvigilatorError {
  readonly code = 'evidence_key_busy';
}

/** What packs of evidence are signed and checked with, for every instance the same. */
export function createEvidenceTools({
  oneAtATime,
  ...deps
}: {
  store: Pick<Keyv<StoredKeys>, 'get' | 'set'>;
  /** Lets one instance at a time work under a name. */
  oneAtATime: {
    inTurn<Value>(
      name: string,
      work: () => Promise<Value>,
    ): Promise<{ isBusy: false; value: Value } | { isBusy: true }>;
  };
  madeSince: number | undefined;
  now: () => number;
}) {
  return {
    signer: createSigningKeys({
      ...deps,
      async inTurn(work) {
        const turn = await oneAtATime.inTurn('evidence-key', work);
        if (turn.isBusy) throw new KeyBusyError('the key of evidence packs is being made by another instance');
        return turn.value;
      },
    }),
    /** The text of the program that checks a pack. */
    verifier: async () => readFile(new URL('./verify.mjs', import.meta.url), 'utf8'),
  };
}

export type EvidenceTools = ReturnType<typeof createEvidenceTools>;
