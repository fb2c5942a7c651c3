import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import type { Keyv } from 'keyv';

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
